"use strict";
// What a served page has beyond the report of src/report/assets: the games in hand on top, and everything up to date.
//
// It uses `referee.show`, `referee.open` and `referee.view`, and what draws elements and boards there. As there, whatever
// comes from the server is set as text. Tests and styles may rely on: `#now` has `data-state` and `data-link`; a game in hand
// is `.scene` with `data-game`, `data-turns` and, once it is over, `data-over`; its squares are as everywhere.

/** How long a finished game is looked at: when others wait for its place, and when none does. */
const STAY_MS = { wanted: 2500, alone: 10000 };
/** How long a game has its place when others wait. */
const ROTATE_MS = 20000;
const RETRY_MS = 3000;
const TICKED = 7;
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** The games in hand, and those just finished, by their names: `{game, since, card, ended, placed}`. */
const scenes = new Map();
/** How far the server's clock is ahead of this one. */
let ahead = 0;
let status = null;
/** Which edition of the view is shown, and whether one is on its way. */
let edition = null;
let fetching = false;
let known = new Set(referee.view.games.map((game) => game.id));

// ---- The section ----

const STATES = {
  reading: "reading the records",
  playing: "live",
  waiting: "not finished, and nobody is playing",
  over: "finished",
};

const grid = element("div", { class: "scenes" });
const others = element("p", { class: "others-in-hand faint" });
const said = element("span", { role: "status" }, "connecting");
const progress = element("progress", { max: 1, value: 0, "aria-label": "Games finished" });
const tally = element("span", { class: "tally" });
const ticker = element("ol", { class: "ticker", "aria-label": "Latest results" });
const podium = element("ol", { class: "podium", "aria-label": "The first three" });
const choice = element("select", { "aria-label": "How many boards", id: "now-boards" },
  [["auto", "boards: as many as fit"], ...[1, 2, 3, 4, 6, 8, 9, 12, 16].map((count) => [count, counted(count, "board")])]
    .map(([value, words]) => element("option", { value }, words)));
const hall = element("button", { type: "button", id: "now-hall", "aria-pressed": "false" }, "projector");
const now = element("section", { id: "now", "aria-labelledby": "now-title", "data-link": "lost", "data-state": "reading" },
  element("div", { class: "bar" },
    element("h2", { id: "now-title" }, "Now playing"),
    element("p", { class: "lamp" }, said, progress, tally),
    element("p", { class: "choices" }, choice, hall)),
  grid, podium, others, ticker);
document.getElementById("main").prepend(now);

choice.addEventListener("change", arrange);
hall.addEventListener("click", () => project(!document.documentElement.classList.contains("hall")));
addEventListener("resize", arrange);
// A link to `/?hall` is one for the projector.
project(new URLSearchParams(location.search).has("hall"));

function project(on) {
  document.documentElement.classList.toggle("hall", on);
  hall.setAttribute("aria-pressed", String(on));
  arrange();
}

function tell() {
  const link = now.dataset.link;
  const state = status?.state ?? "reading";
  now.dataset.state = state;
  said.textContent = link === "lost" ? "connection lost, trying again" : STATES[state];
  if (!status) return;
  progress.max = Math.max(status.planned, 1);
  progress.value = status.finished;
  tally.textContent = `${status.finished} of ${counted(status.planned, "game")}${status.unreadable > 0 ? `, ${counted(status.unreadable, "record")} cannot be read` : ""}`;
  document.getElementById("now-title").textContent = state === "over" ? "The run is over" : "Now playing";
}

// ---- Which games have a place ----

/** How many boards there is room for. */
function places() {
  if (choice.value !== "auto") return Number(choice.value);
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const columns = Math.max(1, Math.floor((grid.clientWidth + rem) / (16 * rem)));
  if (!document.documentElement.classList.contains("hall")) return Math.max(2, columns);
  const rows = Math.max(1, Math.round((innerHeight - 9 * rem) / (22 * rem)));
  return columns * rows;
}

