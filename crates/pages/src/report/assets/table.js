// Tables with a caption, in a box that scrolls. The reader sorts them by their headings, finds rows by their text, and
// chooses among them by filters; what was chosen is in the address of the page.

import { element, parts, scroller, setChildren, textOf } from "./elements.js";

/** @import { Child } from "./elements.js" */
/** @typedef {{ title: string, kind: "number" | "name" | "text" | "text long" | "short" }} Column */
/** @typedef {Record<string, string>} Choice What the reader has chosen: `find`, `sort`, and filters by their names. */
/**
 * @template Row
 * @typedef {object} Filter
 * @property {string} name in the address
 * @property {string} title what it says while nothing is chosen
 * @property {(choice: Choice) => [string, string][]} options values and what they are called; without any it is hidden
 * @property {(row: Row, value: string, choice: Choice) => boolean} holds
 */
/**
 * @template {object} Row
 * @typedef {object} Plan
 * @property {string} key a word for what is in the address; it is the section that the table is the main thing of
 * @property {(count: number) => string} caption for so many rows
 * @property {Column[]} columns
 * @property {Row[]} rows
 * @property {(row: Row) => Child[]} cells a cell for each column
 * @property {Filter<Row>[]} [filters]
 * @property {(rows: Row[], made: HTMLElement[]) => void} [onDraw]
 */

/** How many rows are shown at once: more would make the page slow and nobody quicker. */
const PAGE = 200;
/** Shorter tables have no filters. */
const LONG_TABLE = 10;
/** Shorter tables are not sorted. */
const SORTED_TABLE = 3;

/** @type {Map<string, Choice>} */
const choices = new Map();
/** @type {Map<string, () => void>} What draws the rows of a table anew. */
const drawers = new Map();
const collator = new Intl.Collator("en", { numeric: true });

/** @param {string} title @returns {Column} a column of numbers */
export const numberColumn = (title) => ({ title, kind: "number" });
/** @param {string} title @returns {Column} a column of names; the first one heads the rows */
export const nameColumn = (title) => ({ title, kind: "name" });
/** @param {string} title @returns {Column} */
export const textColumn = (title) => ({ title, kind: "text" });
/** @param {string} title @returns {Column} a column of a word or two */
export const shortColumn = (title) => ({ title, kind: "short" });

/** @param {string} title @returns {Column} sentences, for which a narrow screen is moved sideways */
export const remarkColumn = (title) => ({ title, kind: "text long" });

/**
 * A table of which nothing is in the address.
 * @param {string} caption
 * @param {Column[]} columns
 * @param {Child[][]} rows a cell for each column
 */
export const table = (caption, columns, rows) =>
  chosenTable({ key: caption, caption: () => caption, columns, rows, cells: (row) => [...row] });

/**
 * A table with what the reader may choose above it, and its further rows below it.
 * @template {object} Row
 * @param {Plan<Row>} plan
 * @returns {HTMLElement[]}
 */
export function chosenTable(plan) {
  const { key, columns, rows, caption, filters = [] } = plan;
  const [heads, body] = [element("tr"), element("tbody")];
  const title = element("span");
  const made = element("table", {}, element("caption", {}, title), element("thead", {}, heads), body);
  const box = scroller(caption(rows.length), made);
  const more = element("button", { type: "button", class: "more" });
  const selects = filters.map((filter) => ({ filter, select: filterSelect(key, filter) }));
  const find = searchField(key, caption(rows.length));
  heads.append(...columns.map((column) => heading(key, column, { isSorted: rows.length >= SORTED_TABLE })));
  let most = PAGE;
  const draw = () => {
    const choice = choiceOf(key);
    for (const { filter, select } of selects) showOptions(select, filter, choice);
    if (find.value !== (choice.find ?? "")) find.value = choice.find ?? "";
    markSorted(heads, columns, choice.sort);
    const wanted = sorted(
      rows.filter((row) => isWanted(plan, row, choice)),
      plan,
      choice.sort ?? "",
    );
    title.textContent = caption(wanted.length);
    const shown = wanted.slice(0, most);
    body.replaceChildren(...shown.map((row) => tableRow(columns, plan.cells(row))));
    more.textContent = `show ${Math.min(PAGE, wanted.length - most)} more of ${wanted.length}`;
    more.hidden = wanted.length <= most;
    plan.onDraw?.(shown, parts("tr", body));
  };
  more.addEventListener("click", () => {
    most += PAGE;
    draw();
  });
  drawers.set(key, draw);
  draw();
  const bar = element("p", { class: "filters" }, find, ...selects.map(({ select }) => select));
  return [...(rows.length > LONG_TABLE ? [bar] : []), box, more];
}

/** @param {string} key @returns {Choice} */
const choiceOf = (key) => choices.get(key) ?? {};

/**
 * The address of a section with what is chosen in its table.
 * @param {string} key
 * @param {Choice} choice
 */
export const chosenAddress = (key, choice) =>
  [`#${key}`, ...Object.entries(choice).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)].join("&");

/**
 * Shows what an address says, and nothing else.
 * @param {string} key
 * @param {Choice} choice
 */
