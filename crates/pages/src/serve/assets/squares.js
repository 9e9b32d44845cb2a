// The board of the page: the picked squares on their way, what may be picked next, and the same in words.

import {
  boardWords,
  drawBoard,
  pieceName,
  placeOf,
  placePieces,
  squareElements,
  stackHeight,
} from "../../report/assets/board.js";
import { find, part, svgElement } from "../../report/assets/elements.js";
import {
  indexOf,
  isTurned,
  lastPicked,
  mayFinish,
  playState,
  setting,
  sideWords,
  squareAt,
  targetAt,
  targetSquare,
} from "./play_state.js";

/** @import { GameState, Target } from "../../report/assets/view.d.ts" */

export const boardSvg = find(".board", SVGSVGElement);
const { board } = setting;
const hintLayer = svgElement("g", { class: "hints", "aria-hidden": "true" });

/** The board as the person sees it: the own pieces start at the bottom, unless the person turns it. */
export const shownBoard = () => ({ ...board, isTurned: isTurned() });

/** Draws the empty board, and makes its squares buttons. */
export function drawControls() {
  drawBoard(boardSvg, shownBoard());
  boardSvg.append(hintLayer);
  for (const square of squareElements(boardSvg)) square.setAttribute("role", "button");
}

/** @param {GameState} state */
export function showBoard(state) {
  const cells = cellsInHand(state);
  const isAtRest = playState.picked.length === 0;
  const [changed, move] = isAtRest ? [state.changed, state.turns.at(-1)?.move ?? ""] : [[], ""];
  placePieces(boardSvg, shownBoard(), { cells, changed, move });
  part("#board-words").textContent = boardWords(board, cells);
  showHints();
  labelSquares(state);
}

/**
 * The squares of the board with the picked piece on its way.
 * @param {GameState} state
 */
function cellsInHand(state) {
  const cells = [...state.cells];
  const way = playState.picked.map(indexOf);
  if (way.length < 2) return cells;
  const moved = cells[way[0]];
  cells[way[0]] = ".";
  if (board.captures)
    for (const square of way.slice(1).flatMap((to, step) => between(way[step], to))) cells[square] = ".";
  cells[way[way.length - 1]] = moved;
  return cells;
}

/**
 * The square in the middle between two; none where they are next to each other.
 * @param {number} from
 * @param {number} to
 */
function between(from, to) {
  const [[ax, ay], [bx, by]] = [placeOf(from, board), placeOf(to, board)];
  const [x, y] = [(ax + bx) / 2, (ay + by) / 2];
  return Number.isInteger(x) && Number.isInteger(y) ? [y * board.columns.length + x] : [];
}

/** Shows what may be picked, what is picked, and where the keys are. */
export function showHints() {
  const { picked, picking, cursor } = playState;
  const isWord = /** @param {Target} target */ (target) => indexOf(targetSquare(target)) < 0;
  const targets = picking?.targets.filter((target) => !isWord(target)) ?? [];
  const last = lastPicked();
  const focused = document.activeElement;
  const hasFocus = boardSvg.contains(focused) && focused?.matches(":focus-visible");
  hintLayer.replaceChildren(
    ...targets.map(targetHint),
    ...(last === undefined ? [] : [trail(picked), frame(indexOf(last), "picked")]),
    ...(hasFocus ? [frame(cursor, "focus")] : []),
  );
}

/** @param {Target} target */
function targetHint(target) {
  const index = indexOf(targetSquare(target));
  if (playState.picked.length === 0 && !target.ends) return frame(index, "can");
  return target.ends ? dot(index, "end", 0.17) : dot(index, "on", 0.2);
}

/** @param {number} index @param {string} kind */
function frame(index, kind) {
  const [x, y] = placeOf(index, shownBoard());
  return svgElement("rect", { class: kind, x: x + 0.06, y: y + 0.06, width: 0.88, height: 0.88, rx: 0.1 });
}

/** @param {number} index @param {string} kind @param {number} r */
function dot(index, kind, r) {
  const [x, y] = placeOf(index, shownBoard());
  return svgElement("circle", { class: kind, cx: x + 0.5, cy: y + 0.5, r });
}

/** @param {string[]} squares */
function trail(squares) {
  const points = squares.map((square) =>
    placeOf(indexOf(square), shownBoard())
      .map((at) => at + 0.5)
      .join(" "),
  );
  return svgElement("path", { class: "trail", d: `M${points.join("L")}` });
}

/**
 * Says what each square is to those who do not see it, and to which of them the tabulator goes.
 * @param {GameState} state
 */
export function labelSquares(state) {
  const cells = cellsInHand(state);
  for (const [index, rect] of squareElements(boardSvg).entries()) {
    const square = squareAt(index);
    const target = targetAt(square);
    const isLast = lastPicked() === square;
    rect.classList.toggle("can", target !== undefined || (isLast && mayFinish()));
    rect.classList.toggle("end", target?.ends === true);
    rect.setAttribute("tabindex", index === playState.cursor ? "0" : "-1");
    const words = [square, cellWords(cells[index]), ...(target ? [targetWords(target)] : [])];
    rect.setAttribute("aria-label", words.join(", "));
    rect.setAttribute("aria-pressed", String(isLast));
  }
}

/** @param {string} cell */
function cellWords(cell) {
  if (cell === ".") return "empty";
  const look = board.pieces[cell[0]];
  if (!look.side) return look.word ?? look.letter;
  const name = pieceName(look);
  const count = cell.length > 1 ? `${stackHeight(cell)} ` : "";
  return `${count}${sideWords(look.side)}${name ? ` ${name}` : ""}`;
}

/** @param {Target} target */
function targetWords(target) {
  if (playState.picked.length === 0 && !target.ends) return "can move";
  return target.ends ? "a move ends here" : "a move goes on from here";
}