/** Gives the places to games: who has one keeps it, for a while where others wait. */
function arrange() {
  const time = performance.now();
  const most = places();
  const held = () => [...scenes.values()].filter((scene) => scene.placed !== null);
  const waiting = () => [...scenes.values()].filter((scene) => scene.placed === null && scene.ended === null);
  for (const [id, scene] of scenes) {
    const stay = waiting().length > 0 ? STAY_MS.wanted : STAY_MS.alone;
    if (scene.ended !== null && (scene.placed === null || time - scene.ended > stay)) scenes.delete(id);
  }
  for (const scene of held().sort((a, b) => b.placed - a.placed).slice(0, Math.max(0, held().length - most))) scene.placed = null;
  const oldest = held().sort((a, b) => a.placed - b.placed)[0];
  const touched = oldest?.card?.root.matches(":hover, :focus-within");
  if (oldest && held().length === most && waiting().length > 0 && time - oldest.placed > ROTATE_MS && !touched) {
    oldest.placed = null;
    // To the end of the queue.
    scenes.delete(oldest.game.id);
    scenes.set(oldest.game.id, oldest);
  }
  for (const scene of waiting().slice(0, Math.max(0, most - held().length))) scene.placed = time;
  show();
}

/** Draws the games that have a place, each where it was. */
function show() {
  const placed = [...scenes.values()].filter((scene) => scene.placed !== null);
  for (const scene of placed) scene.card ??= new Card(scene);
  const wanted = new Set(placed.map((scene) => scene.card.root));
  const free = [];
  for (const root of [...grid.children]) {
    if (wanted.delete(root)) continue;
    free.push(root);
  }
  for (const root of wanted) {
    const place = free.shift();
    if (place) place.replaceWith(root);
    else grid.append(root);
  }
  free.forEach((root) => root.remove());
  for (const scene of scenes.values()) if (scene.placed === null) scene.card = null;
  const inHand = [...scenes.values()].filter((scene) => scene.ended === null && scene.placed === null);
  others.textContent = inHand.length === 0 ? "" : `and ${counted(inHand.length, "more game")} at the same time`;
  grid.dataset.count = Math.min(grid.children.length, 4);
  showPodium();
}

/** The first three, when all is over and the last boards are gone. */
function showPodium() {
  const first = status?.state === "over" && scenes.size === 0 && !referee.view.grades
    ? referee.view.agents.filter((agent) => agent.rank !== undefined).slice(0, 3) : [];
  podium.replaceChildren(...first.map((agent) =>
    element("li", {}, element("span", { class: "rank" }, agent.rank), element("bdi", { class: "cut" }, agent.name), element("span", { class: "points" }, `${agent.points} of ${agent.games}`))));
}

// ---- A game in hand ----

class Card {
  constructor(scene) {
    this.scene = scene;
    this.board = drawn("svg", { class: "board", role: "img" });
    drawBoard(this.board);
    this.players = SIDES.map((side) => {
      const time = element("span", { class: "time" });
      const bar = element("span", { class: "left" });
      return { side, time, bar, root: element("div", { class: "player", "data-side": side },
        element("span", { class: `key ${side}` }), element("bdi", { class: "cut" }), time, element("span", { class: "track", "aria-hidden": "true" }, bar)) };
    });
    this.name = element("a", {});
    this.turn = element("span", { class: "turn" });
    this.last = element("p", { class: "last" });
    this.root = element("article", { class: "scene" },
      element("header", {}, this.name, this.turn), this.players[0].root, this.board, this.players[1].root, this.last);
    this.draw();
  }

  draw() {
    const { game } = this.scene;
    const { boards } = unpacked(null, { boards: game.boards, sides: "", moves: "", charged_us: [], play_time_us: game.play_time_us });
    placePieces(this.board, boards.at(-1), game.turns > 0);
    this.board.setAttribute("aria-label", `${game.players.black} against ${game.players.white}, board after ${counted(game.turns, "turn")}`);
    Object.assign(this.root.dataset, { game: game.id, turns: game.turns });
    this.name.textContent = game.id;
    this.turn.textContent = game.turns === 0 ? "about to begin" : `turn ${game.turns}`;
    for (const { side, root } of this.players) {
      root.querySelector("bdi").textContent = game.players[side];
      root.title = `${game.players[side].slice(0, 200)} plays ${referee.view.board.sides[side]}`;
      root.classList.toggle("at-work", game.at_work === side);
    }
    const over = game.over;
    if (over) {
      this.root.dataset.over = over.score;
      this.name.href = address(game.id, "last");
      for (const { side, root } of this.players) root.classList.toggle("winner", over.score === (side === "black" ? "1-0" : "0-1"));
      this.last.replaceChildren(element("strong", {}, over.score), " ", ...prose(over.verdict));
    } else {
      const words = game.last_move === "" ? "no legal move" : game.last_move === "-" ? "passes" : game.last_move;
      this.last.replaceChildren(...(game.last_side ? [element("span", { class: `key ${game.last_side}` }), words] : []));
    }
    this.tick();
  }