export function chooseRows(key, choice) {
  choices.set(key, choice);
  drawers.get(key)?.();
}

/** @param {string} key @param {Choice} change */
function changeChoice(key, change) {
  const changed = Object.entries({ ...choiceOf(key), ...change }).filter(([, value]) => value !== "");
  chooseRows(key, Object.fromEntries(changed));
  // Replaced, not added: one step back leaves the table.
  if (document.getElementById(key)) history.replaceState(null, "", chosenAddress(key, choiceOf(key)));
}

/** @param {string} key @param {string} label */
function searchField(key, label) {
  const field = element("input", {
    type: "search",
    id: `find-${key}`,
    placeholder: "find",
    "aria-label": `Find: ${label}`,
  });
  field.addEventListener("input", () => changeChoice(key, { find: field.value }));
  return field;
}

/** @template Row @param {string} key @param {Filter<Row>} filter */
function filterSelect(key, { name, title }) {
  const select = element("select", { id: `filter-${key}-${name}`, "aria-label": title });
  select.addEventListener("change", () => changeChoice(key, { [name]: select.value }));
  return select;
}

/** @template Row @param {HTMLSelectElement} select @param {Filter<Row>} filter @param {Choice} choice */
function showOptions(select, { name, title, options }, choice) {
  const offered = options(choice);
  select.hidden = offered.length === 0;
  // What is no longer offered, because another filter has changed, is not chosen either.
  if (!offered.some(([value]) => value === choice[name])) delete choice[name];
  setChildren(
    select,
    [["", title], ...offered].map(([value, words]) => element("option", { value }, words)),
  );
  select.value = choice[name] ?? "";
}

/**
 * @template {object} Row
 * @param {Plan<Row>} plan
 * @param {Row} row
 * @param {Choice} choice
 */
function isWanted({ cells, filters = [] }, row, choice) {
  const words = (choice.find ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const isHeld = filters.every(({ name, holds }) => !choice[name] || holds(row, choice[name], choice));
  if (!isHeld || words.length === 0) return isHeld;
  const text = cells(row).map(textOf).join("\n").toLowerCase();
  return words.every((word) => text.includes(word));
}

/**
 * @template {object} Row
 * @param {Row[]} rows
 * @param {Plan<Row>} plan
 * @param {string} sort the title of a column, after a minus from the greatest to the least
 */
function sorted(rows, { columns, cells }, sort) {
  const at = columns.findIndex(({ title }) => title === sort.replace(/^-/, ""));
  if (at < 0) return rows;
  const direction = sort.startsWith("-") ? -1 : 1;
  const isNumber = columns[at].kind === "number";
  /** @param {Row} row */
  const keyed = (row) => {
    const text = textOf(cells(row)[at]);
    return { row, text, value: isNumber ? Number.parseFloat(text) : 0 };
  };
  const all = rows.map(keyed);
  // What has no number comes last in both directions.
  all.sort((a, b) => {
    const missing = Number(Number.isNaN(a.value)) - Number(Number.isNaN(b.value));
    if (missing !== 0) return missing;
    return direction * (isNumber ? a.value - b.value || 0 : collator.compare(a.text, b.text));
  });
  return all.map(({ row }) => row);
}

/** @param {string} key @param {Column} column @param {{ isSorted: boolean }} table */
function heading(key, { title, kind }, { isSorted }) {
  if (!isSorted || title === "") return element("th", { scope: "col", class: kind }, title);
  const button = element("button", { type: "button", class: "sort", "data-key": `sort ${key} ${title}` }, title);
  button.addEventListener("click", () => changeChoice(key, { sort: nextSort(title, kind, choiceOf(key).sort) }));
  return element("th", { scope: "col", class: kind }, button);
}

/** Numbers begin with the greatest; a third click gives back the order of the table. */
/** @param {string} title @param {Column["kind"]} kind @param {string | undefined} now */
function nextSort(title, kind, now) {
  const orders = kind === "number" ? [`-${title}`, title] : [title, `-${title}`];
  return orders[now === undefined ? 0 : orders.indexOf(now) + 1] ?? "";
}

/** @param {HTMLElement} heads @param {Column[]} columns @param {string | undefined} sort */
function markSorted(heads, columns, sort = "") {
  for (const [at, head] of [...heads.children].entries()) {
    const { title } = columns[at];
    const order = sort === title ? "ascending" : "descending";
    if (sort.replace(/^-/, "") === title && sort !== "") head.setAttribute("aria-sort", order);
    else head.removeAttribute("aria-sort");
  }
}

/** @param {Column[]} columns @param {Child[]} cells */
function tableRow(columns, cells) {
  const header = columns.findIndex(({ kind }) => kind === "name");
  /** @param {Child} content @param {number} column */
  const cell = (content, column) =>
    column === header
      ? element("th", { scope: "row", class: "name" }, content)
      : element("td", { class: columns[column].kind }, content);
  return element("tr", {}, cells.map(cell));
}

/** @param {string} text stays in sight while the table is scrolled sideways */
export const tableCaption = (text) => element("caption", {}, element("span", {}, text));
