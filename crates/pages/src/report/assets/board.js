// Boards: squares and labels, the pieces on them, and the same in words.

import { svgElement } from "./elements.js";

/** @import { Board, PieceLook, Side } from "./view.d.ts" */
/** @typedef {Board & { isTurned?: boolean }} ShownBoard A board, which the reader may have turned by half. */
/**
 * @typedef {object} Position
 * @property {string[]} cells the squares
 * @property {number[]} changed those that the last turn has changed
 * @property {string} [move] the move of that turn, as the model has it
 * @property {string} [better] a better move than the next one
 */

/** @type {readonly Side[]} */
export const SIDES = ["black", "white"];

const EMPTY = ".";

/** Half of the widest line around a square, which belongs to the picture. */
const EDGE = 0.03;

/**
 * Draws the empty board; pieces come and go in a layer above.
 * @param {SVGSVGElement} svg
 * @param {ShownBoard} board
 */
export function drawBoard(svg, board) {
  const { surface, columns, rows } = board;
  const gap = labelGap(board);
  const [width, height] = [columns, rows].map((labels) => labels.length + gap + EDGE);
  svg.setAttribute("viewBox", `${-gap} ${-EDGE} ${width} ${height}`);
  svg.dataset.surface = surface;
  colourSides(board);
  svg.style.setProperty("--coordinate", `${labelSize(board)}px`);
  svg.replaceChildren(
    ...squares(board),
    ...(surface === "points" ? lattice(board) : []),
    ...labels(board),
    svgElement("g", { class: "pieces" }),
  );
}

/**
 * Gives the sides their own colours, where they have some. A page has one game, so its charts, clocks and keys get them, too.
 * @param {Board} board
 */
function colourSides({ colours }) {
  const { style } = document.documentElement;
  if (colours) for (const side of SIDES) style.setProperty(`--${side}-side`, `var(--${colours[side]}-pieces)`);
}

/**
 * The height of the labels; they are as large on a small board as on one of eight squares.
 * @param {Board} board
 */
function labelSize({ columns, rows }) {
  const size = Math.max(columns.length, rows.length);
  if (size > 12) return 0.48;
  return size > 8 ? 0.4 : 0.0375 * size;
}

/** @param {Board} board */
const labelGap = (board) => Math.min(0.7, labelSize(board) / 0.43);

/** @param {ShownBoard} board */
function squares(board) {
  return board.squares.map((name, index) => {
    const [x, y] = placeOf(index, board);
    const kind = `square ${squareKind(board, index)}`;
    return svgElement("rect", { class: kind, x, y, width: 1, height: 1, "data-square": name, "data-piece": EMPTY });
  });
}

/** @param {ShownBoard} board @param {number} index */
function squareKind(board, index) {
  const { surface, camps } = board;
  const camp = camps && SIDES.find((side) => camps[side].includes(index));
  if (camp) return `plain camp-${camp}`;
  if (surface !== "chequered") return "plain";
  // A square keeps its colour when the board is turned.
  const [x, y] = placeOf(index, { ...board, isTurned: false });
  return (x + y) % 2 === 0 ? "light" : "dark";
}

/**
 * The column and the row at which a square is drawn.
 * @param {number} index
 * @param {ShownBoard} board
 */
export function placeOf(index, { columns, squares, isTurned = false }) {
  const at = isTurned ? squares.length - 1 - index : index;
  return [at % columns.length, Math.floor(at / columns.length)];
}

/** @param {ShownBoard} board */
function labels(board) {
  const [columns, rows] = [board.columns, board.rows].map((labels) => (board.isTurned ? labels.toReversed() : labels));
  const gap = labelGap(board);
  const base = 0.36 * labelSize(board);
  const below = rows.length + gap / 2 + base;
  return [
    ...columns.map((label, at) => svgElement("text", { class: "coordinate", x: at + 0.5, y: below }, label)),
    ...rows.map((label, at) => svgElement("text", { class: "coordinate", x: -gap / 2, y: at + 0.5 + base }, label)),
  ];
}

