// The list of games, and what of it is listed.

import { element, part, parts, prose } from "./elements.js";
import { counted } from "./format.js";
import { agentName, gameAddress, isRunning, report, shortened } from "./report.js";
import { nameColumn, numberColumn, table, textColumn } from "./table.js";

/** @import { Child } from "./elements.js" */
/** @import { Game } from "./view.d.ts" */
/** @typedef {"all" | "fault" | "close" | "on"} Kind */
/**
 * @typedef {object} Filter
 * @property {string} agent the index of an agent whose games are listed; empty for all
 * @property {[number, number] | null} pair the indices of two agents whose games are listed
 * @property {Kind} kind
 */

/** How many games are listed at once: more would make the page slow and nobody quicker. */
const PAGE = 200;
/** Shorter lists have no filters. */
const LONG_LIST = 10;

/** @type {Filter} */
const EVERYTHING = { agent: "", pair: null, kind: "all" };

/** @type {Record<Kind, { title: string, holds: (game: Game) => boolean }>} */
const KINDS = {
  all: { title: "all endings", holds: () => true },
  fault: { title: "lost by a fault", holds: (game) => game.forfeit },
  close: { title: "close calls", holds: (game) => game.close_call },
  on: { title: "in progress", holds: isRunning },
};

let filter = EVERYTHING;
let mostListed = PAGE;
/** The game that is shown above the list. */
let currentId = "";

/**
 * Lists the games that `wanted` says, and goes there.
 * @param {Partial<Filter>} wanted
 */
export function listGames(wanted) {
  filter = { ...EVERYTHING, ...wanted };
  mostListed = PAGE;
  drawList();
  part(".game-list").scrollIntoView({ block: "nearest" });
}

/**
 * Keeps the filter while the agents get other indices; without those whom it names, everything is listed.
 * @param {(index: number) => number | undefined} newIndex
 */
export function moveFilter(newIndex) {
  const agent = filter.agent === "" ? undefined : newIndex(Number(filter.agent));
  const [a, b] = (filter.pair ?? []).map(newIndex);
  const pair = a === undefined || b === undefined ? null : /** @type {[number, number]} */ ([a, b]);
  filter = { ...filter, agent: String(agent ?? ""), pair };
}

/** Marks the game that is shown. @param {string} id */
export function markCurrent(id) {
  currentId = id;
  for (const row of parts(".game-list tbody tr")) row.classList.toggle("current", row.dataset.game === id);
}

export function drawList() {
  const wanted = wantedGames();
  const list = gamesTable(wanted);
  const box = part(".game-list");
  const scrolled = box.querySelector("[data-keep]")?.scrollTop ?? 0;
  box.replaceChildren(list, ...(wanted.length > mostListed ? [moreButton(wanted.length)] : []));
  list.scrollTop = scrolled;
  markCurrent(currentId);
}

function wantedGames() {
  const { agent, pair, kind } = filter;
  const wanted = [...(agent === "" ? [] : [Number(agent)]), ...(pair ?? [])];
  const { holds } = KINDS[kind];
  return report.view.games.filter((game) => holds(game) && wanted.every((one) => hasPlayer(game, one)));
}

/** @param {Game} game @param {number} agent */
const hasPlayer = ({ black, white }, agent) => black === agent || white === agent;

/** @param {Game[]} wanted */
function gamesTable(wanted) {
  const { games, planned, board } = report.view;
  const all = counted(games.length, "game");
  const isAll = wanted.length === games.length;
  const caption = isAll
    ? `${games.length} of ${counted(planned, "game")}; select one to replay it`
    : `${wanted.length} of ${all}, by the filters above`;
  const sides = [textColumn(board.sides.black), textColumn(board.sides.white)];
  const ends = [numberColumn("result"), numberColumn("turns"), textColumn("how it ended")];
  const shown = wanted.slice(0, mostListed);
  const list = table(caption, [nameColumn("game"), ...sides, ...ends], shown.map(gameRow));
  list.classList.add("tall");
  list.dataset.keep = "games";
  for (const [at, row] of parts("tbody tr", list).entries()) row.dataset.game = shown[at].id;
  return list;
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

/** @param {number} all */
function moreButton(all) {
  const more = element(
    "button",
    { type: "button", class: "more" },
    `show ${Math.min(PAGE, all - mostListed)} more games`,
  );
  more.addEventListener("click", () => {
    mostListed += PAGE;
    drawList();
  });
  return more;
}

/** @returns {Child} */
export function filters() {
  const { agents, games } = report.view;
  if (games.length <= LONG_LIST) return null;
  const names = agents.map(({ name }, index) => element("option", { value: index }, name.slice(0, 60)));
  const all = element("option", { value: "" }, "all agents");
  const agent = element("select", { "aria-label": "Games of", id: "filter-agent" }, all, names);
  const kind = element("select", { "aria-label": "Endings", id: "filter-kind" }, kindOptions());
  agent.value = filter.agent;
  kind.value = filter.kind;
  const choose = () => listGames({ agent: agent.value, kind: /** @type {Kind} */ (kind.value) });
  for (const select of [agent, kind]) select.addEventListener("change", choose);
  return element("p", { class: "filters" }, agent, kind);
}

function kindOptions() {
  const offered = Object.entries(KINDS).filter(([kind, { holds }]) => kind === "all" || report.view.games.some(holds));
  return offered.map(([kind, { title }]) => element("option", { value: kind }, title));
}
