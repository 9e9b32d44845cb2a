// The turns of games: loaded from this page, from files beside it or from its server, and unpacked.

import { element, embeddedJson } from "./elements.js";
import { report } from "./report.js";

/** @import { Position } from "./board.js" */
/** @import { Game, PerSide, Replay, Side, Source } from "./view.d.ts" */
/**
 * @typedef {object} UnpackedGame A game with all its boards and clocks.
 * @property {Game} game
 * @property {Replay} packed
 * @property {Position[]} boards from the start to the end
 * @property {PerSide<number | null>[]} clocks in microseconds, as many as boards; `null` where the reader may not know
 * @property {Side[]} sides whose each turn was
 * @property {string[]} moves
 * @property {number} last the number of turns
 */

/** @type {Source} */
const source = embeddedJson("source");
/** The number of the bundle that each game is in. */
const bundleOf = new Map(
  report.view.games.map((game, at) => [game.id, source.kind === "served" ? 0 : Math.floor(at / source.games)]),
);
/** @type {Map<number, Promise<Replay[]>>} The bundles that were asked for, by their numbers. */
const bundles = new Map();
/** @type {Map<number, (text: string) => void>} Who waits for the files that are being loaded. */
const awaited = new Map();

/**
 * The packed turns of a game.
 * @param {string} id
 * @returns {Promise<Replay>}
 */
export async function loadTurns(id) {
  if (source.kind === "served") return fetchTurns(id);
  const number = bundleOf.get(id) ?? 0;
  const loading = bundles.get(number) ?? bundleText(number).then(inflated);
  bundles.set(number, loading);
  const found = (await loading).find((replay) => replay.id === id);
  if (!found) throw new Error(`this page has no game ${id}`);
  return found;
}

/** @param {string} id @returns {Promise<Replay>} */
async function fetchTurns(id) {
  const address = `replays/${encodeURIComponent(id)}`;
  const response = await fetch(address, { cache: "no-store" });
  if (!response.ok) throw new Error(`the server has no ${address}`);
  return response.json();
}

/** @param {number} number @returns {Promise<string>} */
async function bundleText(number) {
  if (source.kind !== "beside") return document.querySelectorAll("script.bundle")[number].textContent ?? "";
  const file = source.files[number];
  return new Promise((resolve, reject) => {
    awaited.set(number, resolve);
    const script = element("script", { src: file });
    script.addEventListener("error", () => {
      bundles.delete(number);
      reject(new Error(`the file ${file} cannot be loaded: it belongs to this page and must stay beside it`));
    });
    document.head.append(script);
  });
}

/**
 * For files beside the page: here is the bundle that was asked for.
 * @param {number} number
 * @param {string} text
 */
export const receiveBundle = (number, text) => awaited.get(number)?.(text);

/**
 * The games of a bundle as crates/pages/src/report/bundle.rs packs it.
 * @param {string} text
 * @returns {Promise<Replay[]>}
 */
async function inflated(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).json();
}

/**
 * @param {Game} game
 * @param {Replay} packed
 * @returns {UnpackedGame}
 */
export function unpackGame(game, packed) {
  const boards = unpackBoards(packed.boards, report.view.board.squares.length);
  const sides = [...packed.sides].map((letter) => (letter === "b" ? "black" : "white"));
  const moves = packed.sides === "" ? [] : packed.moves.split("\n");
  return { game, packed, boards, clocks: unpackClocks(packed, sides), sides, moves, last: boards.length - 1 };
}

/**
 * The boards that a text of differences stands for.
 * @param {string} packed
 * @param {number} squares how many the board has
 * @returns {Position[]}
 */
export function unpackBoards(packed, squares) {
  const cells = Array(squares).fill(".");
  return packed.split("\n").map((difference) => ({ changed: applyDifference(cells, difference), cells: [...cells] }));
}

/**
 * Changes `cells`, and gives the squares that were changed.
 * @param {string[]} cells
 * @param {string} difference
 */
function applyDifference(cells, difference) {
  const groups = difference.split(" ").filter(Boolean);
  return groups.flatMap((group) => {
    // A piece may be a colon, too.
    const end = group.lastIndexOf(":");
    const piece = group.slice(0, end);
    const changed = (group.slice(end + 1).match(/../g) ?? []).map((digits) => Number.parseInt(digits, 36));
    for (const square of changed) cells[square] = piece;
    return changed;
  });
}

/**
 * What both clocks have left at the start and after each turn.
 * @param {Replay} packed
 * @param {Side[]} sides
 */
function unpackClocks(packed, sides) {
  let left = { ...packed.play_time_cpu_us };
  const clocks = [left];
  for (const [turn, side] of sides.entries()) {
    const before = left[side];
    left = { ...left, [side]: before === null ? null : Math.max(0, before - packed.charged_cpu_us[turn]) };
    clocks.push(left);
  }
  return clocks;
}