  /** Lets the clock of whoever is at work run: by the time that has passed, until the time that is charged is known. */
  tick() {
    const { game } = this.scene;
    const passed = Math.max(0, Date.now() + ahead - game.since_unix_ms) * 1000;
    for (const { side, time, bar } of this.players) {
      const runs = game.at_work === side;
      const left = Math.max(0, game.left_us[side] - (runs ? passed : 0));
      const words = runs ? `≈ ${(left / 1e6).toFixed(1)} s` : clock(left);
      if (time.textContent !== words) time.textContent = words;
      bar.style.width = `${(100 * left) / Math.max(game.play_time_us[side], 1)}%`;
    }
  }
}

function take(game) {
  const old = scenes.get(game.id);
  const scene = old ?? { game, card: null, ended: null, placed: null };
  scenes.set(game.id, scene);
  scene.game = game;
  if (!game.over) scene.ended = null;
  else scene.ended ??= performance.now();
  scene.card?.draw();
  if (!old || game.over) arrange();
}

/** A game of which nothing is told any more: finished, or broken off. */
function lose(id) {
  const scene = scenes.get(id);
  if (!scene) return;
  if (scene.game.over) scene.ended ??= performance.now();
  else scenes.delete(id);
  arrange();
}

// ---- Standings and all the rest ----

/** Brings the page to the newest edition, one at a time, while somebody looks. */
async function update() {
  if (fetching || document.hidden || !status || status.edition === edition) return;
  fetching = true;
  const wanted = status.edition;
  try {
    const response = await fetch("view");
    if (!response.ok) throw new Error(`the server says ${response.status}`);
    const view = await response.json();
    const first = referee.view.games.length === 0 && view.games.length > 0;
    await referee.show(view);
    if (first) await referee.open(view.games[0].id, 0);
    edition = wanted;
    tick(view.games);
    showPodium();
  } catch {
    // The stream says when the server is there again; until then the page stays as it is.
    setTimeout(update, RETRY_MS);
    return;
  } finally {
    fetching = false;
  }
  update();
}

/** Tells the latest results. */
function tick(games) {
  const fresh = games.filter((game) => !known.has(game.id));
  known = new Set(games.map((game) => game.id));
  const { agents } = referee.view;
  for (const game of fresh.slice(-TICKED)) {
    const side = (which, won) => element("bdi", { class: won ? "cut winner" : "cut" }, agents[game[which]].name);
    ticker.prepend(element("li", {}, element("a", { href: address(game.id, "last") }, game.id),
      side("black", game.score === "1-0"), element("span", { class: "score" }, game.score), side("white", game.score === "0-1")));
  }
  while (ticker.children.length > TICKED) ticker.lastChild.remove();
}

// ---- The stream ----

function listen() {
  const stream = new EventSource("events");
  const on = (name, act) => stream.addEventListener(name, (event) => act(JSON.parse(event.data)));
  on("clock", (time) => {
    ahead = time - Date.now();
    now.dataset.link = "up";
    // Another server may count its editions anew.
    edition = null;
    tell();
  });
  on("games", (ids) => [...scenes.keys()].filter((id) => !ids.includes(id)).forEach(lose));
  on("game", take);
  on("gone", lose);
  on("status", (newer) => {
    status = newer;
    tell();
    arrange();
    update();
  });
  stream.addEventListener("error", () => {
    now.dataset.link = "lost";
    tell();
    // The browser tries again by itself, but not where the server has refused.
    if (stream.readyState === EventSource.CLOSED) setTimeout(listen, RETRY_MS);
  });
}

document.addEventListener("visibilitychange", update);
setInterval(() => {
  for (const scene of scenes.values()) if (scene.placed !== null) scene.card?.tick();
}, calm.matches ? 1000 : 100);
setInterval(arrange, 1000);
listen();
