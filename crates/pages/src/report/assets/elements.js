// How elements are made and found. Texts become text, never markup: nothing else puts anything onto a page.

/** @typedef {Node | string | null | readonly Child[]} Child A child of an element; `null` is none. */
/** @typedef {Record<string, string | number | null>} Attributes The attributes of an element; `null` is none. */

// A page names no address, not even this one; its template has a drawing.
const SVG_NAMESPACE = document.querySelector("template")?.content.querySelector("svg")?.namespaceURI ?? null;

/**
 * Makes an HTML element.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 */
export function element(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/**
 * Makes a part of a drawing.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 */
export function svgElement(tag, attributes = {}, ...children) {
  const made = /** @type {SVGElementTagNameMap[Tag]} */ (document.createElementNS(SVG_NAMESPACE, tag));
  return filled(made, attributes, children);
}

/**
 * @template {Element} Made
 * @param {Made} made
 * @param {Attributes} attributes
 * @param {Child[]} children
 */
function filled(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null) made.setAttribute(name, String(value));
  }
  made.append(...flat(children));
  return made;
}

/**
 * Puts these children in the place of those that an element has.
 * @param {Element} parent
 * @param {...Child} children
 */
export const setChildren = (parent, ...children) => parent.replaceChildren(...flat(children));

/**
 * The text of a child and of all within it.
 * @param {Child} child
 * @returns {string}
 */
export const textOf = (child) =>
  flat([child])
    .map((part) => (typeof part === "string" ? part : (part.textContent ?? "")))
    .join("");

/**
 * @param {readonly Child[]} children
 * @returns {(Node | string)[]}
 */
function flat(children) {
  return children.flatMap((child) => {
    if (child === null) return [];
    return typeof child === "string" || child instanceof Node ? [child] : flat(child);
  });
}

/**
 * The first element that `selector` finds, which has to be there.
 * @template {Element} Kind
 * @param {string} selector
 * @param {new () => Kind} kind
 * @param {ParentNode} [root]
 */
export function find(selector, kind, root = document) {
  const found = root.querySelector(selector);
  if (!(found instanceof kind)) throw new Error(`the page has no \`${selector}\``);
  return found;
}

/**
 * The same for the most frequent kind.
 * @param {string} selector
 * @param {ParentNode} [root]
 */
export const part = (selector, root = document) => find(selector, HTMLElement, root);

/**
 * All HTML elements that `selector` finds.
 * @param {string} selector
 * @param {ParentNode} [root]
 */
export function parts(selector, root = document) {
  return [...root.querySelectorAll(selector)].filter((found) => found instanceof HTMLElement);
}

/**
 * The data that a script element of the page holds as JSON.
 * @param {string} id
 */
export const embeddedJson = (id) => JSON.parse(part(`#${id}`).textContent ?? "");

/**
 * A sentence; what stands between backticks becomes code.
 * @param {string} text
 * @returns {Child[]}
 */
export function prose(text) {
  const pieces = text.split("`");
  const isBalanced = pieces.length % 2 === 1;
  return isBalanced ? pieces.map((piece, at) => (at % 2 === 0 ? piece : element("code", {}, piece))) : [text];
}

/**
 * A box that scrolls by itself, also by keys, where its inside is too wide or too high.
 * @param {string} label
 * @param {...Child} inside
 */
export function scroller(label, ...inside) {
  const attributes = { class: "wide", role: "region", "aria-label": label, tabindex: 0, "data-keep": label };
  return element("div", attributes, ...inside);
}

/** @type {Map<string, boolean>} Which details the reader has opened or closed, by their keys. */
const opened = new Map();
/** @type {WeakMap<Element, () => void>} What fills the inside of details, before they are first opened. */
const fillers = new WeakMap();

/**
 * Details whose inside is made when they are first opened: a large run has many that nobody opens.
 * @param {string} key
 * @param {Child} summary
 * @param {() => Child[]} makeInside
 * @param {{ isOpen: boolean }} [start] whether they are open before the reader says otherwise
 */
export function lazyDetails(key, summary, makeInside, { isOpen } = { isOpen: false }) {
  const details = element("details", { "data-key": key }, element("summary", {}, summary));
  const fill = () => {
    if (details.open && details.children.length === 1) details.append(...flat(makeInside()));
  };
  details.addEventListener("toggle", () => {
    opened.set(key, details.open);
    fill();
  });
  fillers.set(details, fill);
  details.open = opened.get(key) ?? isOpen;
  fill();
  return details;
}

/**
 * Opens details at once, with their inside.
 * @param {Element | null} details
 */
export function unfold(details) {
  if (!(details instanceof HTMLDetailsElement)) return;
  details.open = true;
  fillers.get(details)?.();
}
