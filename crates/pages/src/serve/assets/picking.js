// Moves picked square by square. Which squares may be picked is asked of the server at each step.

import { find, part } from "../../report/assets/elements.js";
import { sayChoices, sayError } from "./announcements.js";
import { act, ask, lastPicked, mayFinish, openQuestion, playState, targetAt, targetSquare } from "./play_state.js";
import { showTable } from "./play_table.js";

/** @import { Picking } from "../../report/assets/view.d.ts" */

/** Lets go of everything: another question is asked, or none. */
export function resetPicking() {
  Object.assign(playState, { picked: [], picking: null, root: null });
  delete part("#table").dataset.ready;
}

/** Asks what may be picked first, where that is not known. */
export async function loadPicking() {
  const question = openQuestion();
  if (question === null || playState.root) return;
  /** @type {Picking} */
  const root = await ask(`picking?question=${question}`);
  if (openQuestion() !== question) return;
  Object.assign(playState, { root, picking: root });
  showTable();
  part("#table").dataset.ready = String(question);
}

/**
 * Picks a square, or lets go of what was picked.
 * @param {string} square
 */
export async function pick(square) {
  const { picked, root } = playState;
  if (openQuestion() === null || !root) return;
  const target = targetAt(square);
  if (target) {
    const way = [...picked, ...target.way];
    const byJumps = find("#by-jumps input", HTMLInputElement).checked;
    const goesOn = byJumps && target.goes_on && picked.length > 0;
    await (target.ends && !goesOn ? play(way) : hold(way));
  } else if (mayFinish() && lastPicked() === square) {
    await play(picked);
  } else {
    const isOtherFirst = picked[0] !== square && root.targets.some((first) => targetSquare(first) === square);
    await hold(isOtherFirst ? [square] : []);
  }
}

/** Lets go of the square that was picked last. */
export const takeBack = () => hold(playState.picked.slice(0, -1));

/**
 * Picks these squares.
 * @param {string[]} squares
 */
export async function hold(squares) {
  const question = openQuestion();
  if (question === null) return;
  try {
    const picking = squares.length === 0 ? playState.root : await ask(pickingAddress(question, squares));
    if (openQuestion() !== question) return;
    Object.assign(playState, { picked: squares, picking });
    showTable();
    sayChoices();
  } catch (error) {
    sayError(error);
  }
}

/** @param {number} question @param {string[]} squares */
const pickingAddress = (question, squares) => `picking?question=${question}&picked=${squares.join("~")}`;

/**
 * Plays the move of these squares.
 * @param {string[]} squares
 */
export async function play(squares) {
  const question = openQuestion();
  try {
    delete part("#table").dataset.ready;
    await act("move", { question, picked: squares });
  } catch (error) {
    await hold([]);
    sayError(error);
  }
}
