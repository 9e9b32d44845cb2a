
// ---- Playing ----

const part = (selector) => document.querySelector(selector);
const svg = part(".board");
const other = (side) => (side === "black" ? "white" : "black");
const sideWords = (side) => setting.board.sides[side];

/** What the server has told last, with when that was. */
let state = null;
let heardAt = 0;
/** The squares picked so far, and what may be picked next; `root` is what may be picked first. */
let picked = [];
let picking = null;
let root = null;
/** The square that the keys are at. */
let at = 0;

const asking = () => (state.phase.is === "asking" ? state.phase.question : null);
const nameOf = (side) => `${side === state.own ? setting.person : setting.agent} (${sideWords(side)})`;
const squareAt = (index) => setting.board.squares[index];
const indexOf = (square) => setting.board.squares.indexOf(square);
const targetAt = (square) => picking?.targets.find((target) => target.way.at(-1) === square);

// ---- The server ----

async function ask(address) {
  const response = await fetch(address, { cache: "no-store" });
  if (!response.ok) throw new Error((await response.text()).trim());
  return response.json();
}

async function act(address, what) {
  const response = await fetch(address, { method: "POST", body: JSON.stringify({ token: setting.token, ...what }) });
  if (!response.ok) throw new Error((await response.text()).trim());
}

