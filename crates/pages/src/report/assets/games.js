// The list of games, and what of it is listed.

import { element, part, parts, prose } from "./elements.js";
import { counted } from "./format.js";
import { agentName, gameAddress, isRunning, report, scoreOf, shortened } from "./report.js";
import { chosenAddress, chosenTable, nameColumn, numberColumn, shortColumn, textColumn } from "./table.js";

/** @import { Choice, Filter } from "./table.js" */
/** @import { Game } from "./view.d.ts" */

/** The game that is shown above the list. */
let currentId = "";

/**
 * The address of the list of these games.
 * @param {Choice} choice by the names of the filters
 */
export const gamesAddress = (choice) => chosenAddress("games", choice);

/** Marks the game that is shown. @param {string} id */
export function markCurrent(id) {
  currentId = id;
  for (const row of parts(".game-list tbody tr")) row.classList.toggle("current", row.dataset.game === id);
}

export function gameList() {
  const { games, planned, board } = report.view;
  const all = counted(games.length, "game");
  const sides = [textColumn(board.sides.black), textColumn(board.sides.white)];
  const [bar, ...list] = chosenTable({
    key: "games",
    caption: (count) =>
      count === games.length
        ? `${games.length} of ${counted(planned, "game")}; select one to replay it`
        : `${count} of ${all}, by the filters above`,
    columns: [nameColumn("game"), ...sides, shortColumn("result"), numberColumn("turns"), textColumn("how it ended")],
    rows: games,
    cells: gameRow,
    filters: FILTERS,
    onDraw: (shown, rows) => {
      for (const [at, row] of rows.entries()) row.dataset.game = shown[at].id;
      markCurrent(currentId);
    },
  });
  const made = element("div", { class: "game-list" }, bar, ...list);
  const box = part(".wide", made);
  box.classList.add("tall");
  box.dataset.keep = "games";
  return made;
}

/** @param {Game} game */
function gameRow(game) {
  return [
    element("a", { href: gameAddress(game.id, 0) }, game.id),
    shortened(agentName(game.black)),
    shortened(agentName(game.white)),
    isRunning(game) ? "–" : game.score,
    String(game.turns),
    element("span", { class: "cut" }, prose(game.verdict)),
  ];
}

/** @param {Game} game @param {string} name of an agent */
const hasPlayer = ({ black, white }, name) => agentName(black) === name || agentName(white) === name;

/** @type {Record<string, (game: Game) => boolean>} What a result may be, as long as no agent is chosen. */
const RESULTS = {
  first: ({ score }) => score === "1-0",
  second: ({ score }) => score === "0-1",
  drawn: ({ score }) => score === "½-½",
};

/** @type {Record<string, { words: string, holds: (game: Game) => boolean }>} Endings of several kinds. */
const SOME_ENDINGS = {
  fault: { words: "lost by a fault", holds: (game) => game.forfeit },
  close: { words: "close calls", holds: (game) => game.close_call },
  on: { words: "in progress", holds: isRunning },
};

/** @type {Filter<Game>[]} */
const FILTERS = [
  {
    name: "of",
    title: "all agents",
    options: () => report.view.agents.map(({ name }) => [name, name.slice(0, 60)]),
    holds: hasPlayer,
  },
  {
    name: "against",
    title: "all opponents",
    options: ({ of }) => (of ? opponentsOf(of).map((name) => [name, `against ${name.slice(0, 60)}`]) : []),
    holds: hasPlayer,
  },
  { name: "result", title: "all results", options: resultOptions, holds: hasResult },
  { name: "ending", title: "all endings", options: endingOptions, holds: hasEnding },
];

/** @param {string} of */
function opponentsOf(of) {
  const { games, agents } = report.view;
  const met = new Set(games.filter((game) => hasPlayer(game, of)).flatMap(({ black, white }) => [black, white]));
  return agents.map(({ name }) => name).filter((name, index) => met.has(index) && name !== of);
}

/** @param {Choice} choice @returns {[string, string][]} */
function resultOptions({ of }) {
  const { black, white } = report.view.board.sides;
  /** @type {[string, string][]} */
  const all = [
    ["first", `${black} won`],
    ["second", `${white} won`],
    ["drawn", "drawn"],
  ];
  const offered = all.filter(([value]) => report.view.games.some(RESULTS[value]));
  return of ? [["won", `won by ${of.slice(0, 60)}`], ["lost", `lost by ${of.slice(0, 60)}`], ...offered] : offered;
}

/** @param {Game} game @param {string} value @param {Choice} choice */
function hasResult(game, value, { of = "" }) {
  const holds = RESULTS[value];
  if (holds) return holds(game);
  const own = agentName(game.black) === of ? "black" : "white";
  return scoreOf(game, own) === (value === "won" ? 1 : 0);
}

/** @returns {[string, string][]} */
function endingOptions() {
  const { games } = report.view;
  const some = Object.entries(SOME_ENDINGS).filter(([, { holds }]) => games.some(holds));
  const endings = new Set(games.map(({ ending }) => ending).filter(Boolean));
  return [
    ...some.map(([value, { words }]) => /** @type {[string, string]} */ ([value, words])),
    ...[...endings].sort().map((ending) => /** @type {[string, string]} */ ([ending, ending])),
  ];
}

/** @param {Game} game @param {string} value */
function hasEnding(game, value) {
  return SOME_ENDINGS[value]?.holds(game) ?? game.ending === value;
}
