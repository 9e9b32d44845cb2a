
// ---- The parts of the page, and how they are kept up to date ----

/** Each part: what it is made from, `null` where there is nothing to show, and how it is made. */
const PARTS = [
  { id: "grades", title: "Grades", from: ({ grades, games }) => grades && [grades, games.map((game) => game.id)], make: grades },
  { id: "standings", title: "Standings", from: ({ grades, agents, remarks }) => (grades || ranked().length === 0 ? null : [agents, remarks]), make: standings },
  { id: "rounds", title: "Rounds", from: ({ rounds, brackets, agents, games }) => (rounds.length === 0 ? null : [rounds, brackets, agents.map((agent) => agent.name), games.map((game) => game.id)]), make: rounds },
  { id: "crosstable", title: "Everybody against everybody", from: ({ grades, agents }) => (grades || ranked().length < 3 ? null : agents), make: crosstable },
  { id: "games", title: "Games", from: ({ games, agents, planned }) => [games, agents.map((agent) => agent.name), planned], make: games },
  { id: "agents", title: "Agents", from: ({ agents, rejected }) => (ranked().length + rejected.length === 0 ? null : [agents, rejected]), make: agents },
  { id: "conditions", title: "Conditions", from: ({ facts }) => facts, make: conditions },
];

/** The sections with what they were made from. */
const made = new Map();
let replay = null;

/** The replay stays in its place; the list below it is made anew. */
function games() {
  if (referee.view.games.length === 0) return [element("p", {}, "No game is finished yet.")];
  replay ??= new Replay(document.getElementById("replay-template").content.firstElementChild.cloneNode(true));
  return [filters(), element("div", { class: "game-list" })];
}

function draw() {
  const { view } = referee;
  gameIndex = new Map(view.games.map((game, index) => [game.id, index]));
  document.title = view.title;
  document.getElementById("title").textContent = view.title;
  document.getElementById("run").replaceChildren(...headline(view));
  for (const part of PARTS) {
    const from = JSON.stringify(part.from(view) ?? null);
    const old = made.get(part.id);
    if (old?.from === from) continue;
    const { section, body } = old ?? newSection(part);
    made.set(part.id, { from, section, body });
    section.hidden = from === "null";
    body.replaceChildren(...(section.hidden ? [] : part.make()));
    if (part.id === "games" && replay) {
      if (!replay.root.isConnected) body.before(replay.root);
      drawList();
    }
  }
  const shown = PARTS.filter(({ id }) => !made.get(id).section.hidden);
  document.getElementById("contents").replaceChildren(...shown.map(({ id, title }) => element("a", { href: `#${id}` }, title)));
}

/** Whose page it is, and what was played, in one line. */
function headline({ subject, run, facts }) {
  const whose = subject ? ["the page of ", element("bdi", { class: "cut" }, subject)] : run === null ? [] : [`run ${run}`];
  const said = facts.filter(({ name }) => ["game", "games", "clock"].includes(name)).map(({ name, value }) => (name === "games" ? `${value.replace(" finished", " games finished")}` : value));
  return [...whose, `${whose.length > 0 ? " · " : ""}${said.join(" · ")}`];
}

function newSection({ id, title }) {
  const body = element("div", { class: "body" });
  const section = element("section", { id, "aria-labelledby": `${id}-title` }, element("h2", { id: `${id}-title` }, title), body);
  document.getElementById("main").append(section);
  return { section, body };
}

/** What an element can be found by once it is made anew. */
function mark(node) {
  const home = node?.closest("section[id]");
  if (!home || replay?.root.contains(node)) return null;
  const key = node.closest("[data-key]")?.dataset.key ?? "";
  const own = node.getAttribute("href") ?? node.id;
  return { home: home.id, words: `${node.tagName} ${key} ${own} ${node.dataset.keep ?? ""}` };
}

function marked({ home, words }) {
  const all = document.getElementById(home).querySelectorAll("a, button, summary, select, [tabindex]");
  return [...all].find((node) => mark(node)?.words === words);
}

/** Does `change`, and brings the reader back to where the page was. */
function keepingPlace(change) {
  const focus = mark(document.activeElement);
  const scrolled = [...document.querySelectorAll("[data-keep]")].map((box) => [box.dataset.keep, box.scrollLeft, box.scrollTop]);
  // What the reader looks at: the replay where it is in sight, else the section at a third of the window.
  const inSight = (node) => node && node.getBoundingClientRect().top < innerHeight / 3 && node.getBoundingClientRect().bottom > innerHeight / 3;
  const anchor = [replay?.root, ...document.querySelectorAll("main > section")].find(inSight);
  const top = anchor?.getBoundingClientRect().top;
  change();
  for (const [label, left, down] of scrolled) {
    const box = [...document.querySelectorAll("[data-keep]")].find((box) => box.dataset.keep === label);
    if (box) [box.scrollLeft, box.scrollTop] = [left, down];
  }
  if (focus) marked(focus)?.focus({ preventScroll: true });
  if (anchor && scrollY > 0) scrollBy({ top: anchor.getBoundingClientRect().top - top, behavior: "instant" });
}

referee.show = async (view) => {
  const nameOf = (index) => referee.view.agents[index]?.name;
  const wanted = [listed.agent === "" ? undefined : nameOf(Number(listed.agent)), ...(listed.pair ?? []).map(nameOf)];
  const [agent, ...pair] = wanted.map((wanted) => view.agents.findIndex(({ name }) => name === wanted));
  keepingPlace(() => {
    referee.view = view;
    listed.agent = agent < 0 ? "" : String(agent);
    listed.pair = listed.pair && !pair.includes(-1) ? pair : null;
    draw();
  });
  await replay?.refresh();
};

referee.open = async (id, ply) => replay?.open(id, ply);

/** Goes where the address of the page says: `#game=ID&ply=N`, `#agent=N`, or a section. */
async function follow() {
  const wanted = new URLSearchParams(location.hash.slice(1));
  const id = wanted.get("game");
  const agent = document.getElementById(`agent-${wanted.get("agent")}`);
  if (replay && gameIndex.has(id)) {
    const ply = wanted.get("ply");
    document.getElementById("games").scrollIntoView();
    replay.root.focus({ preventScroll: true });
    await replay.open(id, ply === "last" ? ply : Number.parseInt(ply, 10));
    return;
  }
  if (agent) {
    agent.open = true;
    agent.scrollIntoView();
  } else if (!replay?.wanted) {
    // The browser has looked for the section before it was there.
    document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }
  if (replay && !replay.wanted) await replay.open(referee.view.games[0].id, 0);
}

draw();
follow();
window.addEventListener("hashchange", follow);
// On paper nothing can be opened any more.
window.addEventListener("beforeprint", () => {
  document.querySelectorAll("#crosstable details, #grades details").forEach((details) => (details.open = true));
});
