// Everything of the page that follows the game: the board, the buttons, both clocks, the moves, the result.

import { SIDES } from "../../report/assets/board.js";
import { element, find, part, prose, setChildren } from "../../report/assets/elements.js";
import { seconds, shortMove } from "../../report/assets/format.js";
import {
  mayFinish,
  openQuestion,
  otherSide,
  playState,
  setting,
  sideWords,
  targetSquare,
  textsOnOffer,
} from "./play_state.js";
import { showBoard } from "./squares.js";

/** @import { GameState, Over, Side, Target, Turn } from "../../report/assets/view.d.ts" */

/** Shows the game as it is. */
export function showTable() {
  const { state } = playState;
  if (!state) return;
  const table = part("#table");
  table.dataset.phase = state.phase.is;
  table.dataset.held = playState.picked.join(" ");
  showBoard(state);
  showClocks();
  showButtons(state);
  showResult(state);
  showMoves(state);
}

/** @param {GameState} state */
function showButtons({ phase }) {
  const isAsked = openQuestion() !== null;
  const isUnderWay = isAsked || phase.is === "beginning" || phase.is === "thinking";
  part("#undo").hidden = playState.picked.length === 0;
  part("#finish").hidden = !isAsked || !mayFinish();
  part("#by-jumps").hidden = !isAsked || !setting.has_ways;
  showTexts(isAsked ? textsOnOffer() : []);
  const resign = find("#resign", HTMLButtonElement);
  resign.hidden = !isAsked && phase.is !== "thinking";
  resign.disabled = !isAsked;
  part("#begin").hidden = isUnderWay;
  part("#begin button").textContent = phase.is === "ready" ? "begin" : "play again";
}

/**
 * A button for each move that is no squares.
 * @param {Target[]} targets
 */
function showTexts(targets) {
  const moves = targets.map(targetSquare);
  const buttons = moves.map((move) => element("button", { type: "button", "data-move": move }, move));
  part("#texts").replaceChildren(...buttons);
}

/** Shows what both clocks have left; the person's runs while the person is to move. */
export function showClocks() {
  const { state, heardAt } = playState;
  if (!state) return;
  const passedUs = state.elapsed_us + (performance.now() - heardAt) * 1000;
  part(".notes").textContent = state.notes;
  for (const side of SIDES) {
    const line = part(`.clock[data-side="${side}"]`);
    const isPerson = side === state.own;
    line.classList.toggle("to-move", sideToMove(state) === side);
    part(".who", line).textContent = `${isPerson ? setting.person : setting.agent} (${sideWords(side)})`;
    part(".captured", line).textContent = capturedWords(state.captured[side]);
    part(".time", line).textContent = clockWords(state, side, passedUs);
  }
}

/** @param {string} letters of the captured pieces */
function capturedWords(letters) {
  const { pieces } = setting.board;
  const kinds = [...new Set(letters)].map((letter) => {
    const count = [...letters].filter((other) => other === letter).length;
    const word = pieces[letter]?.word;
    return word ? `${count} × ${word}` : String(count);
  });
  return kinds.length === 0 ? "" : `captured: ${kinds.join(", ")}`;
}

/** @param {GameState} state @returns {Side | null} */
function sideToMove({ phase, own }) {
  if (phase.is === "asking") return own;
  return phase.is === "thinking" ? otherSide(own) : null;
}

/** @param {GameState} state @param {Side} side @param {number} passedUs */
function clockWords(state, side, passedUs) {
  const left = state.clocks_us[side];
  if (left === null) return "no clock";
  if (sideToMove(state) !== side) return `${seconds(left)} left`;
  if (side === state.own) return `${seconds(Math.max(0, left - passedUs))} left`;
  return `thinking ${(passedUs / 1e6).toFixed(0)} s, ${seconds(left)} left`;
}

/** @param {GameState} state */
function showResult({ phase, id, own }) {
  const ending = part("#ending");
  ending.hidden = phase.is !== "over";
  if (phase.is !== "over" || ending.dataset.of === id) return;
  ending.dataset.of = id;
  ending.classList.toggle("lost", phase.winner === otherSide(own));
  setChildren(ending, resultParts(id, phase, own));
}

/** @param {string} id @param {Over} over @param {Side} own */
function resultParts(id, { winner, verdict, close_calls: closeCalls, explanation, record }, own) {
  const won = winner === own ? "You win!" : "You lose.";
  return [
    element("h2", {}, winner === null ? "A draw." : won),
    element("p", { class: "verdict" }, prose(verdict)),
    ...closeCalls.map((call) => element("p", { class: "close-call" }, prose(call))),
    explanation.length > 0 ? element("pre", {}, explanation.join("\n")) : null,
    element(
      "p",
      {},
      element("a", { href: `report#game=${id}&ply=0`, target: "_blank" }, "Show this game move by move"),
    ),
    element("p", {}, "Replay it in a terminal: ", element("code", {}, `referee replay ${record}`)),
  ];
}

/** @param {GameState} state */
function showMoves({ id, turns }) {
  const list = part(".moves");
  if (list.dataset.of !== id) list.replaceChildren();
  list.dataset.of = id;
  const fresh = turns.slice(list.children.length);
  if (fresh.length === 0) return;
  list.append(...fresh.map(moveEntry));
  list.scrollTop = list.scrollHeight;
}

/** @param {Turn} turn */
function moveEntry({ side, is_pass: isPass, move }) {
  const key = element("span", { class: `key ${side}`, role: "img", "aria-label": sideWords(side) });
  const words = move === null ? "no valid answer" : shortMove(move);
  return element("li", { "data-side": side, class: side, title: move }, key, isPass ? "passes" : words);
}
