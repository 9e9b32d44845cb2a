// Everybody against everybody, by rank.

import { element, lazyDetails, scroller } from "./elements.js";
import { gamesAddress } from "./games.js";
import { agentLink, gameAddress, rankedAgents, report, shortened } from "./report.js";
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
  const isRanked = new Set(agents.map(([, { rank }]) => rank)).size === agents.length;
  const by = isRanked ? "rank" : "name";
  const label = `Points and games of each row's agent against each column's agent, by ${by}`;
  const titles = agents.map(([, { rank, name }]) =>
    element(
      "th",
      { scope: "col", title: name.slice(0, 80), class: isRanked ? null : "upright" },
      isRanked ? rank : shortened(name),
    ),
  );
  const head = element(
    "tr",
    {},
    element("th", { scope: "col", class: "number rank" }, "#"),
    element("th", { scope: "col", class: "name" }, "agent"),
    titles,
  );
  const ids = gamesOfPairs();
  const body = element(
    "tbody",
    {},
    agents.map(([index, agent]) => tableRow(index, agent, agents, ids)),
  );
  const heads = element("thead", {}, head);
  const table = element("table", { class: "crosstable" }, tableCaption(label), heads, body);
  table.style.setProperty("--columns", String(agents.length));
  moveByArrows(table);
  const made = scroller(label, table);
  made.classList.add("tall");
  return made;
}

/** @param {number} a @param {number} b */
const pairOf = (a, b) => `${Math.min(a, b)} ${Math.max(a, b)}`;

/** The names of the finished games of each pair. */
function gamesOfPairs() {
  /** @type {Map<string, string[]>} */
  const ids = new Map();
  for (const { id, black, white, score } of report.view.games) {
    if (score === "*") continue;
    const pair = pairOf(black, white);
    const known = ids.get(pair);
    if (known) known.push(id);
    else ids.set(pair, [id]);
  }
  return ids;
}

/**
 * @param {number} index
 * @param {RankedAgent} agent
 * @param {[number, RankedAgent][]} agents
 * @param {Map<string, string[]>} ids
 */
function tableRow(index, agent, agents, ids) {
  const results = new Map(agent.against.map((against) => [against.agent, against]));
  const cells = agents.map(([other, { name }]) => {
    const against = results.get(other);
    if (other === index) return element("td", { class: "self", "aria-label": "itself" });
    const [only, ...others] = ids.get(pairOf(index, other)) ?? [];
    const isOne = only !== undefined && others.length === 0;
    return against
      ? cell(against, isOne ? gameAddress(only, 0) : gamesAddress({ of: agent.name, against: name }))
      : element("td");
  });
  return element(
    "tr",
    {},
    element("td", { class: "number rank" }, agent.rank),
    element("th", { scope: "row", class: "name" }, agentLink(index)),
    cells,
  );
}

/** @param {Against} results @param {string} href where their games are */
function cell({ won, drawn, lost }, href) {
  const games = won + drawn + lost;
  const points = won + drawn / 2;
  const title = `${won} won, ${drawn} drawn, ${lost} lost`;
  const share = Math.round((4 * points) / games);
  // The keys go from cell to cell by the arrows, so that nobody has to press Tab 3,540 times.
  const link = element("a", { href, title, tabindex: -1 }, games === 1 ? String(points) : `${points}/${games}`);
  return element("td", { class: `share-${share}` }, link);
}

/** One result can be reached by Tab, and the others from it by the arrows. @param {HTMLElement} table */
function moveByArrows(table) {
  table.querySelector("td a")?.setAttribute("tabindex", "0");
  table.addEventListener("keydown", (event) => {
    const step = ARROWS[event.key];
    const cell = event.target instanceof Element && event.target.closest("td");
    if (!step || !cell) return;
    event.preventDefault();
    const next = linkFrom(cell, step);
    if (!next) return;
    event.target.setAttribute("tabindex", "-1");
    next.setAttribute("tabindex", "0");
    next.focus();
  });
}

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * The next result in a direction; cells without one are passed over.
 * @param {HTMLTableCellElement} cell
 * @param {[number, number]} step
 * @returns {HTMLElement | null}
 */
function linkFrom(cell, [right, down]) {
  const row = cell.closest("tr");
  const rows = [...(row?.parentElement?.children ?? [])];
  const next = rows[row ? rows.indexOf(row) + down : -1]?.children[cell.cellIndex + right];
  if (!(next instanceof HTMLTableCellElement) || next.tagName !== "TD") return null;
  return next.querySelector("a") ?? linkFrom(next, [right, down]);
}
