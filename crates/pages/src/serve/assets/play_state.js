// The game of a person as the page knows it: the last state from the server, and the picked squares.

import { embeddedJson } from "../../report/assets/elements.js";

/** @import { GameState, Picking, Setting, Side, Target } from "../../report/assets/view.d.ts" */

/** @type {Setting} What does not change while the page is open. */
export const setting = embeddedJson("setting");

/**
 * @typedef {object} PlayState
 * @property {GameState | null} state what the server has told last; `null` before the first
 * @property {number} heardAt when that was, by `performance.now()`
 * @property {string[]} picked the squares picked so far
 * @property {Picking | null} picking what may be picked next
 * @property {Picking | null} root what may be picked first
 * @property {number} cursor the index of the square that the keys are at
 * @property {boolean} isFlipped whether the person has turned the board
 */
/** @type {PlayState} */
export const playState = {
  state: null,
  heardAt: 0,
  picked: [],
  picking: null,
  root: null,
  cursor: Math.floor(setting.board.squares.length / 2),
  isFlipped: false,
};

/** Whether the board is turned by half: by itself, if the person's pieces would start at the top, or by the person. */
export function isTurned() {
  const { near } = setting.board;
  return (near !== undefined && near !== ownSide()) !== playState.isFlipped;
}

const ownSide = () => playState.state?.own ?? setting.side;
/** Whose clock is below the board: the person's, also on a board without a near side, until the person turns it. */
export const sideBelow = () => (playState.isFlipped ? otherSide(ownSide()) : ownSide());

/**
 * The number of the question that the person is asked; `null` where the agent is to move or nobody.
 * @param {GameState | null} [state]
 */
export function openQuestion(state = playState.state) {
  return state?.phase.is === "asking" ? state.phase.question : null;
}

/** @param {Side} side @returns {Side} */
export const otherSide = (side) => (side === "black" ? "white" : "black");
/** @param {Side} side */
export const sideWords = (side) => setting.board.sides[side];

/** @param {string} square @returns {number} its index, negative for a word that is no square */
export const indexOf = (square) => setting.board.squares.indexOf(square);
/** @param {number} index */
export const squareAt = (index) => setting.board.squares[index];

/** @param {Target} target @returns {string} the square itself, or the word */
export const targetSquare = ({ way }) => way[way.length - 1];
/** @returns {string | undefined} the square that was picked last */
export const lastPicked = () => playState.picked.at(-1);

/** Moves that are texts and no squares, such as a pass or `drop 3`. */
export const textsOnOffer = () => playState.root?.targets.filter((target) => indexOf(targetSquare(target)) < 0) ?? [];

/** @param {string} square */
export const targetAt = (square) =>
  playState.picking?.targets.find((target) => targetSquare(target) === square) ?? textOfColumn(square);

/**
 * The only move whose text names the column of this square, as `drop 3` does.
 * @param {string} square
 */
function textOfColumn(square) {
  if (playState.picked.length > 0) return undefined;
  const { columns } = setting.board;
  const column = columns[indexOf(square) % columns.length];
  const naming = textsOnOffer().filter((target) =>
    targetSquare(target)
      .split(/[^A-Za-z0-9]+/)
      .includes(column),
  );
  return naming.length === 1 ? naming[0] : undefined;
}

/** Whether the move may end with the picked squares. */
export const mayFinish = () => playState.picked.length > 0 && (playState.picking?.answer ?? null) !== null;

/** @param {string} address @returns {Promise<any>} */
export async function ask(address) {
  const response = await fetch(address, { cache: "no-store" });
  if (!response.ok) throw new Error((await response.text()).trim());
  return response.json();
}

/** @param {string} address @param {Record<string, unknown>} order */
export async function act(address, order) {
  const response = await fetch(address, { method: "POST", body: JSON.stringify(order) });
  if (!response.ok) throw new Error((await response.text()).trim());
}
