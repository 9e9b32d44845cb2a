// The panel in which a game is stepped through. There is one, which stays whatever is drawn anew around it.

import { analysisWords, drawAnalysis, markOf, showScores } from "./analysis.js";
import { boardWords, drawBoard, placePieces, SIDES } from "./board.js";
import { drawGameCharts } from "./charts.js";
import { element, find, part, parts, prose, setChildren } from "./elements.js";
import { answerWords, chargedWords, endingParts, leftBehindParts, moveList } from "./ending.js";
import { counted, roundTime, seconds } from "./format.js";
import { markCurrent } from "./games.js";
import { gameAddress, gameOf, isRunning, playerName, report, shortened } from "./report.js";
import { loadTurns, unpackGame } from "./turns.js";

/** @import { UnpackedGame } from "./turns.js" */
/** @import { Side } from "./view.d.ts" */

const STEP_MS = 700;
const PLAY_ICON = "M5 3.5v13l11-6.5z";
const PAUSE_ICON = "M5 4h3.5v12H5zM11.5 4H15v12h-3.5z";

/** @type {Record<string, string>} */
const ACTIONS_BY_KEY = {
  ArrowLeft: "previous",
  ArrowUp: "previous",
  ArrowRight: "next",
  ArrowDown: "next",
  Home: "first",
  End: "last",
  " ": "play",
  t: "turn",
};