/**
 * The lines of a board whose pieces stand where lines cross.
 * @param {Board} board
 */
function lattice({ columns, rows }) {
  const [right, bottom] = [columns.length - 0.5, rows.length - 0.5];
  return [
    ...rows.map((_, y) => svgElement("line", { class: "lattice", x1: 0.5, y1: y + 0.5, x2: right, y2: y + 0.5 })),
    ...columns.map((_, x) => svgElement("line", { class: "lattice", x1: x + 0.5, y1: 0.5, x2: x + 0.5, y2: bottom })),
  ];
}

/**
 * Shows a position on a board that was drawn.
 * @param {SVGSVGElement} svg
 * @param {ShownBoard} board
 * @param {Position} position
 */
export function placePieces(svg, board, { cells, changed, move = "", better = "" }) {
  for (const [index, square] of squareElements(svg).entries()) square.dataset.piece = cells[index];
  const path = pathOf(board, move);
  const touched = [...new Set([...changed, ...path.slice(0, 1), ...path.slice(-1)])];
  const marks = touched.flatMap((index) => changedMarks(changeOf(cells[index], index, path), placeOf(index, board)));
  const pieces = cells.flatMap((cell, index) => (cell === EMPTY ? [] : piece(board, cell, placeOf(index, board))));
  const way = path.length > 1 ? [trail(board, path)] : [];
  svg.querySelector(".pieces")?.replaceChildren(...marks, ...way, ...pieces, ...betterMarks(board, better));
}

/**
 * Where a better move begins and ends, above the pieces, which would hide it.
 * @param {ShownBoard} board
 * @param {string} move as the model has it
 */
function betterMarks(board, move) {
  const path = pathOf(board, move);
  const squares = [...new Set([...path.slice(0, 1), ...path.slice(-1)])].map((index) => {
    const [x, y] = placeOf(index, board);
    return svgElement("rect", { class: "better", x: x + 0.06, y: y + 0.06, width: 0.88, height: 0.88, rx: 0.12 });
  });
  if (path.length < 2) return squares;
  const points = path.map((index) => placeOf(index, board).map((at) => at + 0.5));
  return [
    ...squares,
    svgElement("path", { class: "better", d: `M${points.map((point) => point.join(" ")).join("L")}` }),
    svgElement("path", { class: "better head", d: arrowHead(points[points.length - 2], points[points.length - 1]) }),
  ];
}

/** @param {number[]} from @param {number[]} to */
function arrowHead([fromX, fromY], [x, y]) {
  const angle = Math.atan2(y - fromY, x - fromX);
  const corners = [-2.6, 2.6].map((turn) => [x + 0.32 * Math.cos(angle + turn), y + 0.32 * Math.sin(angle + turn)]);
  return `M${[corners[0], [x, y], corners[1]].map((point) => point.map((at) => at.toFixed(3)).join(" ")).join("L")}`;
}

/**
 * The squares that a move names, in their order: from where the piece comes to where it ends.
 * @param {Board} board
 * @param {string} move as the model has it
 */
function pathOf({ squares, separator }, move) {
  const words = move.split(separator).flatMap((part) => part.split(/[\s;]+/));
  const path = words.map((word) => squares.indexOf(word)).filter((index) => index >= 0);
  // A jump begins where the one before it has ended.
  return path.filter((index, at) => index !== path[at - 1]);
}

/** @typedef {"from" | "to" | "taken" | "turned"} Change What the last turn did to a square. */

/** @param {string} cell @param {number} index @param {number[]} path @returns {Change} */
function changeOf(cell, index, path) {
  if (index === path.at(-1)) return "to";
  if (index === path[0]) return "from";
  if (path.length === 0) return cell === EMPTY ? "from" : "to";
  return cell === EMPTY ? "taken" : "turned";
}

