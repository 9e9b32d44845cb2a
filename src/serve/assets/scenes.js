// Which running games have a board. A game that has one keeps it, for a while where others wait.

import { counted } from "../../report/assets/format.js";
import { Card } from "./card.js";
import { capacity, grid, layOutGrid, others } from "./stage.js";

/** @import { LiveGame } from "../../report/assets/view.d.ts" */
/**
 * @typedef {object} Scene A running game, or one just finished.
 * @property {LiveGame} game
 * @property {Card | null} card its board, where it has one
 * @property {number | null} ended when it ended, by `performance.now()`
 * @property {number | null} placed since when it has a board
 */

/** How long a finished game is shown: when others wait for its board, and when none does. */
const STAY_MS = { wanted: 1500, alone: 10_000 };
/** How long a game has its board when others wait. */
const ROTATE_MS = 20_000;

/** @type {Map<string, Scene>} By the names of the games; those that wait, in the order in which they get a board. */
const scenes = new Map();

export const hasScenes = () => scenes.size > 0;

/** @param {Scene} scene */
const isPlaced = ({ placed }) => placed !== null;
/** @param {Scene} scene */
const isWaiting = ({ placed, ended }) => placed === null && ended === null;

/** @returns {Scene[]} those that have a board, the longest first */
const placedScenes = () => [...scenes.values()].filter(isPlaced).sort((a, b) => (a.placed ?? 0) - (b.placed ?? 0));
const waitingScenes = () => [...scenes.values()].filter(isWaiting);

/**
 * Takes what the stream tells of a game.
 * @param {LiveGame} game
 */
export function takeGame(game) {
  const before = scenes.get(game.id);
  const scene = before ?? { game, card: null, ended: null, placed: null };
  scenes.set(game.id, scene);
  scene.game = game;
  scene.ended = game.over ? (scene.ended ?? performance.now()) : null;
  scene.card?.draw(game);
  if (!before || game.over) arrange();
}

/**
 * Drops a game of which nothing is told any more, unless it is finished and still shown.
 * @param {string} id
 */
export function dropGame(id) {
  const scene = scenes.get(id);
  if (!scene) return;
  if (scene.game.over) scene.ended ??= performance.now();
  else scenes.delete(id);
  arrange();
}

/**
 * Drops all games but these.
 * @param {string[]} ids
 */
export function keepGames(ids) {
  for (const id of [...scenes.keys()]) if (!ids.includes(id)) dropGame(id);
}

export function tickClocks() {
  for (const { card } of scenes.values()) card?.tick();
}

/** Gives the boards to games, and draws them. */
export function arrange() {
  const now = performance.now();
  dropFinished(now);
  const room = capacity(scenes.size);
  for (const scene of placedScenes().slice(room)) scene.placed = null;
  rotate(now, room);
  const free = Math.max(0, room - placedScenes().length);
  for (const scene of waitingScenes().slice(0, free)) scene.placed = now;
  showScenes();
}

/** @param {number} now */
function dropFinished(now) {
  const stay = waitingScenes().length > 0 ? STAY_MS.wanted : STAY_MS.alone;
  for (const [id, { ended, placed }] of scenes) {
    if (ended !== null && (placed === null || now - ended > stay)) scenes.delete(id);
  }
}

/**
 * Where others wait, the game that has had its board the longest goes to the end of the queue.
 * @param {number} now
 * @param {number} room
 */
function rotate(now, room) {
  const placed = placedScenes();
  const [oldest] = placed;
  if (!oldest || placed.length < room || waitingScenes().length === 0) return;
  const isTouched = oldest.card?.root.matches(":hover, :focus-within");
  if (isTouched || now - (oldest.placed ?? now) <= ROTATE_MS) return;
  oldest.placed = null;
  scenes.delete(oldest.game.id);
  scenes.set(oldest.game.id, oldest);
}

/** Draws the games that have a board, each where it was. */
function showScenes() {
  const cards = [...scenes.values()].filter(isPlaced).map(cardOf);
  for (const scene of scenes.values()) if (!isPlaced(scene)) scene.card = null;
  const roots = cards.map(({ root }) => root);
  const added = roots.filter((root) => root.parentElement !== grid);
  for (const old of [...grid.children].filter((child) => !roots.some((root) => root === child))) {
    const root = added.shift();
    if (root) old.replaceWith(root);
    else old.remove();
  }
  grid.append(...added);
  const waiting = waitingScenes().length;
  others.textContent = waiting === 0 ? "" : `and ${counted(waiting, "more game")} at the same time`;
  layOutGrid();
}

/** @param {Scene} scene */
function cardOf(scene) {
  scene.card ??= new Card(scene.game);
  return scene.card;
}