/** Follows the game for as long as the page is open. */
async function follow() {
  for (;;) {
    try {
      const after = state === null ? "" : `?after=${state.version}`;
      await take(await ask(`/state${after}`));
    } catch (error) {
      say(`The server does not answer (${error.message}). Is it still running?`, true);
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }
}

async function take(newer) {
  const before = state;
  [state, heardAt] = [newer, performance.now()];
  const isNew = before === null || asking() !== (before.phase.is === "asking" ? before.phase.question : null);
  if (isNew) {
    [picked, picking, root] = [[], null, null];
    delete part("#table").dataset.ready;
  }
  if (before === null || before.version !== state.version) tell(before);
  show();
  if (asking() !== null && root === null) {
    const question = asking();
    const first = await ask(`/picking?question=${question}`);
    if (asking() !== question) return;
    [root, picking] = [first, first];
    show();
    part("#table").dataset.ready = question;
  }
}

// ---- Picking ----

/** Picks a square, or lets go of what was picked. */
async function pick(square) {
  if (asking() === null || root === null) return;
  const target = targetAt(square);
  const byJumps = part("#by-jumps input").checked;
  if (target) {
    const way = [...picked, ...target.way];
    if (target.ends && !(byJumps && target.goes_on && picked.length > 0)) return play(way);
    return hold(way);
  }
  if (picking.answer !== null && picked.at(-1) === square) return play(picked);
  const isFirst = root.targets.some((target) => target.way.at(-1) === square);
  return hold(isFirst && picked[0] !== square ? [square] : []);
}

/** Takes these squares in hand. */
async function hold(squares) {
  const question = asking();
  try {
    const next = squares.length === 0 ? root : await ask(`/picking?question=${question}&picked=${squares.join("~")}`);
    if (asking() !== question) return;
    [picked, picking] = [squares, next];
    show();
    guide();
  } catch (error) {
    say(error.message, true);
  }
}

async function play(squares) {
  const question = asking();
  try {
    delete part("#table").dataset.ready;
    await act("/move", { question, picked: squares });
  } catch (error) {
    say(error.message, true);
    await hold([]);
  }
}

// ---- Words ----

function say(text, isBad = false) {
  const said = part("#said");
  said.textContent = text;
  said.classList.toggle("bad", isBad);
}

/** What has happened since the last time. */
function tell(before) {
  const news = before && before.id === state.id ? state.turns.slice(before.turns.length) : state.turns.slice(-1);
  const words = news.filter((turn) => turn.side !== state.own || turn.is_pass).map((turn) => {
    const name = turn.side === state.own ? "You have" : `${setting.agent} has`;
    if (turn.is_pass) return `${name} no legal move and ${turn.side === state.own ? "pass" : "passes"}.`;
    return turn.move === null ? "" : `${setting.agent} plays ${turn.move}.`;
  });
  const phase = {
    "ready": "Choose your side and begin.",
    "beginning": "The agent takes its seat.",
    "thinking": `${setting.agent} is thinking.`,
    "asking": `Your move: you have ${sideWords(state.own)}.`,
    "over": "The game is over.",
    "left": "You have left the game; it is not recorded.",
    "broken": `The game broke, through no fault of yours or the agent's: ${state.phase.reason}`,
  }[state.phase.is];
  say([...words, phase].filter(Boolean).join(" "), state.phase.is === "broken");
}

/** What the squares in hand can become. */
function guide() {
  if (picked.length === 0) return say(`Your move: you have ${sideWords(state.own)}.`);
  const ends = picking.targets.filter((target) => target.ends).map((target) => target.way.at(-1));
  const on = picking.targets.filter((target) => !target.ends).map((target) => target.way.at(-1));
  const parts = [
    ends.length > 0 ? `to ${ends.join(", ")}` : "",
    on.length > 0 ? `over ${on.join(", ")}` : "",
    picking.answer !== null ? "or ends here" : "",
  ];
  say(`${picked.join(" ")}: ${parts.filter(Boolean).join("; ")}`);
}

// ---- The page ----

/** A move that is a word and no square, such as a pass. */
function wordOnOffer() {
  return root?.targets.find((target) => indexOf(target.way.at(-1)) < 0);
}

/** The board with what is in hand on its way. */
function cellsInHand() {
  const cells = [...state.cells];
  if (picked.length < 2) return cells;
  const [from, to] = [indexOf(picked[0]), indexOf(picked.at(-1))];
  const size = setting.board.size;
  const moved = cells[from];
  cells[from] = ".";
  if (setting.board.captures) {
    picked.slice(1).forEach((square, step) => {
      const [a, b] = [indexOf(picked[step]), indexOf(square)];
      const [x, y] = [((a % size) + (b % size)) / 2, (Math.floor(a / size) + Math.floor(b / size)) / 2];
      if (Number.isInteger(x) && Number.isInteger(y)) cells[y * size + x] = ".";
    });
  }
  cells[to] = moved;
  return cells;
}

function show() {
  const { phase, own } = state;
  const cells = cellsInHand();
  part("#table").dataset.phase = phase.is;
  placePieces(svg, { cells, changed: state.changed }, picked.length === 0);
  part("#board-words").textContent = boardWords({ cells });
  showHints();
  showSquares(cells);
  showClocks();
  const isAsked = asking() !== null;
  part("#table").dataset.held = picked.join(" ");
  part("#undo").hidden = picked.length === 0;
  part("#finish").hidden = !isAsked || picked.length === 0 || picking?.answer === null;
  part("#by-jumps").hidden = !setting.has_ways || !isAsked;
  const word = isAsked && wordOnOffer();
  part("#word").hidden = !word;
  part("#word").textContent = word ? word.way.at(-1).toLowerCase() : "";
  part("#resign").hidden = !isAsked && phase.is !== "thinking";
  part("#resign").disabled = !isAsked;
  part("#begin").hidden = phase.is === "beginning" || phase.is === "thinking" || isAsked;
  part("#begin button").textContent = phase.is === "ready" ? "begin" : "play again";
  showEnding();
  showMoves(own);
}

/** What may be picked, what is picked, and where the keys are. */
function showHints() {
  const layer = svg.querySelector(".hints");
  const size = setting.board.size;
  const place = (square) => [indexOf(square) % size, Math.floor(indexOf(square) / size)];
  const frame = (square, kind) => {
    const [x, y] = place(square);
    return drawn("rect", { class: kind, x: x + 0.06, y: y + 0.06, width: 0.88, height: 0.88, rx: 0.1 });
  };
  const dot = (square, kind, r) => {
    const [x, y] = place(square);
    return drawn("circle", { class: kind, cx: x + 0.5, cy: y + 0.5, r });
  };
  const onBoard = (target) => indexOf(target.way.at(-1)) >= 0;
  const hints = (picking?.targets ?? []).filter(onBoard).map((target) => {
    const square = target.way.at(-1);
    if (picked.length === 0 && !target.ends) return frame(square, "can");
    return target.ends ? dot(square, "end", 0.17) : dot(square, "on", 0.2);
  });
  if (picked.length > 0) {
    const trail = picked.map((square) => place(square).map((at) => at + 0.5).join(" "));
    hints.push(drawn("path", { class: "trail", d: `M${trail.join("L")}` }), frame(picked.at(-1), "picked"));
  }
  if (svg.contains(document.activeElement) && document.activeElement.matches(":focus-visible")) hints.push(frame(squareAt(at), "focus"));
  layer.replaceChildren(...hints);
}

/** What a square says to those who do not see it, and which of them the tabulator goes to. */
function showSquares(cells) {
  svg.querySelectorAll(".square").forEach((rect, index) => {
    const square = squareAt(index);
    const target = targetAt(square);
    rect.classList.toggle("can", Boolean(target) || (picking?.answer != null && picked.at(-1) === square));
    rect.classList.toggle("end", Boolean(target?.ends));
    rect.setAttribute("tabindex", index === at ? 0 : -1);
    rect.setAttribute("aria-label", [square, pieceWords(cells[index]), target ? targetWords(target) : ""].filter(Boolean).join(", "));
    rect.setAttribute("aria-pressed", picked.at(-1) === square);
  });
}

function pieceWords(cell) {
  if (cell === ".") return "empty";
  const { side, word } = setting.board.pieces[cell[0]];
  const count = cell.length > 1 ? `${cell.slice(1)} ` : "";
  return `${count}${sideWords(side)}${word ? ` ${word}` : ""}`;
}

function targetWords(target) {
  if (picked.length === 0 && !target.ends) return "can move";
  return target.ends ? "a move ends here" : "a move goes on from here";
}

function showClocks() {
  const running = { asking: state.own, thinking: other(state.own) }[state.phase.is];
  const passed = state.elapsed_us + (performance.now() - heardAt) * 1000;
  for (const side of SIDES) {
    const line = part(`.clock[data-side="${side}"]`);
    line.classList.toggle("to-move", running === side);
    line.querySelector(".who").textContent = nameOf(side);
    const left = state.clocks_us[side];
    const isPerson = side === state.own;
    const now = left !== null && running === side && isPerson ? Math.max(0, left - passed) : left;
    const thinks = running === side && !isPerson ? `thinking ${(passed / 1e6).toFixed(0)} s, ` : "";
    line.querySelector(".time").textContent = now === null ? "no clock" : `${thinks}${clock(now)} left`;
  }
}

function showEnding() {
  const ending = part("#ending");
  const { phase } = state;
  ending.hidden = phase.is !== "over";
  if (ending.hidden || ending.dataset.of === state.id) return;
  ending.dataset.of = state.id;
  ending.classList.toggle("lost", phase.winner === other(state.own));
  const outcome = phase.winner === null ? "A draw." : phase.winner === state.own ? "You win!" : "You lose.";
  ending.replaceChildren(
    element("h3", {}, outcome), element("p", { class: "verdict" }, ...prose(phase.verdict)),
    ...phase.close_calls.map((call) => element("p", { class: "close-call" }, call)),
    phase.explanation.length > 0 ? element("pre", {}, phase.explanation.join("\n")) : "",
    element("p", {}, "To see it again: ", element("code", {}, `referee replay ${phase.record}`)));
}

function showMoves() {
  const list = part(".moves");
  const known = list.dataset.of === state.id ? list.children.length : 0;
  if (known === 0) list.replaceChildren();
  if (known > state.turns.length) return;
  list.dataset.of = state.id;
  list.append(...state.turns.slice(known).map((turn) =>
    element("li", { "data-side": turn.side },
      element("span", { class: `key ${turn.side}`, role: "img", "aria-label": sideWords(turn.side) }),
      turn.is_pass ? "passes" : turn.move ?? "no legal move")));
  if (known < state.turns.length) list.scrollTop = list.scrollHeight;
}

// ---- Hands and keys ----

svg.addEventListener("click", (event) => {
  const rect = event.target.closest(".square");
  if (!rect) return;
  at = indexOf(rect.dataset.square);
  rect.focus({ preventScroll: true });
  pick(rect.dataset.square);
});

svg.addEventListener("keydown", (event) => {
  const size = setting.board.size;
  const [x, y] = [at % size, Math.floor(at / size)];
  const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if (steps[event.key]) {
    const [dx, dy] = steps[event.key];
    const clamp = (value) => Math.min(size - 1, Math.max(0, value));
    at = clamp(y + dy) * size + clamp(x + dx);
    svg.querySelectorAll(".square")[at].focus();
  } else if (event.key === "Enter" || event.key === " ") {
    pick(squareAt(at));
  } else if (event.key === "Backspace") {
    hold(picked.slice(0, -1));
  } else if (event.key === "Escape") {
    hold([]);
  } else return;
  event.preventDefault();
});
svg.addEventListener("focusin", () => {
  showHints();
  showSquares(cellsInHand());
});
svg.addEventListener("focusout", () => showHints());

part("#undo").addEventListener("click", () => hold(picked.slice(0, -1)));
part("#finish").addEventListener("click", () => play(picked));
/** Resigning takes a second click, soon after the first. */
part("#word").addEventListener("click", () => play(wordOnOffer().way));
part("#resign").addEventListener("click", (event) => {
  const button = event.currentTarget;
  const forget = () => {
    delete button.dataset.sure;
    button.textContent = "resign";
  };
  if (button.dataset.sure !== undefined) {
    forget();
    act("/resign", { question: asking() }).catch((error) => say(error.message, true));
    return;
  }
  button.dataset.sure = "";
  button.textContent = "really resign?";
  setTimeout(forget, 4000);
});
part("#begin").addEventListener("submit", (event) => {
  event.preventDefault();
  const side = new FormData(event.target).get("side");
  act("/game", { side }).catch((error) => say(error.message, true));
});

// ---- The beginning ----

document.title = setting.title;
part("#title").textContent = setting.title;
part("#clocks").textContent = setting.clocks;
part("#begin fieldset").append(...SIDES.map((side) =>
  element("label", {},
    element("input", { type: "radio", name: "side", value: side, checked: side === setting.side ? "" : null }), sideWords(side))));
drawBoard(svg);
svg.append(drawn("g", { class: "hints", "aria-hidden": "true" }));
svg.querySelectorAll(".square").forEach((rect) => rect.setAttribute("role", "button"));
at = Math.floor((setting.board.size * setting.board.size) / 2);
setInterval(() => state !== null && showClocks(), 200);
follow();
