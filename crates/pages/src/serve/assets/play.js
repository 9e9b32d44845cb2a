// The page on which a person plays against an agent. It knows no rules.
//
// What tests and styles may rely on: a square of the board is `.square` with `data-square` (its name in moves) and
// `data-piece`; those that may be picked are `.can`, those where a move ends `.end`; `#table` has `data-phase`, and
// `data-ready` with the number of the question that may be answered now, and `data-held` with the picked squares;
// moves are `.moves li`; `playState` is what the page knows.

import { placeOf, SIDES } from "../../report/assets/board.js";
import { element, part } from "../../report/assets/elements.js";
import { sayError, sayNews } from "./announcements.js";
import { hold, loadPicking, pick, play, resetPicking, takeBack } from "./picking.js";
import {
  act,
  ask,
  indexOf,
  isTurned,
  openQuestion,
  playState,
  setting,
  sideBelow,
  sideWords,
  squareAt,
} from "./play_state.js";
import { showClocks, showTable } from "./play_table.js";
import { boardSvg, drawControls, labelSquares, showHints } from "./squares.js";

/** @import { GameState } from "../../report/assets/view.d.ts" */

const RETRY_MS = 1000;
const TICK_MS = 200;
/** How long a second click resigns. */
const SURE_MS = 4000;

/** @type {Record<string, [number, number]>} */
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// ---- The server ----

/** Follows the game for as long as the page is open. */
async function followGame() {
  for (;;) {
    try {
      const after = playState.state === null ? "" : `?after=${playState.state.version}`;
      await takeState(await ask(`state${after}`));
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      sayError(`The server does not answer (${why}). Is it still running?`);
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

/** @param {GameState} state */
async function takeState(state) {
  const before = playState.state;
  const wasBelow = sideBelow();
  Object.assign(playState, { state, heardAt: performance.now() });
  if (sideBelow() !== wasBelow) showOrientation();
  if (openQuestion(before) !== openQuestion()) resetPicking();
  if (before?.version !== state.version) sayNews(before, state);
  showTable();
  await loadPicking();
}

// ---- Hands and keys ----

/** @param {MouseEvent} event */
function squareClicked({ target }) {
  const rect = target instanceof Element && target.closest(".square");
  if (!(rect instanceof SVGElement)) return;
  const square = rect.dataset.square ?? "";
  playState.cursor = indexOf(square);
  rect.focus({ preventScroll: true });
  pick(square);
}

/** @param {KeyboardEvent} event */
function keyPressed(event) {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const action = event.key in STEPS ? () => moveCursor(STEPS[event.key]) : KEYS[event.key];
  if (!action) return;
  action();
  event.preventDefault();
}

const pickAtCursor = () => pick(squareAt(playState.cursor));

/** @type {Record<string, () => unknown>} */
const KEYS = {
  Enter: pickAtCursor,
  " ": pickAtCursor,
  Backspace: takeBack,
  Escape: () => hold([]),
};

/** @param {[number, number]} step */
function moveCursor([dx, dy]) {
  const [width, height] = [setting.board.columns.length, setting.board.rows.length];
  /** @param {number} value @param {number} count */
  const clamp = (value, count) => Math.min(count - 1, Math.max(0, value));
  const [x, y] = placeOf(playState.cursor, setting.board);
  const forward = isTurned() ? -1 : 1;
  playState.cursor = clamp(y + forward * dy, height) * width + clamp(x + forward * dx, width);
  const square = boardSvg.querySelectorAll(".square")[playState.cursor];
  if (square instanceof SVGElement) square.focus();
}

/** Resigning takes a second click, soon after the first. */
function resignClicked() {
  const button = part("#resign");
  const isSure = button.dataset.sure !== undefined;
  button.toggleAttribute("data-sure", !isSure);
  button.textContent = isSure ? "resign" : "really resign?";
  if (isSure) act("resign", { question: openQuestion() }).catch(sayError);
  else setTimeout(forgetResigning, SURE_MS);
}

function forgetResigning() {
  const button = part("#resign");
  delete button.dataset.sure;
  button.textContent = "resign";
}

/** @param {SubmitEvent} event */
function beginGame(event) {
  event.preventDefault();
  const side = new FormData(/** @type {HTMLFormElement} */ (event.target)).get("side");
  act("game", { side }).catch(sayError);
}

/** @param {MouseEvent} event */
function textClicked({ target }) {
  const button = target instanceof Element && target.closest("button");
  if (button instanceof HTMLButtonElement) play([button.dataset.move ?? ""]);
}

function turnBoard() {
  playState.isFlipped = !playState.isFlipped;
  showOrientation();
  showTable();
}

/** Draws the board as it is turned, and each clock on its side of it. */
function showOrientation() {
  drawControls();
  part("#table").classList.toggle("turned", sideBelow() === "black");
}

function focusMoved() {
  showHints();
  if (playState.state) labelSquares(playState.state);
}

// ---- The start ----

function drawPage() {
  document.title = setting.title;
  part("#title").textContent = setting.title;
  part("#clocks").textContent = setting.clocks;
  const choices = SIDES.map((side) => {
    const checked = side === setting.side ? "" : null;
    return element(
      "label",
      {},
      element("input", { type: "radio", name: "side", value: side, checked }),
      sideWords(side),
    );
  });
  part("#begin fieldset").append(...choices);
  showOrientation();
}

function listenToPerson() {
  boardSvg.addEventListener("click", squareClicked);
  boardSvg.addEventListener("keydown", keyPressed);
  boardSvg.addEventListener("focusin", focusMoved);
  boardSvg.addEventListener("focusout", showHints);
  part("#undo").addEventListener("click", takeBack);
  part("#finish").addEventListener("click", () => play(playState.picked));
  part("#texts").addEventListener("click", textClicked);
  part("#turn").addEventListener("click", turnBoard);
  part("#resign").addEventListener("click", resignClicked);
  part("#begin").addEventListener("submit", beginGame);
}

Object.assign(globalThis, { playState });
drawPage();
listenToPerson();
setInterval(showClocks, TICK_MS);
followGame();
