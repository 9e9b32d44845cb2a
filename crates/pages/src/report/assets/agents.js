// Each agent: where it stands, its results, how its games ended, where its time went.

import { bars, histogram, pointsChart } from "./charts.js";
import { element, lazyDetails, prose } from "./elements.js";
import { counted } from "./format.js";
import { gamesAddress } from "./games.js";
import { agentLink, agentName, isRunning, rankedAgents, ratingWords, report, scoreOf } from "./report.js";
import { nameColumn, numberColumn, table } from "./table.js";

/** @import { Child } from "./elements.js" */
/** @import { Game, RankedAgent, Rejected } from "./view.d.ts" */

/** So many agents are open from the beginning, where there are no more. */
const OPEN_AGENTS = 2;
/** The list of more agents than this is closed itself. */
const LISTED_AGENTS = 16;

export function agents() {
  const shown = rankedAgents();
  const start = { isOpen: shown.length <= OPEN_AGENTS };
  const list = () => shown.map(([index, agent]) => agentDetails(index, agent, start));
  return [shown.length > LISTED_AGENTS ? foldedList(shown.length, list) : list(), rejected()];
}

/** @returns {Child} */
function rejected() {
  const { rejected } = report.view;
  const list = () => rejected.map(rejectedParts);
  if (rejected.length <= LISTED_AGENTS) return list();
  return lazyDetails("rejected", `${rejected.length} rejected submissions, and why`, list);
}

/** @param {number} count @param {() => Child[]} list */
function foldedList(count, list) {
  const details = lazyDetails("agents", `${count} agents: results, faults and CPU time of each`, list);
  details.id = "all-agents";
  return details;
}

/** @param {number} index @param {RankedAgent} agent @param {{ isOpen: boolean }} start */
function agentDetails(index, agent, start) {
  const { name, role, games, won, drawn, lost } = agent;
  const summary = [
    element("strong", { class: "cut" }, element("bdi", {}, name)),
    role ? ` (${role})` : "",
    element("span", { class: "faint" }, ` ${counted(games, "game")}: ${won} won, ${drawn} drawn, ${lost} lost`),
  ];
  const details = lazyDetails(`agent ${name}`, summary, () => agentParts(index, agent), start);
  details.id = `agent-${index}`;
  return details;
}

/** @param {Rejected} rejected */
function rejectedParts({ name, fault, compiler = [] }) {
  const who = element("strong", { class: "cut" }, element("bdi", {}, name));
  return [
    element("p", {}, who, " was rejected: ", prose(fault)),
    compiler.length === 0 ? "" : element("pre", { tabindex: 0 }, compiler.join("\n")),
  ];
}

/** @param {number} index @param {RankedAgent} agent @returns {Child[]} */
function agentParts(index, agent) {
  const { name, remarks = [], close_calls: closeCalls, cpu_us: cpu } = agent;
  const close = element("a", { href: gamesAddress({ of: name, ending: "close" }) }, counted(closeCalls, "close call"));
  return [
    element("p", {}, standingWords(agent)),
    ...remarks.map((remark) => element("p", { class: "faint" }, prose(remark))),
    closeCalls > 0 ? element("p", {}, close, " in its results") : null,
    element("div", { class: "boxes" }, resultsTable(agent), endingsTable(name), pointsChart(pointsAfter(index))),
    cpu ? element("div", { class: "boxes" }, histogram(cpu, agent.cpu_us_bins), bars(agent.cpu_us_by_move)) : null,
  ];
}

/** @param {RankedAgent} agent */
function standingWords({ rank, plausible_ranks: ranks, points, games, rating, unrated }) {
  const place = `rank ${rank}${ranks ? ` (by strength ${ranks} at 95\u{a0}%)` : ""}`;
  const said = [
    // In a ladder, the rank that counts is that of a participant; a version's is one among old ones, too.
    ...(report.view.ladder ? [] : [place]),
    `${counted(points, "point")} in ${counted(games, "game")}`,
    rating ? `Elo ${ratingWords(rating)} (95\u{a0}%)` : `no rating${unrated ? `: ${unrated}` : ""}`,
  ];
  return said.join(" · ");
}

/** @param {RankedAgent} agent */
function resultsTable({ name, against }) {
  if (against.length === 0) return null;
  const rows = against.map(({ agent: other, won, drawn, lost }) => {
    const games = gamesAddress({ of: name, against: agentName(other) });
    const show = element("a", { href: games }, String(won + drawn + lost));
    return [agentLink(other), ...[won, drawn, lost].map(String), show];
  });
  const columns = [nameColumn("against"), ...["won", "drawn", "lost", "games"].map(numberColumn)];
  return table(`Results of ${name.slice(0, 60)}`, columns, rows);
}

/**
 * How the games of an agent ended: what it won by, and what it lost by.
 * @param {string} name
 */
function endingsTable(name) {
  /** @type {Map<string, Record<"won" | "drawn" | "lost", number>>} */
  const counts = new Map();
  for (const { score, ending } of finishedGames(name)) {
    const count = counts.get(ending) ?? { won: 0, drawn: 0, lost: 0 };
    count[score === 1 ? "won" : score === 0 ? "lost" : "drawn"] += 1;
    counts.set(ending, count);
  }
  if (counts.size === 0) return null;
  const rows = [...counts].map(([ending, count]) => [
    ending,
    ...Object.entries(count).map(([result, games]) =>
      games === 0 ? "0" : element("a", { href: gamesAddress({ of: name, result, ending }) }, String(games)),
    ),
  ]);
  const columns = [nameColumn("ending"), ...["won", "drawn", "lost"].map(numberColumn)];
  return table(`How games of ${name.slice(0, 60)} ended`, columns, rows);
}

/**
 * The finished games of an agent, with what each was worth to it.
 * @param {string} name
 */
function finishedGames(name) {
  /** @param {Game} game */
  const own = (game) => /** @type {const} */ (["black", "white"]).filter((side) => agentName(game[side]) === name);
  const games = report.view.games.filter((game) => !isRunning(game));
  return games.flatMap((game) => own(game).map((side) => ({ score: scoreOf(game, side), ending: game.ending })));
}

/**
 * The points of an agent after each round, of those that it has played, or after each game where there is one round.
 * @param {number} index
 */
function pointsAfter(index) {
  const { rounds } = report.view;
  const isInRounds = rounds.length > 1;
  const steps = isInRounds
    ? rounds.flatMap(({ meetings }) => {
        const own = meetings.filter(({ agents }) => agents.includes(index));
        const games = own.flatMap((meeting) => meeting.games.filter((id) => report.gameIndex.has(id))).length;
        const points = own.reduce((sum, { agents, points }) => sum + points[agents.indexOf(index)], 0);
        return games === 0 ? [] : [{ points, games }];
      })
    : finishedGames(agentName(index)).map(({ score }) => ({ points: score, games: 1 }));
  return { step: isInRounds ? "round" : "game", steps };
}
