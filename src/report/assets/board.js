// Boards: squares and labels, the pieces on them, and the same in words.

import { svgElement } from "./elements.js";

/** @import { Board, PieceLook, Side } from "./view.d.ts" */
/** @typedef {{ cells: string[], changed: number[] }} Position The squares, and those that the last turn has changed. */

/** @type {readonly Side[]} */
export const SIDES = ["black", "white"];

const EMPTY = ".";

/**
 * Draws the empty board; pieces come and go in a layer above.
 * @param {SVGSVGElement} svg
 * @param {Board} board
 */
export function drawBoard(svg, board) {
  const { surface, size } = board;
  svg.setAttribute("viewBox", `-0.7 0 ${size + 0.7} ${size + 0.7}`);
  svg.dataset.surface = surface;
  svg.style.setProperty("--coordinate", `${labelSize(size)}px`);
  svg.append(
    ...squares(board),
    ...(surface === "points" ? lattice(size) : []),
    ...labels(board),
    svgElement("g", { class: "pieces" }),
  );
}

/** @param {number} size */
function labelSize(size) {
  if (size > 12) return 0.48;
  return size > 8 ? 0.4 : 0.3;
}

/** @param {Board} board */
function squares(board) {
  return board.squares.map((name, index) => {
    const [x, y] = placeOf(index, board.size);
    const kind = `square ${squareKind(board, index)}`;
    return svgElement("rect", { class: kind, x, y, width: 1, height: 1, "data-square": name, "data-piece": EMPTY });
  });
}

/** @param {Board} board @param {number} index */
function squareKind({ surface, size, camps }, index) {
  const camp = camps && SIDES.find((side) => camps[side].includes(index));
  if (camp) return `plain camp-${camp}`;
  if (surface !== "chequered") return "plain";
  const [x, y] = placeOf(index, size);
  return (x + y) % 2 === 0 ? "light" : "dark";
}

/**
 * The column and the row of a square.
 * @param {number} index
 * @param {number} size
 */
export const placeOf = (index, size) => [index % size, Math.floor(index / size)];

/** @param {Board} board */
function labels({ columns, rows, size }) {
  return [
    ...columns.map((label, at) => svgElement("text", { class: "coordinate", x: at + 0.5, y: size + 0.5 }, label)),
    ...rows.map((label, at) => svgElement("text", { class: "coordinate", x: -0.35, y: at + 0.63 }, label)),
  ];
}

/**
 * The lines of a board whose pieces stand where lines cross.
 * @param {number} size
 */
function lattice(size) {
  const [first, last] = [0.5, size - 0.5];
  const middles = Array.from({ length: size }, (_, at) => at + 0.5);
  return middles.flatMap((at) => [
    svgElement("line", { class: "lattice", x1: first, y1: at, x2: last, y2: at }),
    svgElement("line", { class: "lattice", x1: at, y1: first, x2: at, y2: last }),
  ]);
}

/**
 * Shows a position on a board that was drawn.
 * @param {SVGSVGElement} svg
 * @param {Board} board
 * @param {Position} position
 */
export function placePieces(svg, board, { cells, changed }) {
  for (const [index, square] of squareElements(svg).entries()) square.dataset.piece = cells[index];
  const marks = changed.map((index) => changedMark(cells[index], placeOf(index, board.size)));
  const pieces = cells.flatMap((cell, index) => (cell === EMPTY ? [] : piece(board, cell, placeOf(index, board.size))));
  svg.querySelector(".pieces")?.replaceChildren(...marks, ...pieces);
}

/** @param {SVGSVGElement} svg */
export const squareElements = (svg) =>
  [...svg.querySelectorAll(".square")].filter((square) => square instanceof SVGElement);

/** @param {string} cell @param {number[]} place */
function changedMark(cell, [x, y]) {
  const kind = cell === EMPTY ? "changed left" : "changed";
  return svgElement("rect", { class: kind, x: x + 0.03, y: y + 0.03, width: 0.94, height: 0.94, rx: 0.06 });
}

/**
 * A piece: its letter says what it is, a number behind it how many stand there.
 * @param {Board} board
 * @param {string} cell
 * @param {number[]} place
 */
function piece(board, cell, [column, row]) {
  const look = board.pieces[cell[0]];
  const [x, y] = [column + 0.5, row + 0.5];
  const count = stackHeight(cell);
  const height = count > 1 ? svgElement("text", { class: `count ${look.side}`, x, y: y + 0.15 }, String(count)) : null;
  return svgElement("g", {}, pieceBody(look, x, y), pieceMarks(look, x, y), height);
}

/** @param {string} cell */
export const stackHeight = (cell) => Number(cell.slice(1) || 1);

/** @param {PieceLook} look @param {number} x @param {number} y */
function pieceBody({ side, shape }, x, y) {
  if (shape === "star") return svgElement("path", { class: `piece ${side}`, d: star(x, y) });
  const isLarge = shape === "stone" || typeof shape === "object";
  return svgElement("circle", { class: `piece ${side}`, cx: x, cy: y, r: isLarge ? 0.45 : 0.39 });
}

/** @param {PieceLook} look @param {number} x @param {number} y */
function pieceMarks({ side, shape, letter }, x, y) {
  const rim = () => svgElement("circle", { class: `rim ${side}`, cx: x, cy: y, r: 0.29 });
  if (shape === "disk") return [rim()];
  if (shape === "king") return [rim(), svgElement("path", { class: "crown", d: crown(x, y) })];
  if (typeof shape === "string") return [];
  const transform = `translate(${x} ${y - 0.09}) scale(0.2)`;
  return [
    svgElement("path", { class: `figure ${side}`, d: shape.figure, transform }),
    svgElement("text", { class: `letter ${side}`, x, y: y + 0.31 }, letter),
  ];
}

/** @param {number} x @param {number} y */
function crown(x, y) {
  const points = [
    [-0.22, 0.16],
    [-0.24, -0.13],
    [-0.1, 0],
    [0, -0.19],
    [0.1, 0],
    [0.24, -0.13],
    [0.22, 0.16],
  ];
  return `M${points.map(([dx, dy]) => `${x + dx} ${y + dy}`).join("L")}Z`;
}

/**
 * A star of five points.
 * @param {number} x
 * @param {number} y
 */
function star(x, y) {
  const points = Array.from({ length: 10 }, (_, at) => {
    const [angle, radius] = [(Math.PI * at) / 5 - Math.PI / 2, at % 2 === 0 ? 0.47 : 0.24];
    return `${(x + radius * Math.cos(angle)).toFixed(3)} ${(y + 0.03 + radius * Math.sin(angle)).toFixed(3)}`;
  });
  return `M${points.join("L")}Z`;
}

/**
 * A position for those who do not see it: each side's pieces and where they stand.
 * @param {Board} board
 * @param {string[]} cells
 */
export function boardWords(board, cells) {
  /** @param {Side} side */
  const placesOf = (side) =>
    cells.flatMap((cell, at) => (board.pieces[cell[0]]?.side === side ? pieceWords(board, cell, at) : []));
  return SIDES.map((side) => `${board.sides[side]}: ${placesOf(side).join(", ") || "nothing"}`).join("; ");
}

/** @param {Board} board @param {string} cell @param {number} at */
function pieceWords({ pieces, squares }, cell, at) {
  const { word } = pieces[cell[0]];
  const kind = word ? `${word} ` : "";
  const count = cell.length > 1 ? `${stackHeight(cell)} on ` : "";
  return `${kind}${count}${squares[at]}`;
}