/** @param {ShownBoard} board @param {number[]} path */
function trail(board, path) {
  const points = path.map((index) => placeOf(index, board).map((at) => at + 0.5));
  return svgElement("path", { class: "path", d: `M${points.map((point) => point.join(" ")).join("L")}` });
}

/** @param {SVGSVGElement} svg */
export const squareElements = (svg) =>
  [...svg.querySelectorAll(".square")].filter((square) => square instanceof SVGElement);

/**
 * The marks differ in their shape, not only in their colour: dashes where the piece was, a cross where one was captured.
 * @param {Change} change
 * @param {number[]} place
 */
function changedMarks(change, [x, y]) {
  const box = svgElement("rect", {
    class: `changed ${change}`,
    x: x + 0.03,
    y: y + 0.03,
    width: 0.94,
    height: 0.94,
    rx: 0.06,
  });
  if (change !== "taken") return [box];
  const [left, right, top, bottom] = [x + 0.28, x + 0.72, y + 0.28, y + 0.72];
  return [
    box,
    svgElement("path", { class: "cross", d: `M${left} ${top}L${right} ${bottom}M${right} ${top}L${left} ${bottom}` }),
  ];
}

/**
 * A piece: its letter says what it is, a number behind it how many stand there. A sign of neither side has no body.
 * @param {Board} board
 * @param {string} cell
 * @param {number[]} place
 */
function piece(board, cell, [column, row]) {
  const look = board.pieces[cell[0]];
  const [x, y] = [column + 0.5, row + 0.5];
  const count = stackHeight(cell);
  if (!look.side) return svgElement("text", { class: "sign", x, y: y + 0.2 }, look.letter);
  const height = count > 1 ? svgElement("text", { class: `count ${look.side}`, x, y: y + 0.15 }, String(count)) : null;
  return svgElement("g", {}, pieceBody(look, x, y), pieceMarks(look, x, y), height);
}

/** @param {string} cell */
export const stackHeight = (cell) => Number(cell.slice(1) || 1);

/** @param {PieceLook} look @param {number} x @param {number} y */
function pieceBody({ side, shape }, x, y) {
  if (shape === "star") return svgElement("path", { class: `piece ${side}`, d: star(x, y) });
  const isLarge = shape === "stone" || shape === "letter" || typeof shape === "object";
  return svgElement("circle", { class: `piece ${side}`, cx: x, cy: y, r: isLarge ? 0.45 : 0.39 });
}

/** @param {PieceLook} look @param {number} x @param {number} y */
function pieceMarks({ side, shape, letter }, x, y) {
  const rim = () => svgElement("circle", { class: `rim ${side}`, cx: x, cy: y, r: 0.29 });
  if (shape === "disk") return [rim()];
  if (shape === "king") return [rim(), svgElement("path", { class: "crown", d: crown(x, y) })];
  if (shape === "letter") return [svgElement("text", { class: `count ${side}`, x, y: y + 0.15 }, letter)];
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
  const sides = SIDES.map((side) => `${board.sides[side]}: ${placesOf(side).join(", ") || "nothing"}`);
  const signs = cells.flatMap((cell, at) => {
    const look = board.pieces[cell[0]];
    return look && !look.side ? [`${look.word ?? look.letter} on ${board.squares[at]}`] : [];
  });
  return [...sides, ...(signs.length > 0 ? [signs.join(", ")] : [])].join("; ");
}

/**
 * What tells a piece from others of its side, if anything does.
 * @param {PieceLook} look
 */
export const pieceName = ({ word, shape, letter }) => word ?? (shape === "letter" ? letter : "");

/** @param {Board} board @param {string} cell @param {number} at */
function pieceWords({ pieces, squares }, cell, at) {
  const name = pieceName(pieces[cell[0]]);
  const kind = name ? `${name} ` : "";
  const count = cell.length > 1 ? `${stackHeight(cell)} on ` : "";
  return `${kind}${count}${squares[at]}`;
}
