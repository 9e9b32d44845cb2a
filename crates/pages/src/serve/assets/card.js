// A running game: its board, both clocks, the last move.

import { drawBoard, placePieces, SIDES } from "../../report/assets/board.js";
import { element, prose, setChildren, svgElement } from "../../report/assets/elements.js";
import { counted, seconds, shortMove } from "../../report/assets/format.js";
import { gameAddress, report } from "../../report/assets/report.js";
import { unpackBoards } from "../../report/assets/turns.js";

/** @import { LiveGame, Side } from "../../report/assets/view.d.ts" */

/** @type {Record<string, Side>} */
const WINNERS = { "1-0": "black", "0-1": "white" };

/** How far the server's clock is ahead of this one, in milliseconds. */
let aheadMs = 0;

/** @param {number} serverMs */
export function setServerTime(serverMs) {
  aheadMs = serverMs - Date.now();
}

export class Card {
  #board = svgElement("svg", { class: "board", role: "img" });
  #players = SIDES.map(playerLine);
  #name = element("a");
  #turn = element("span", { class: "turn" });
  #notes = element("p", { class: "notes" });
  #last = element("p", { class: "last" });

  /** @param {LiveGame} game */
  constructor(game) {
    this.game = game;
    drawBoard(this.#board, report.view.board);
    const [black, white] = this.#players;
    this.root = element(
      "article",
      { class: "running-game" },
      element("header", {}, this.#name, this.#turn),
      black.root,
      this.#board,
      white.root,
      this.#notes,
      this.#last,
    );
    this.draw(game);
  }

  /** @param {LiveGame} game */
  draw(game) {
    this.game = game;
    this.#drawBoard(game);
    Object.assign(this.root.dataset, { game: game.id, turns: game.turns });
    this.#name.textContent = game.id;
    this.#turn.textContent = game.turns === 0 ? "about to begin" : `turn ${game.turns}`;
    for (const { side, root, name } of this.#players) {
      name.textContent = game.players[side];
      root.title = `${game.players[side].slice(0, 200)} plays ${report.view.board.sides[side]}`;
      root.classList.toggle("at-work", game.at_work === side);
    }
    this.#notes.textContent = game.notes;
    this.#drawLast(game);
    this.tick();
  }

  /** @param {LiveGame} game */
  #drawBoard({ boards, turns, players, last_move: move }) {
    const { board } = report.view;
    const [before, now = before] = unpackBoards(boards, board.squares.length);
    placePieces(this.#board, board, turns > 0 ? { ...now, move } : { ...now, changed: [] });
    const words = `${players.black} against ${players.white}, board after ${counted(turns, "turn")}`;
    this.#board.setAttribute("aria-label", words);
  }

  /** @param {LiveGame} game */
  #drawLast({ id, over, last_move: move, last_side: side }) {
    if (!over) {
      setChildren(this.#last, side ? [element("span", { class: `key ${side}` }), shortMove(move)] : null);
      return;
    }
    this.root.dataset.over = over.score;
    this.#name.href = gameAddress(id, "last");
    for (const { side, root } of this.#players) root.classList.toggle("winner", WINNERS[over.score] === side);
    setChildren(this.#last, element("strong", {}, over.score), " ", prose(over.verdict));
  }

  /** Lets the clock of whoever is at work run: by the time that has passed, until the time that is charged is known. */
  tick() {
    const { game } = this;
    const passedUs = Math.max(0, Date.now() + aheadMs - game.since_unix_ms) * 1000;
    for (const { side, time, bar } of this.#players) {
      const runs = game.at_work === side;
      const left = Math.max(0, game.left_us[side] - (runs ? passedUs : 0));
      const words = runs ? `≈ ${(left / 1e6).toFixed(1)} s` : seconds(left);
      if (time.textContent !== words) time.textContent = words;
      bar.style.width = `${(100 * left) / Math.max(game.play_time_cpu_us[side], 1)}%`;
    }
  }
}

/** @param {Side} side */
function playerLine(side) {
  const name = element("bdi", { class: "cut" });
  const time = element("span", { class: "time" });
  const bar = element("span", { class: "left" });
  const track = element("span", { class: "track", "aria-hidden": "true" }, bar);
  const key = element("span", { class: `key ${side}` });
  return {
    side,
    name,
    time,
    bar,
    root: element("div", { class: "player", "data-side": side }, key, name, time, track),
  };
}
