// Which running games have a board. A game that has one keeps it, for a while where others wait.

import { counted } from "../../report/assets/format.js";
import { Card } from "./card.js";
import { capacity, grid, layOutGrid, others } from "./running_section.js";

/** @import { LiveGame } from "../../report/assets/view.d.ts" */
/**
 * @typedef {object} ShownGame A running game, or one just finished.
 * @property {LiveGame} game
 * @property {Card | null} card its board, where it has one
 * @property {number | null} ended when it ended, by `performance.now()`
 * @property {number | null} placed since when it has a board
 */

/** How long a finished game is shown: when others wait for its board, and when none does. */
const STAY_MS = { wanted: 1500, alone: 10_000 };
/** How long a game has its board when others wait. */
const ROTATE_MS = 20_000;

/** @type {Map<string, ShownGame>} By the names of the games; those that wait, in the order in which they get a board. */
const shownGames = new Map();

export const hasShownGames = () => shownGames.size > 0;

/** @param {ShownGame} shown */
const isPlaced = ({ placed }) => placed !== null;
/** @param {ShownGame} shown */
const isWaiting = ({ placed, ended }) => placed === null && ended === null;

/** @returns {ShownGame[]} those that have a board, the longest first */
const placedGames = () => [...shownGames.values()].filter(isPlaced).sort((a, b) => (a.placed ?? 0) - (b.placed ?? 0));
const waitingGames = () => [...shownGames.values()].filter(isWaiting);

/**
 * Takes what the stream tells of a game.
 * @param {LiveGame} game
 */
export function takeGame(game) {
  const before = shownGames.get(game.id);
  const shown = before ?? { game, card: null, ended: null, placed: null };
  shownGames.set(game.id, shown);
  shown.game = game;
  shown.ended = game.over ? (shown.ended ?? performance.now()) : null;
  shown.card?.draw(game);
  if (!before || game.over) arrange();
}

/**
 * Drops a game of which nothing is told any more, unless it is finished and still shown.
 * @param {string} id
 */
export function dropGame(id) {
  const shown = shownGames.get(id);
  if (!shown) return;
  if (shown.game.over) shown.ended ??= performance.now();
  else shownGames.delete(id);
  arrange();
}

/**
 * Drops all games but these.
 * @param {string[]} ids
 */
export function keepGames(ids) {
  for (const id of [...shownGames.keys()]) if (!ids.includes(id)) dropGame(id);
}

export function tickClocks() {
  for (const { card } of shownGames.values()) card?.tick();
}

/** Gives the boards to games, and draws them. */
export function arrange() {
  const now = performance.now();
  dropFinished(now);
  const room = capacity(shownGames.size);
  for (const shown of placedGames().slice(room)) shown.placed = null;
  rotate(now, room);
  const free = Math.max(0, room - placedGames().length);
  for (const shown of waitingGames().slice(0, free)) shown.placed = now;
  showGames();
}

/** @param {number} now */
function dropFinished(now) {
  const stay = waitingGames().length > 0 ? STAY_MS.wanted : STAY_MS.alone;
  for (const [id, { ended, placed }] of shownGames) {
    if (ended !== null && (placed === null || now - ended > stay)) shownGames.delete(id);
  }
}

/**
 * Where others wait, the game that has had its board the longest goes to the end of the queue.
 * @param {number} now
 * @param {number} room
 */
function rotate(now, room) {
  const placed = placedGames();
  const [oldest] = placed;
  if (!oldest || placed.length < room || waitingGames().length === 0) return;
  const isTouched = oldest.card?.root.matches(":hover, :focus-within");
  if (isTouched || now - (oldest.placed ?? now) <= ROTATE_MS) return;
  oldest.placed = null;
  shownGames.delete(oldest.game.id);
  shownGames.set(oldest.game.id, oldest);
}

/** Draws the games that have a board, each where it was. */
function showGames() {
  const cards = [...shownGames.values()].filter(isPlaced).map(cardOf);
  for (const shown of shownGames.values()) if (!isPlaced(shown)) shown.card = null;
  const roots = cards.map(({ root }) => root);
  const added = roots.filter((root) => root.parentElement !== grid);
  for (const old of [...grid.children].filter((child) => !roots.some((root) => root === child))) {
    const root = added.shift();
    if (root) old.replaceWith(root);
    else old.remove();
  }
  grid.append(...added);
  const waiting = waitingGames().length;
  others.textContent = waiting === 0 ? "" : `and ${counted(waiting, "more game")} at the same time`;
  layOutGrid();
}

/** @param {ShownGame} shown */
function cardOf(shown) {
  shown.card ??= new Card(shown.game);
  return shown.card;
}
