// Where the reader is on the page, kept while the page is drawn anew.

import { part, parts } from "./elements.js";

/** @typedef {{ section: string, words: string }} Mark What an element can be found by once it is made anew. */

/**
 * Makes a change, and brings the reader back to where the page was.
 * @param {HTMLElement | undefined} lasting a part that stays whatever is drawn anew
 * @param {() => void} change
 */
export function keepPlace(lasting, change) {
  const focus = lasting?.contains(document.activeElement) ? null : markOf(document.activeElement);
  const scrolled = parts("[data-keep]").map((box) => ({
    label: box.dataset.keep,
    left: box.scrollLeft,
    top: box.scrollTop,
  }));
  const anchor = [...(lasting ? [lasting] : []), ...parts("main > section")].find(isInSight);
  const top = anchor?.getBoundingClientRect().top ?? 0;
  change();
  for (const { label, left, top } of scrolled) {
    const box = parts("[data-keep]").find((box) => box.dataset.keep === label);
    box?.scrollTo({ left, top, behavior: "instant" });
  }
  if (focus) marked(focus)?.focus({ preventScroll: true });
  if (anchor && scrollY > 0) scrollBy({ top: anchor.getBoundingClientRect().top - top, behavior: "instant" });
}

/**
 * Whether this is what the reader looks at: at a third of the window.
 * @param {HTMLElement} node
 */
function isInSight(node) {
  const { top, bottom } = node.getBoundingClientRect();
  return top < innerHeight / 3 && bottom > innerHeight / 3;
}

/** @param {Element | null} node @returns {Mark | null} */
function markOf(node) {
  const section = node?.closest("section[id]");
  if (!section || !(node instanceof HTMLElement)) return null;
  const group = node.closest("[data-key]")?.getAttribute("data-key") ?? "";
  const own = node.getAttribute("href") ?? node.id;
  return { section: section.id, words: `${node.tagName} ${group} ${own} ${node.dataset.keep ?? ""}` };
}

/** @param {Mark} mark */
function marked({ section, words }) {
  const all = parts("a, button, input, summary, select, [tabindex]", part(`#${section}`));
  return all.find((node) => markOf(node)?.words === words);
}
