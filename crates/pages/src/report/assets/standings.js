// Who stands where: standings with ratings, and the conditions of the run.

import { element, prose, svgElement } from "./elements.js";
import { gamesAddress } from "./games.js";
import { agentLink, rankedAgents, ratingWords, report } from "./report.js";
import { chosenTable, nameColumn, numberColumn, textColumn } from "./table.js";

/** @import { Child } from "./elements.js" */
/** @import { Column, RankedAgent, Rating } from "./view.d.ts" */
/** @typedef {{ low: number, high: number }} Scale */

export function conditions() {
  const facts = report.view.facts.map(({ name, value }) =>
    element("div", {}, element("dt", {}, name), element("dd", {}, value)),
  );
  return [element("dl", {}, facts)];
}

export function standings() {
  const scales = ratingScales();
  const reasons = [...new Set(rankedAgents().flatMap(([, { unrated }]) => unrated ?? []))];
  const rows = rankedAgents();
  const all = report.view.columns.map(({ title, rare }, at) => ({ title, rare, at }));
  const shown = all.filter(({ rare, at }) => !rare || rows.some(([, { cells }]) => cells[at] !== "0"));
  const counts = shown.map(({ title }) => (title === "agent" ? nameColumn(title) : numberColumn(title)));
  // Ratings of different groups are on different scales.
  const groups = scales.size > 1 ? [numberColumn("group")] : [];
  const bars = scales.size > 0 ? [...groups, textColumn("interval")] : [];
  const columns = [...counts, numberColumn("Elo (95 %)"), ...bars];
  return [
    winners(),
    chosenTable({
      key: "standings",
      caption: () => "Agents by rank, with their plausible ranks and their ratings at a confidence of 95 %",
      columns,
      rows,
      cells: ([index, agent]) => standingsRow(index, agent, { scales, reasons, shown }),
    }),
    element(
      "ul",
      { class: "remarks" },
      report.view.remarks.map((remark) => element("li", {}, prose(remark))),
      reasons.map((reason, at) => element("li", {}, footnoteMark(at), " ", reason)),
    ),
  ];
}

/** @returns {Child} */
function winners() {
  const all = report.view.winners ?? [];
  if (all.length === 0) return null;
  const links = all.flatMap((index, place) => [place > 0 ? ", " : "", agentLink(index)]);
  return element("p", { class: "winners" }, all.length > 1 ? "Winners: " : "Winner: ", ...links);
}

/**
 * @typedef {object} Common What all rows share.
 * @property {Map<number, Scale>} scales
 * @property {string[]} reasons the footnotes: why agents have no rating
 * @property {(Column & { at: number })[]} shown the columns, with their places among all
 */

/** @param {number} index @param {RankedAgent} agent @param {Common} common @returns {Child[]} */
function standingsRow(index, agent, { scales, reasons, shown }) {
  const { name, rating } = agent;
  const counts = shown.map(({ title, at }) => cell(index, name, title, agent.cells[at]));
  const elo = rating ? ratingWords(rating) : ["–", footnoteMark(reasons.indexOf(agent.unrated ?? ""))];
  const cells = [...counts, elo];
  if (scales.size === 0) return cells;
  const group = scales.size > 1 ? [rating ? String(rating.group) : null] : [];
  return [...cells, ...group, rating ? errorBar(rating, scales.get(rating.group) ?? rating) : null];
}

/** @param {number} index @param {string} name @param {string} title @param {string} text @returns {Child} */
function cell(index, name, title, text) {
  if (title === "agent") return agentLink(index);
  if (title !== "by fault" || text === "0") return text;
  return element("a", { href: gamesAddress({ of: name, result: "lost", ending: "fault" }) }, text);
}

/** @param {number} at of a footnote, negative for none @returns {Child} */
const footnoteMark = (at) => (at < 0 ? null : element("sup", {}, String(at + 1)));

/** The lowest and the highest end of all intervals of each group: the scale of its bars. */
function ratingScales() {
  /** @type {Map<number, Scale>} */
  const scales = new Map();
  for (const { low, high, group } of rankedAgents().flatMap(([, { rating }]) => rating ?? [])) {
    const known = scales.get(group) ?? { low, high };
    scales.set(group, { low: Math.min(low, known.low), high: Math.max(high, known.high) });
  }
  return scales;
}

/** @param {Rating} rating @param {Scale} scale */
export function errorBar({ elo, low, high }, scale) {
  /** @param {number} value */
  const x = (value) => 4 + (92 * (value - scale.low)) / Math.max(scale.high - scale.low, 1);
  const box = { class: "error-bar", viewBox: "0 0 100 12", preserveAspectRatio: "none", "aria-hidden": "true" };
  return svgElement(
    "svg",
    box,
    svgElement("line", { class: "axis", x1: 0, x2: 100, y1: 6, y2: 6 }),
    svgElement("line", { class: "range", x1: x(low), x2: x(high), y1: 6, y2: 6 }),
    svgElement("rect", { class: "value", x: x(elo) - 0.8, y: 2, width: 1.6, height: 8 }),
  );
}