export class ReplayPanel {
  /** @type {ReturnType<typeof setInterval> | null} Runs while the game plays by itself. */
  #timer = null;
  /** @type {{ id: string } | null} The game that the reader wants to see; `#shown` may still be another. */
  #wanted = null;
  /** @type {UnpackedGame | null} */
  #shown = null;
  /** How many turns the board that is shown comes after. */
  #turn = 0;
  /** What the parts that do not change from turn to turn were made from. */
  #described = "";
  /** Whether the side that starts at the top is at the bottom. */
  #isTurned = false;

  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.slider = find("input", HTMLInputElement, root);
    this.board = find(".board", SVGSVGElement, root);
    drawBoard(this.board, report.view.board);
    part("[data-do=turn]", root).hidden = report.view.board.near === undefined;
    this.slider.addEventListener("input", () => this.#go(Number(this.slider.value)));
    for (const button of parts("button", root)) {
      button.addEventListener("click", () => this.#act(button.dataset.do ?? ""));
    }
    root.addEventListener("keydown", (event) => this.#pressed(event));
    part(".moves", root).addEventListener("click", (event) => this.#moveClicked(event));
    for (const chart of root.querySelectorAll(".chart svg")) {
      if (!(chart instanceof SVGSVGElement)) continue;
      chart.addEventListener("click", (event) => this.#chartClicked(chart, event));
    }
  }

  /** Whether a game was asked for. */
  get isInUse() {
    return this.#wanted !== null;
  }

  /**
   * Shows a game at a turn.
   * @param {string} id
   * @param {number | "last"} turn
   */
  async open(id, turn) {
    this.#stop();
    const wanted = { id };
    this.#wanted = wanted;
    if (this.#shown?.game.id !== id) this.root.setAttribute("aria-busy", "true");
    try {
      const packed = await loadTurns(id);
      // The reader may have gone elsewhere meanwhile, and the view may be another.
      const game = gameOf(id);
      if (this.#wanted !== wanted || !game) return;
      this.#shown = unpackGame(game, packed);
    } catch (error) {
      if (this.#wanted === wanted) this.#fail(id, error);
      return;
    }
    this.#describe();
    this.#showTurn(turn === "last" ? this.#shown.last : turn);
    this.root.removeAttribute("aria-busy");
  }

  /** @param {string} id @param {unknown} error */
  #fail(id, error) {
    this.#described = "";
    part(".verdict", this.root).textContent = error instanceof Error ? error.message : String(error);
    part(".pairing", this.root).textContent = id;
    this.root.removeAttribute("aria-busy");
  }

  /** Shows what a newer view has of the game that is shown. */
  async refresh() {
    const shown = this.#shown;
    const game = shown && gameOf(shown.game.id);
    if (!game) {
      if (!this.isInUse && report.view.games.length > 0) await this.open(report.view.games[0].id, 0);
      return;
    }
    const isSame = game.turns === shown.game.turns && game.score === shown.game.score;
    if (!isSame) {
      const follows = this.#turn === shown.last && this.#timer === null;
      await this.open(game.id, follows ? "last" : this.#turn);
      return;
    }
    this.#shown = { ...shown, game };
    this.#describe();
    this.#showTurn(this.#turn);
  }

  /** Makes everything that does not change from turn to turn, where it is not the same as before. */
  #describe() {
    const shown = this.#shown;
    if (!shown) return;
    const { game, packed, last } = shown;
    const index = report.gameIndex.get(game.id) ?? 0;
    const players = SIDES.map((side) => playerName(game, side));
    const described = JSON.stringify([game, index, report.view.games.length, players]);
    if (described === this.#described) return;
    this.#described = described;
    this.slider.max = String(last);
    this.#title(shown, players);
    setChildren(part(".verdict", this.root), prose(game.verdict));
    part(".ending", this.root).replaceChildren(...endingParts(packed, game.verdict));
    this.#listMoves(shown);
    const time = (packed.time ?? []).map((sentence) => element("p", {}, prose(sentence)));
    part(".time-story", this.root).replaceChildren(...time);
    const [used, left] = this.root.querySelectorAll(".side .chart");
    drawGameCharts(shown, used, left);
    drawAnalysis(shown, part(".analysis", this.root));
    this.#linkNeighbour(".before", index - 1);
    this.#linkNeighbour(".after", index + 1);
    markCurrent(game.id);
  }

  /** @param {UnpackedGame} shown @param {string[]} players */
  #title({ game }, [black, white]) {
    const result = isRunning(game) ? "in progress" : game.score;
    part(".pairing", this.root).replaceChildren(
      shortened(black),
      " – ",
      shortened(white),
      " ",
      element("small", {}, `${result} · ${game.id}`),
    );
  }

  /** @param {UnpackedGame} shown */
  #listMoves(shown) {
    const list = part(".moves", this.root);
    const focused = document.activeElement;
    const turn = focused instanceof HTMLElement && list.contains(focused) ? focused.dataset.ply : undefined;
    list.replaceChildren(...moveList(shown));
    if (turn !== undefined) part(`[data-ply="${turn}"]`, list).focus({ preventScroll: true });
  }

  /** @param {string} selector @param {number} index */
  #linkNeighbour(selector, index) {
    const link = find(selector, HTMLAnchorElement, this.root);
    const game = report.view.games[index];
    link.hidden = !game;
    if (game) link.href = gameAddress(game.id, 0);
  }

  /**
   * Shows the board after so many turns, and puts it into the address.
   * @param {number} turn
   */
  #go(turn) {
    this.#showTurn(turn);
    // Replaced, not added: one step back leaves the game, as a reader expects.
    if (this.#shown) history.replaceState(null, "", gameAddress(this.#shown.game.id, this.#turn));
  }

  /** @param {number} turn */
  #showTurn(turn) {
    const shown = this.#shown;
    if (!shown) return;
    this.#turn = Math.min(Math.max(turn || 0, 0), shown.last);
    this.#showPosition(shown);
    for (const side of SIDES) this.#showClock(shown, side);
    showScores(shown, this.#turn, part(".analysis", this.root));
    const words = this.#sentence(shown);
    this.slider.value = String(this.#turn);
    this.slider.setAttribute("aria-valuetext", words.replaceAll("`", ""));
    setChildren(part(".live", this.root), prose(words));
    part(".left-behind", this.root).replaceChildren(...leftBehindParts(shown.packed, this.#turn));
    this.#markMove();
    for (const line of this.root.querySelectorAll(".now")) {
      line.setAttribute("x1", String(this.#turn - 0.5));
      line.setAttribute("x2", String(this.#turn - 0.5));
    }
    this.root.dataset.at = `${shown.game.id}:${this.#turn}`;
  }

  /** @param {UnpackedGame} shown */
  #showPosition({ packed, boards, moves }) {
    const { cells, changed } = boards[this.#turn];
    const isStart = this.#turn === 0;
    const move = isStart ? "" : moves[this.#turn - 1];
    const board = { ...report.view.board, isTurned: this.#isTurned };
    const better = markOf(packed.analysis, this.#turn + 1)?.better;
    placePieces(this.board, board, { cells, changed: isStart ? [] : changed, move, better });
    this.board.setAttribute("aria-label", `board after ${counted(this.#turn, "turn")}`);
    part(".notes", this.root).textContent = packed.notes?.[this.#turn] ?? "";
    part("#board-words", this.root).textContent = boardWords(report.view.board, cells);
  }

  /** @param {UnpackedGame} shown @param {Side} side */
  #showClock({ game, packed, clocks, sides }, side) {
    const clock = part(`.clock[data-side="${side}"]`, this.root);
    const left = clocks[this.#turn][side];
    clock.classList.toggle("to-move", side === sides[this.#turn]);
    part(".who", clock).textContent = playerName(game, side);
    const time = part(".time", clock);
    const limit = packed.move_time_cpu_us ?? Number.POSITIVE_INFINITY;
    const words = limit < (left ?? 0) ? `${roundTime(limit)} per move` : `${seconds(left ?? 0)} left`;
    time.textContent = left === null ? "" : words;
    time.dataset.us = String(left === null ? left : Math.min(left, limit));
  }

  /** What has just happened. @param {UnpackedGame} shown */
  #sentence(shown) {
    const { game, sides, last } = shown;
    const turn = this.#turn;
    const analyzed = analysisWords(shown, turn);
    if (turn === 0) return [`start of ${counted(last, "turn")}`, ...analyzed].join("; ");
    const time = chargedWords(shown, turn);
    const who = playerName(game, sides[turn - 1]);
    const move = `turn ${turn}: ${who}: ${answerWords(shown, turn)}${time === "" ? "" : ` (${time})`}`;
    return [move, ...analyzed, ...(turn === last && !isRunning(game) ? [game.verdict] : [])].join("; ");
  }

  #markMove() {
    const list = part(".moves", this.root);
    list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const now = list.querySelector(`[data-ply="${this.#turn}"]`);
    now?.setAttribute("aria-current", "step");
    // Not `scrollIntoView`, which would move the page, too.
    list.scrollTop = now instanceof HTMLElement ? now.offsetTop - list.clientHeight / 2 : 0;
  }

  /** Turns the board by half. */
  #turnBoard() {
    this.#isTurned = !this.#isTurned;
    drawBoard(this.board, { ...report.view.board, isTurned: this.#isTurned });
    this.root.classList.toggle("turned", this.#isTurned);
    part("[data-do=turn]", this.root).setAttribute("aria-pressed", String(this.#isTurned));
    if (this.#shown) this.#showPosition(this.#shown);
  }

  /** @param {string} action of a button or a key */
  #act(action) {
    if (action === "turn") {
      if (report.view.board.near !== undefined) this.#turnBoard();
      return;
    }
    const wasPlaying = this.#timer !== null;
    this.#stop();
    if (action === "play" && !wasPlaying) this.#play();
    const last = this.#shown?.last ?? 0;
    /** @type {Record<string, number>} */
    const turns = { first: 0, previous: this.#turn - 1, next: this.#turn + 1, last };
    if (action in turns) this.#go(turns[action]);
  }

  #play() {
    if (this.#turn === this.#shown?.last) this.#go(0);
    this.#timer = setInterval(() => {
      this.#go(this.#turn + 1);
      if (this.#turn === this.#shown?.last) this.#stop();
    }, STEP_MS);
    this.#showPlaying();
  }

  #stop() {
    clearInterval(this.#timer ?? undefined);
    this.#timer = null;
    this.#showPlaying();
  }

  #showPlaying() {
    const isPlaying = this.#timer !== null;
    const button = part("[data-do=play]", this.root);
    find("path", SVGPathElement, button).setAttribute("d", isPlaying ? PAUSE_ICON : PLAY_ICON);
    part("span", button).textContent = isPlaying ? "pause" : "play";
    button.setAttribute("aria-label", isPlaying ? "Pause" : "Play");
    // Nobody can listen as fast as it plays.
    part(".live", this.root).setAttribute("aria-live", isPlaying ? "off" : "polite");
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    const { key, target } = event;
    const action = ACTIONS_BY_KEY[key];
    if (!action || event.ctrlKey || event.altKey || event.metaKey) return;
    // Space on a button or a link is that button's business, and a list scrolls with the upright arrows.
    const isOnControl = target instanceof Element && target.closest("button, a") !== null;
    const isUpright = key === "ArrowUp" || key === "ArrowDown";
    if ((key === " " && isOnControl) || (isUpright && target !== this.slider)) return;
    event.preventDefault();
    this.#act(action);
  }

  /** @param {MouseEvent} event */
  #moveClicked(event) {
    const link = event.target instanceof Element && event.target.closest("a");
    if (!link) return;
    event.preventDefault();
    this.#stop();
    this.#go(Number(link.dataset.ply));
  }

  /** @param {SVGSVGElement} chart @param {MouseEvent} event */
  #chartClicked(chart, event) {
    const { left, width } = chart.getBoundingClientRect();
    const box = chart.viewBox.baseVal;
    this.#go(Math.round(box.x + ((event.clientX - left) / width) * box.width + 0.5));
  }
}
