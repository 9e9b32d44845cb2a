// Tables with a caption, in a box that scrolls.

import { element, scroller } from "./elements.js";

/** @import { Child } from "./elements.js" */
/** @typedef {{ title: string, kind: "number" | "name" | "text" | "text long" }} Column */

/** @param {string} title @returns {Column} a column of numbers */
export const numberColumn = (title) => ({ title, kind: "number" });
/** @param {string} title @returns {Column} a column of names; the first one heads the rows */
export const nameColumn = (title) => ({ title, kind: "name" });
/** @param {string} title @returns {Column} */
export const textColumn = (title) => ({ title, kind: "text" });

/** @param {string} title @returns {Column} sentences, for which a narrow screen is moved sideways */
export const remarkColumn = (title) => ({ title, kind: "text long" });

/**
 * @param {string} caption
 * @param {Column[]} columns
 * @param {Child[][]} rows a cell for each column
 */
export function table(caption, columns, rows) {
  const header = columns.findIndex(({ kind }) => kind === "name");
  const titles = columns.map(({ title, kind }) => element("th", { scope: "col", class: kind }, title));
  /** @param {Child} content @param {number} column */
  const cell = (content, column) =>
    column === header
      ? element("th", { scope: "row", class: "name" }, content)
      : element("td", { class: columns[column].kind }, content);
  const body = rows.map((cells) => element("tr", {}, cells.map(cell)));
  const head = element("thead", {}, element("tr", {}, titles));
  return scroller(caption, element("table", {}, tableCaption(caption), head, element("tbody", {}, body)));
}

/** @param {string} text stays in sight while the table is scrolled sideways */
export const tableCaption = (text) => element("caption", {}, element("span", {}, text));
