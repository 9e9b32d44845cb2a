// Each agent: its results, what it lost by its own fault, where its time went.

import { bars, histogram } from "./charts.js";
import { element, lazyDetails, prose } from "./elements.js";
import { counted } from "./format.js";
import { listGames } from "./games.js";
import { agentName, rankedAgents, report, shortened } from "./report.js";
import { nameColumn, numberColumn, table } from "./table.js";

/** @import { Child } from "./elements.js" */
/** @import { RankedAgent, Rejected } from "./view.d.ts" */

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
  const { remarks = [], close_calls: closeCalls, cpu_us: cpu } = agent;
  return [
    ...remarks.map((remark) => element("p", { class: "faint" }, prose(remark))),
    closeCalls > 0 ? element("p", {}, `${counted(closeCalls, "close call")} in its results`) : null,
    element("div", { class: "boxes" }, resultsTable(index, agent), forfeitsTable(agent)),
    cpu ? element("div", { class: "boxes" }, histogram(cpu, agent.cpu_us_bins), bars(agent.cpu_us_by_move)) : null,
  ];
}

/** @param {number} index @param {RankedAgent} agent */
function resultsTable(index, { name, against }) {
  if (against.length === 0) return null;
  const rows = against.map(({ agent: other, won, drawn, lost }) => {
    const show = element("button", { type: "button", class: "plain", "data-key": `games ${index} ${other}` }, "show");
    show.addEventListener("click", () => listGames({ pair: [index, other] }));
    return [shortened(agentName(other)), ...[won, drawn, lost].map(String), show];
  });
  return table(
    `Results of ${name.slice(0, 60)}`,
    [nameColumn("against"), ...["won", "drawn", "lost", "games"].map(numberColumn)],
    rows,
  );
}

/** @param {RankedAgent} agent */
function forfeitsTable({ name, forfeits }) {
  const rows = Object.entries(forfeits).map(([kind, count]) => [kind.replaceAll("-", " "), String(count)]);
  if (rows.length === 0) return null;
  return table(
    `Games that ${name.slice(0, 60)} lost by its own fault`,
    [nameColumn("kind"), numberColumn("games")],
    rows,
  );
}
