"use strict";
// Shows the view model of src/report/view.rs. It knows no rules: every board of every game is in the model.
//
// Whatever comes from the model is set as text, never as markup: `element` and `drawn` are the only ways in which
// anything gets onto the page. The policy of the page forbids all other scripts and every request.

const view = JSON.parse(document.getElementById("data").textContent);
const SVG = document.querySelector("template").content.querySelector("svg").namespaceURI;
const SIDES = ["black", "white"];
const STEP_MS = 700;

/** An element with attributes and children; texts become text, and `null` nothing. */
function element(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

/** The same for a part of a drawing. */
function drawn(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

function filled(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) if (value !== null) made.setAttribute(name, value);
  made.append(...children.flat(Infinity).filter((child) => child !== null));
  return made;
}

/** A time in seconds with two decimals, from microseconds. */
const clock = (us) => `${(us / 1e6).toFixed(2)} s`;
/** A shorter time in the unit that suits it. */
const brief = (us) => (us >= 1e6 ? `${(us / 1e6).toFixed(2)} s` : `${(us / 1e3).toFixed(1)} ms`);
const signed = (number) => (number > 0 ? "+" : "") + Math.round(number);
const counted = (number, thing) => `${number} ${thing}${number === 1 ? "" : "s"}`;
const address = (game, ply) => `#game=${encodeURIComponent(game.id)}&ply=${ply}`;
const agentAddress = (index) => `#agent=${index}`;

/** A name, cut by the style where it is too long for its place; the whole of it is in the text. */
const named = (index) => element("span", { class: "cut" }, view.agents[index].name);
const linked = (index) => element("a", { href: agentAddress(index) }, named(index));

/**
 * A table with a caption. A column is its title, or `{title, kind}` with `number`, `name` or `text` as the kind; the
 * first column of kind `name` heads the rows.
 */
function table(caption, columns, rows) {
  const all = columns.map((column) => (typeof column === "string" ? { title: column, kind: null } : column));
  const header = all.findIndex(({ kind }) => kind === "name");
  const head = all.map(({ title, kind }) => element("th", { scope: "col", class: kind }, title));
  const body = rows.map((cells) =>
    element("tr", {}, cells.map((cell, column) =>
      column === header
        ? element("th", { scope: "row", class: "name" }, cell)
        : element("td", { class: all[column].kind }, cell))));
  return element("div", { class: "wide" },
    element("table", {},
      element("caption", {}, caption), element("thead", {}, element("tr", {}, head)), element("tbody", {}, body)));
}

/** A sentence, with what stands between backticks set as code. */
function prose(text) {
  const parts = text.split("`");
  return parts.length % 2 === 0 ? [text] : parts.map((part, at) => (at % 2 === 0 ? part : element("code", {}, part)));
}

const number = (title) => ({ title, kind: "number" });
const name = (title) => ({ title, kind: "name" });
const text = (title) => ({ title, kind: "text" });

/** A section of the page, named in the contents. */
function section(id, title, ...children) {
  document.getElementById("contents").append(element("a", { href: `#${id}` }, title));
  const made = element("section", { id, "aria-labelledby": `${id}-title` },
    element("h2", { id: `${id}-title` }, title), ...children);
  document.getElementById("main").append(made);
  return made;
}

// ---- Head ----

function showHead() {
  document.title = view.title;
  document.getElementById("title").textContent = view.title;
  document.getElementById("run").textContent = view.run === null ? "" : `run ${view.run}`;
  const facts = view.facts.flatMap((fact) => [element("dt", {}, fact.name), element("dd", {}, fact.value)]);
  document.getElementById("main").append(element("dl", {}, facts));
}

// ---- Standings, crosstable, rounds ----

/** The lowest and the highest end of all intervals, for a common scale. */
function ratingScale() {
  const ratings = view.agents.map((agent) => agent.rating).filter(Boolean);
  return ratings.length === 0 ? null : { low: Math.min(...ratings.map((r) => r.low)), high: Math.max(...ratings.map((r) => r.high)) };
}

function errorBar(rating, scale) {
  const place = (elo) => 4 + (92 * (elo - scale.low)) / Math.max(scale.high - scale.low, 1);
  return drawn("svg", { class: "error-bar", viewBox: "0 0 100 12", preserveAspectRatio: "none", "aria-hidden": "true" },
    drawn("line", { class: "axis", x1: 0, x2: 100, y1: 6, y2: 6 }),
    drawn("line", { class: "range", x1: place(rating.low), x2: place(rating.high), y1: 6, y2: 6 }),
    drawn("rect", { class: "value", x: place(rating.elo) - 0.8, y: 1, width: 1.6, height: 10 }));
}

function showStandings() {
  const scale = ratingScale();
  const rows = view.agents.map((agent, index) => {
    const lost = Object.values(agent.forfeits).reduce((sum, count) => sum + count, 0);
    const rating = agent.rating;
    return [agent.rank, linked(index), agent.points, agent.games, agent.won, agent.drawn, agent.lost, lost,
      rating ? `${Math.round(rating.elo)} (${signed(rating.low - rating.elo)}, ${signed(rating.high - rating.elo)})` : "–",
      rating ? errorBar(rating, scale) : element("span", { class: "faint" }, agent.unrated ?? "")]
      .map((cell) => (typeof cell === "number" ? String(cell) : cell));
  });
  const columns = [number("#"), name("agent"), ...["points", "games", "won", "drawn", "lost", "by fault", "Elo (95 %)"].map(number), text("rating")];
  section("standings", "Standings",
    table("Agents by rank; ratings come with their 95 % intervals", columns, rows),
    element("ul", { class: "remarks" }, view.remarks.map((remark) => element("li", {}, remark))));
}

/** Tables of more agents than this are no longer read by anybody. */
const CROSSTABLE_AGENTS = 60;

function showCrosstable() {
  if (view.agents.length < 3 || view.agents.length > CROSSTABLE_AGENTS) return;
  const rows = view.agents.map((agent, index) => [
    agent.rank, linked(index),
    ...view.agents.map((_, other) => {
      if (other === index) return element("span", { "aria-label": "itself" }, "·");
      const met = agent.against.find((results) => results.agent === other);
      if (!met) return "";
      const games = met.won + met.drawn + met.lost;
      return element("span", { title: `${met.won} won, ${met.drawn} drawn, ${met.lost} lost` }, `${met.won + met.drawn / 2}/${games}`);
    }),
  ]);
  const columns = [number("#"), name("agent"), ...view.agents.map((agent) => number(agent.rank))];
  section("crosstable", "Everybody against everybody",
    table("Points and games of the agent of the row against the one of the column, by rank", columns, rows));
}

function showRounds() {
  if (view.rounds.length === 0) return;
  const meeting = ({ agents, points, games }) =>
    element("li", {},
      agents.map((agent, seat) =>
        element("div", { class: points[seat] > points[1 - seat] ? "row ahead" : "row" }, named(agent), element("span", {}, String(points[seat])))),
      element("small", {}, games.filter((id) => gameIndex.has(id)).map((id) => [element("a", { href: address({ id }, 0) }, id), " "])));
  section("rounds", "Rounds", ...view.rounds.map((round) =>
    element("div", { class: "round" },
      element("h3", {}, `Round ${round.number}`),
      element("ul", { class: "meetings" }, round.meetings.map(meeting)),
      round.byes.length === 0 ? null : element("p", { class: "faint" }, "bye: ", round.byes.map((agent) => view.agents[agent].name).join(", ")))));
}

// ---- Grades ----

function showGrades() {
  if (!view.grades) return;
  const { criteria, students, review } = view.grades;
  const columns = [name("student"), ...criteria.map((criterion) => number(`${criterion.title} (${criterion.of})`)), number("total"), text("remark")];
  const rows = students.map((student) => [student.name, ...student.earned, `${student.points} / ${student.of}`, student.state]);
  const made = section("grades", "Grades", table("Points of each student by the parts of the grade", columns, rows));
  if (review.length > 0) {
    made.append(element("h3", {}, "For review"),
      element("p", { class: "faint" }, "Results that decided a point and hang on the way in which time is measured."),
      element("ul", {}, review.map((line) => element("li", {}, prose(line)))));
  }
  made.append(element("h3", {}, "Point by point"));
  for (const student of students) made.append(studentDetails(student));
}

function studentDetails(student) {
  const rows = () => student.items.map((item) => [
    gameIndex.has(item.game) ? element("a", { href: address({ id: item.game }, "last") }, item.title) : item.title,
    `${item.points} / ${item.of}`, prose(item.reason)]);
  return later(element("summary", {}, `${student.name}: ${student.points} of ${student.of}`), () => [
    table("Every item with its points and the reason", [name("item"), number("points"), text("reason")], rows())]);
}

/** Details whose inside is made when they are first opened: a large run has many that nobody opens. */
function later(summary, inside, open = false) {
  const details = element("details", {}, summary);
  const fill = () => {
    if (details.open && details.children.length === 1) details.append(...inside());
  };
  details.addEventListener("toggle", fill);
  details.open = open;
  fill();
  return details;
}

// ---- Agents ----

const OPEN_AGENTS = 4;

function showAgents() {
  const made = section("agents", "Agents");
  view.agents.forEach((agent, index) => {
    const summary = element("summary", {},
      element("strong", {}, agent.name), agent.role ? ` (${agent.role})` : "",
      ` · ${counted(agent.games, "game")}, ${agent.won} won, ${agent.drawn} drawn, ${agent.lost} lost`);
    const details = later(summary, () => agentInside(agent, index), view.agents.length <= OPEN_AGENTS);
    details.id = `agent-${index}`;
    made.append(details);
  });
  for (const { name: rejected, fault } of view.rejected) {
    made.append(element("p", {}, element("strong", {}, rejected), ` could not take part: ${fault}`));
  }
}

function agentInside(agent, index) {
  const parts = agent.remarks?.map((remark) => element("p", { class: "faint" }, remark)) ?? [];
  const forfeits = Object.entries(agent.forfeits);
  if (forfeits.length > 0) {
    parts.push(element("p", {}, "lost by its own fault: ", forfeits.map(([kind, count]) => `${kind} × ${count}`).join(", ")));
  }
  if (agent.close_calls > 0) parts.push(element("p", {}, `${counted(agent.close_calls, "close call")} among its results`));
  const spread = agent.cpu_us;
  if (spread) {
    const cells = [spread.least, spread.quarter, spread.median, spread.three_quarters, spread.most_but_5_percent, spread.most];
    parts.push(
      table(`CPU time of a move, over ${counted(spread.count, "move")}`,
        ["least", "25 %", "median", "75 %", "95 %", "most"].map(number), [cells.map(brief)]),
      bars(agent.cpu_us_by_move));
  }
  const games = view.games.filter((game) => game.black === index || game.white === index);
  if (games.length > 0) parts.push(element("h3", {}, "Games"), element("ol", { class: "games-of" }, games.map((game) => gameItem(game, index))));
  return parts;
}

function gameItem(game, index) {
  const other = game.black === index ? game.white : game.black;
  const score = game.score === "½-½" ? "drawn" : (game.score === "1-0") === (game.black === index) ? "won" : "lost";
  return element("li", {}, element("a", { href: address(game, 0) }, game.id), ` ${score} against `, view.agents[other].name);
}

/** The mean time of the first move, the second, and so on. */
function bars(means) {
  const most = Math.max(...means, 1);
  return element("figure", { class: "chart" },
    element("figcaption", {}, `CPU time of its first move, its second, and so on, on average; the highest bar is ${brief(most)}`),
    drawn("svg", { class: "bars", viewBox: `0 0 ${means.length} 100`, preserveAspectRatio: "none", "aria-hidden": "true" },
      means.map((us, at) => drawn("rect", { class: "black", x: at + 0.1, width: 0.8, y: 100 - (95 * us) / most, height: (95 * us) / most }))));
}

// ---- Games ----

const gameIndex = new Map(view.games.map((game, index) => [game.id, index]));

/** A game with all its boards and clocks: what a packed game stands for. */
function unpacked(game) {
  const board = Array(view.board.size ** 2).fill(".");
  const boards = game.boards.split("|").map((difference) => {
    const changed = [];
    for (const group of difference.split(" ").filter(Boolean)) {
      const [piece, squares] = group.split(":");
      for (let at = 0; at < squares.length; at += 2) {
        const square = parseInt(squares.slice(at, at + 2), 36);
        board[square] = piece;
        changed.push(square);
      }
    }
    return { cells: board.slice(), changed };
  });
  const left = { ...game.play_time_us };
  const clocks = [{ ...left }];
  const sides = [...game.sides].map((letter) => (letter === "b" ? "black" : "white"));
  sides.forEach((side, turn) => {
    left[side] = Math.max(0, left[side] - game.charged_us[turn]);
    clocks.push({ ...left });
  });
  return { game, boards, clocks, sides, moves: game.sides === "" ? [] : game.moves.split("|"), last: boards.length - 1 };
}

/** A side of a game in words: the agent and its colour. */
const player = (game, side) => `${view.agents[game[side]].name} (${view.board.sides[side]})`;

function moveWords(move) {
  if (move === "-") return "passes";
  return move === "" ? "no legal move" : move;
}

function showGames() {
  const made = section("games", "Games");
  if (view.games.length === 0) {
    made.append(element("p", {}, "No game is finished yet."));
    return null;
  }
  const replay = new Replay(document.getElementById("replay-template").content.firstElementChild.cloneNode(true));
  const rows = view.games.map((game) => [
    element("a", { href: address(game, 0) }, game.id), named(game.black), named(game.white),
    game.score, String(game.charged_us.length), element("span", { class: "cut" }, prose(game.verdict))]);
  const list = table(`${counted(view.games.length, "game")} of ${view.planned}, each to be stepped through`,
    [name("game"), name(view.board.sides.black), name(view.board.sides.white), number("result"), number("turns"), text("how it ended")], rows);
  list.classList.add("scroll");
  list.tabIndex = 0;
  replay.rows = [...list.querySelectorAll("tbody tr")];
  made.append(replay.root, list);
  return replay;
}

/** The panel in which a game is stepped through. */
class Replay {
  constructor(root) {
    this.root = root;
    this.timer = null;
    this.rows = [];
    this.part = (selector) => root.querySelector(selector);
    this.slider = this.part("input");
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    for (const button of root.querySelectorAll("button")) {
      button.addEventListener("click", () => this.act(button.dataset.do));
    }
    root.addEventListener("keydown", (event) => this.key(event));
    this.part(".moves").addEventListener("click", (event) => {
      const link = event.target.closest("a");
      if (!link) return;
      event.preventDefault();
      this.act("stop");
      this.go(Number(link.dataset.ply));
    });
    for (const chart of root.querySelectorAll(".chart svg")) {
      chart.addEventListener("click", (event) => {
        const box = chart.getBoundingClientRect();
        this.go(Math.round(((event.clientX - box.left) / box.width) * this.shown.last + 0.5));
      });
    }
    drawBoard(this.part(".board"));
  }

  /** Shows a game at a turn; `last` is the last one. */
  open(index, ply) {
    this.act("stop");
    const game = view.games[index];
    this.index = index;
    this.shown = unpacked(game);
    this.slider.max = this.shown.last;
    this.part(".pairing").textContent = `${game.id}: ${player(game, "black")} – ${player(game, "white")}, ${game.score}`;
    this.part(".verdict").replaceChildren(...prose(game.verdict));
    this.part(".ending").replaceChildren(...endingParts(game));
    this.part(".moves").replaceChildren(...this.shown.moves.map((move, turn) => moveEntry(this.shown, move, turn + 1)));
    drawCharts(this.shown, ...this.root.querySelectorAll(".chart"));
    this.neighbour(".before", index - 1);
    this.neighbour(".after", index + 1);
    this.rows.forEach((row, at) => row.classList.toggle("current", at === index));
    this.go(ply === "last" ? this.shown.last : ply, { told: false });
  }

  neighbour(selector, index) {
    const link = this.part(selector);
    const game = view.games[index];
    link.hidden = !game;
    if (game) link.href = address(game, 0);
  }

  /** Shows the board after so many turns. */
  go(ply, { told = true } = {}) {
    const { game, boards, clocks, sides, last } = this.shown;
    this.ply = Math.min(Math.max(ply || 0, 0), last);
    placePieces(this.part(".board"), boards[this.ply], this.ply > 0);
    const next = this.ply < last ? sides[this.ply] : null;
    for (const side of SIDES) {
      const panel = this.part(`.clock[data-side="${side}"]`);
      panel.classList.toggle("to-move", side === next);
      panel.querySelector(".who").textContent = player(game, side);
      const time = panel.querySelector(".time");
      time.textContent = `${clock(clocks[this.ply][side])} left`;
      time.dataset.us = clocks[this.ply][side];
    }
    this.slider.value = this.ply;
    this.slider.setAttribute("aria-valuetext", this.sentence());
    this.part(".live").textContent = this.sentence();
    this.part(".board").setAttribute("aria-label", `board after ${counted(this.ply, "turn")}`);
    this.markMove();
    for (const line of this.root.querySelectorAll(".now")) {
      line.setAttribute("x1", this.ply - 0.5);
      line.setAttribute("x2", this.ply - 0.5);
    }
    // Replaced, not added: one step back leaves the game, as a reader expects.
    if (told) history.replaceState(null, "", address(game, this.ply));
  }

  /** What has just happened, in words. */
  sentence() {
    const { game, sides, moves, last } = this.shown;
    if (this.ply === 0) return `start of ${counted(last, "turn")}`;
    const side = sides[this.ply - 1];
    const move = `turn ${this.ply}: ${player(game, side)} ${moveWords(moves[this.ply - 1])} (${brief(game.charged_us[this.ply - 1])})`;
    return this.ply === last ? `${move}; ${game.verdict}` : move;
  }

  markMove() {
    const list = this.part(".moves");
    list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const now = list.querySelector(`[data-ply="${this.ply}"]`);
    if (!now) {
      list.scrollTop = 0;
      return;
    }
    now.setAttribute("aria-current", "step");
    // Not `scrollIntoView`, which would move the page, too.
    list.scrollTop = now.offsetTop - list.clientHeight / 2;
  }

  act(what) {
    const playing = this.timer !== null;
    if (what === "play" && !playing) {
      if (this.ply === this.shown.last) this.go(0);
      this.timer = setInterval(() => {
        this.go(this.ply + 1);
        if (this.ply === this.shown.last) this.act("stop");
      }, STEP_MS);
    } else if (playing) {
      clearInterval(this.timer);
      this.timer = null;
    }
    const button = this.part("[data-do=play]");
    button.textContent = this.timer === null ? "▶ play" : "❚❚ pause";
    button.setAttribute("aria-label", this.timer === null ? "Play" : "Pause");
    const steps = { first: 0, previous: this.ply - 1, next: this.ply + 1, last: this.shown?.last };
    if (what in steps) this.go(steps[what]);
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const keys = { ArrowLeft: "previous", ArrowDown: "next", ArrowUp: "previous", ArrowRight: "next", Home: "first", End: "last", " ": "play" };
    const what = keys[event.key];
    // Space on a button or a link is that button's business, and a list scrolls with the upright arrows.
    const upright = event.key === "ArrowUp" || event.key === "ArrowDown";
    const own = event.key === " " ? event.target.closest("button, a") : upright && event.target !== this.slider;
    if (!what || own) return;
    event.preventDefault();
    this.act(what);
  }
}

function moveEntry(shown, move, ply) {
  const side = shown.sides[ply - 1];
  return element("li", {},
    element("a", { href: address(shown.game, ply), "data-ply": ply, title: `${player(shown.game, side)}, ${brief(shown.game.charged_us[ply - 1])}` },
      element("span", { class: "turn" }, `${ply}.`), element("span", {}, move === "-" ? "pass" : moveWords(move))));
}

/** Why a game was lost, with the exact answer, and why it deserves a second look. */
function endingParts(game) {
  const parts = (game.close_calls ?? []).map((call) => element("p", { class: "close-call" }, "close call: ", prose(call)));
  const ending = game.ending;
  if (!ending) return parts;
  const list = (title, lines) =>
    lines.length === 0 ? [] : [element("h4", {}, title), ...lines.map((line) => element("p", {}, prose(line)))];
  parts.push(...list("what happened", ending.happened));
  if (ending.output.length > 0) parts.push(element("pre", { tabindex: 0 }, ending.output.join("\n").trimEnd()));
  parts.push(...list("rule", ending.rules), ...list("hint", ending.hints));
  if (ending.legal.length > 0) {
    parts.push(element("h4", {}, `legal: ${counted(ending.legal_count, "move")}, such as`), element("pre", {}, ending.legal.join("\n")));
  }
  if (ending.program !== "") parts.push(...list("program", [ending.program]));
  if (ending.stderr.length > 0) parts.push(element("h4", {}, "the end of its standard error"), element("pre", { tabindex: 0 }, ending.stderr.join("\n")));
  return parts;
}

// ---- Boards ----

/** Squares and labels of the empty board; pieces come and go in a layer above. */
function drawBoard(svg) {
  const { game, size, columns, rows, squares, camps } = view.board;
  svg.setAttribute("viewBox", `-0.6 0 ${size + 0.6} ${size + 0.6}`);
  svg.dataset.game = game;
  const chequered = game === "checkers" || game === "star-circle";
  const kind = (square) => {
    const camp = camps && SIDES.find((side) => camps[side].includes(square));
    if (camp) return `plain camp-${camp}`;
    if (!chequered) return "plain";
    return (Math.floor(square / size) + (square % size)) % 2 === 0 ? "light" : "dark";
  };
  svg.append(
    ...squares.map((square, index) =>
      drawn("rect", { class: `square ${kind(index)}`, x: index % size, y: Math.floor(index / size), width: 1, height: 1, "data-square": square, "data-piece": "." })),
    ...columns.map((label, at) => drawn("text", { class: "coordinate", x: at + 0.5, y: size + 0.42 }, label)),
    ...rows.map((label, at) => drawn("text", { class: "coordinate", x: -0.3, y: at + 0.62 }, label)),
    drawn("g", { class: "pieces" }));
}

function placePieces(svg, { cells, changed }, marked) {
  const { size } = view.board;
  const layer = [];
  svg.querySelectorAll(".square").forEach((square, index) => {
    square.dataset.piece = cells[index];
    const [x, y] = [index % size, Math.floor(index / size)];
    if (cells[index] !== ".") layer.push(piece(cells[index], x + 0.5, y + 0.5));
    if (marked && changed.includes(index)) layer.push(drawn("rect", { class: "changed", x: x + 0.04, y: y + 0.04, width: 0.92, height: 0.92 }));
  });
  svg.querySelector(".pieces").replaceChildren(...layer);
}

/** A piece: its letter says what it is, a number behind it how many stand there. */
function piece(cell, x, y) {
  const { side, shape } = view.board.pieces[cell[0]];
  const count = Number(cell.slice(1) || 1);
  const body = shape === "star"
    ? drawn("path", { class: `piece ${side}`, d: star(x, y) })
    : drawn("circle", { class: `piece ${side}`, cx: x, cy: y, r: 0.39 });
  const rim = shape === "star" ? null : drawn("circle", { class: `rim ${side}`, cx: x, cy: y, r: 0.29 });
  const crown = shape === "king"
    ? drawn("path", { class: "crown", d: `M${x - 0.22} ${y + 0.16}L${x - 0.24} ${y - 0.13}L${x - 0.1} ${y}L${x} ${y - 0.19}L${x + 0.1} ${y}L${x + 0.24} ${y - 0.13}L${x + 0.22} ${y + 0.16}Z` })
    : null;
  const height = count > 1 ? drawn("text", { class: `count ${side}`, x, y: y + 0.15 }, String(count)) : null;
  return drawn("g", {}, body, rim, crown, height);
}

/** A star of five points around a place. */
function star(x, y) {
  const points = Array.from({ length: 10 }, (_, at) => {
    const [angle, radius] = [(Math.PI * at) / 5 - Math.PI / 2, at % 2 === 0 ? 0.47 : 0.24];
    return `${(x + radius * Math.cos(angle)).toFixed(3)} ${(y + 0.03 + radius * Math.sin(angle)).toFixed(3)}`;
  });
  return `M${points.join("L")}Z`;
}

// ---- Charts ----

const key = (game, side) => [element("span", { class: `key ${side}` }), player(game, side)];

/** CPU time of each turn, and what both clocks have left after it. */
function drawCharts(shown, used, left) {
  const { game, clocks, sides, last } = shown;
  const most = Math.max(...game.charged_us, 1);
  const full = Math.max(...SIDES.map((side) => game.play_time_us[side]), 1);
  const bar = (us, at) => drawn("rect", { class: sides[at], x: at + 0.1, width: 0.8, y: 100 - (95 * us) / most, height: (95 * us) / most });
  const course = (side) => drawn("path", { class: side, d: "M" + clocks.map((now, at) => `${at} ${(100 - (95 * now[side]) / full).toFixed(2)}`).join("L") });
  chart(used, last, [`CPU time of each turn, at most ${brief(most)}`, key(game, "black"), key(game, "white")], game.charged_us.map(bar));
  chart(left, last, [`Remaining time, of ${clock(full)}`], SIDES.map(course));
}

function chart(figure, last, caption, parts) {
  figure.querySelector("figcaption").replaceChildren(...caption.flat());
  const svg = figure.querySelector("svg");
  svg.setAttribute("viewBox", `0 0 ${Math.max(last, 1)} 100`);
  svg.setAttribute("preserveAspectRatio", "none");
  svg.replaceChildren(...parts, drawn("line", { class: "now", x1: 0, x2: 0, y1: 0, y2: 100 }));
}

// ---- Addresses ----

/** Goes where the address of the page says: `#game=ID&ply=N`, `#agent=N`, or a section, which the browser finds itself. */
function follow(replay) {
  const wanted = new URLSearchParams(location.hash.slice(1));
  const index = gameIndex.get(wanted.get("game"));
  const agent = document.getElementById(`agent-${wanted.get("agent")}`);
  if (replay && index !== undefined) {
    const ply = wanted.get("ply");
    replay.open(index, ply === "last" ? ply : Number.parseInt(ply, 10));
    document.getElementById("games").scrollIntoView();
    replay.root.focus({ preventScroll: true });
  } else if (agent) {
    agent.open = true;
    agent.scrollIntoView();
  }
}

showHead();
showGrades();
if (!view.grades) {
  showStandings();
  showCrosstable();
}
showRounds();
const replay = showGames();
showAgents();
replay?.open(0, 0);
follow(replay);
window.addEventListener("hashchange", () => follow(replay));
// On paper nothing can be opened any more.
window.addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((details) => (details.open = true)));
