// Everybody against everybody, by rank.

import { element, lazyDetails, scroller } from "./elements.js";
import { agentLink, rankedAgents } from "./report.js";
import { tableCaption } from "./table.js";

/** @import { Against, RankedAgent } from "./view.d.ts" */

/** A crosstable of more agents than this is made only when it is asked for. */
const MAX_AT_ONCE = 40;

export function crosstable() {
  const agents = rankedAgents();
  if (agents.length <= MAX_AT_ONCE) return [wholeTable(agents)];
  const summary = `Results of all ${agents.length} agents against each other`;
  return [lazyDetails("crosstable", summary, () => [wholeTable(agents)])];
}

/** @param {[number, RankedAgent][]} agents */
function wholeTable(agents) {
  const label = "Points and games of each row's agent against each column's agent, by rank";
  const ranks = agents.map(([, { rank, name }]) => element("th", { scope: "col", title: name.slice(0, 80) }, rank));
  const head = element(
    "tr",
    {},
    element("th", { scope: "col", class: "number rank" }, "#"),
    element("th", { scope: "col", class: "name" }, "agent"),
    ranks,
  );
  const rows = agents.map(([index, agent]) => tableRow(index, agent, agents));
  const body = element("tbody", {}, rows);
  const heads = element("thead", {}, head);
  const table = element("table", { class: "crosstable" }, tableCaption(label), heads, body);
  table.style.setProperty("--columns", String(agents.length));
  const made = scroller(label, table);
  made.classList.add("tall");
  return made;
}

/**
 * @param {number} index
 * @param {RankedAgent} agent
 * @param {[number, RankedAgent][]} agents
 */
function tableRow(index, agent, agents) {
  const results = new Map(agent.against.map((against) => [against.agent, against]));
  const cells = agents.map(([other]) =>
    other === index ? element("td", { class: "self", "aria-label": "itself" }) : cell(results.get(other)),
  );
  return element(
    "tr",
    {},
    element("td", { class: "number rank" }, agent.rank),
    element("th", { scope: "row", class: "name" }, agentLink(index)),
    cells,
  );
}

/** @param {Against | undefined} results */
function cell(results) {
  if (!results) return element("td");
  const { won, drawn, lost } = results;
  const games = won + drawn + lost;
  const points = won + drawn / 2;
  const title = `${won} won, ${drawn} drawn, ${lost} lost`;
  const share = Math.round((4 * points) / games);
  return element("td", { class: `share-${share}`, title }, games === 1 ? String(points) : `${points}/${games}`);
}
