
// ---- Elements ----

const SVG = document.querySelector("template").content.querySelector("svg").namespaceURI;

/** An element with attributes and children; texts become text, and `null` nothing. */
function element(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

/** The same for a part of a drawing. */
function drawn(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

function filled(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) if (value !== null) made.setAttribute(name, value);
  made.append(...children.flat(Infinity).filter((child) => child !== null));
  return made;
}

/** A time in seconds with two decimals, from microseconds. */
const clock = (us) => `${(us / 1e6).toFixed(2)} s`;
/** A shorter time in the unit that suits it. */
const brief = (us) => (us >= 1e6 ? `${(us / 1e6).toFixed(2)} s` : `${(us / 1e3).toFixed(1)} ms`);
/** A bound of a bin, which is a round number. */
const round = (us) => (us >= 1e6 ? `${us / 1e6} s` : us >= 1e3 ? `${us / 1e3} ms` : `${us} µs`);
const signed = (number) => (number > 0 ? "+" : "") + Math.round(number);
const counted = (number, thing) => `${number} ${thing}${number === 1 ? "" : "s"}`;
const address = (id, ply) => `#game=${encodeURIComponent(id)}&ply=${ply}`;
const agentAddress = (index) => `#agent=${index}`;

/** A name, cut by the style where it is too long for its place; the whole of it is in the text. */
const named = (index) => element("bdi", { class: "cut" }, referee.view.agents[index].name);
const linked = (index) => element("a", { href: agentAddress(index) }, named(index));

/** A sentence, with what stands between backticks set as code. */
function prose(text) {
  const parts = text.split("`");
  return parts.length % 2 === 0 ? [text] : parts.map((part, at) => (at % 2 === 0 ? part : element("code", {}, part)));
}

const number = (title) => ({ title, kind: "number" });
const name = (title) => ({ title, kind: "name" });
const text = (title) => ({ title, kind: "text" });

/**
 * A table with a caption. A column is its title, or `{title, kind}` with `number`, `name` or `text` as the kind; the
 * first column of kind `name` heads the rows.
 */
function table(caption, columns, rows) {
  const all = columns.map((column) => (typeof column === "string" ? { title: column, kind: null } : column));
  const header = all.findIndex(({ kind }) => kind === "name");
  const head = all.map(({ title, kind }) => element("th", { scope: "col", class: kind }, title));
  const body = rows.map((cells) =>
    element("tr", {}, cells.map((cell, column) =>
      column === header
        ? element("th", { scope: "row", class: "name" }, cell)
        : element("td", { class: all[column].kind }, cell))));
  return scroller(caption, element("table", {},
    element("caption", {}, caption), element("thead", {}, element("tr", {}, head)), element("tbody", {}, body)));
}

/** A box that scrolls by itself, also by keys, where its inside is too wide or too high. */
function scroller(label, ...inside) {
  return element("div", { class: "wide", role: "region", "aria-label": label, tabindex: 0, "data-keep": label }, ...inside);
}

/** Which details the reader has opened or closed, by their keys. */
const opened = new Map();

/** Details whose inside is made when they are first opened: a large run has many that nobody opens. */
function later(key, summary, inside, open = false) {
  const details = element("details", { "data-key": key }, summary);
  const fill = () => {
    if (details.open && details.children.length === 1) details.append(...inside());
  };
  details.addEventListener("toggle", () => {
    opened.set(key, details.open);
    fill();
  });
  details.open = opened.get(key) ?? open;
  fill();
  return details;
}
