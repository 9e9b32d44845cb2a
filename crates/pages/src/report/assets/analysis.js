// What an analysis says of a game: the sentences, the curve of the expected score, the marks of moves, the same as a table.

import { SIDES } from "./board.js";
import { element, find, lazyDetails, part, prose, scroller, setChildren, svgElement } from "./elements.js";
import { moveWords } from "./format.js";
import { gameAddress, report } from "./report.js";
import { tableCaption } from "./table.js";

/** @import { UnpackedGame } from "./turns.js" */
/** @import { Analysis, Side } from "./view.d.ts" */
/** @typedef {{ kind: "decisive" | "mistake" | "unclear", sign: string, words: string, better: string }} Mark */

/**
 * What is said of a turn; `null` if nothing is.
 * @param {Analysis | undefined} analysis
 * @param {number} turn
 * @returns {Mark | null}
 */
export function markOf(analysis, turn) {
  const mistake = analysis?.mistakes?.[turn];
  if (mistake !== undefined && analysis?.decisive === turn) {
    return { kind: "decisive", sign: "??", words: "decisive mistake", better: mistake };
  }
  if (mistake !== undefined) return { kind: "mistake", sign: "?", words: "mistake", better: mistake };
  const unclear = analysis?.unclear?.[turn];
  return unclear === undefined ? null : { kind: "unclear", sign: "?!", words: "unclear", better: unclear };
}

/**
 * The mark of a turn for the list of moves.
 * @param {Analysis | undefined} analysis
 * @param {number} turn
 */
export function markSign(analysis, turn) {
  const mark = markOf(analysis, turn);
  if (!mark) return null;
  return element("span", { class: `mark ${mark.kind}`, role: "img", "aria-label": mark.words }, mark.sign);
}

/** @param {number} hundredths */
const score = (hundredths) => (hundredths / 100).toFixed(2);

/** @param {number} black @param {Side} side */
const scoreOfSide = (black, side) => score(side === "black" ? black : 100 - black);

/**
 * What is to be said of the position after so many turns; empty without an analysis.
 * @param {UnpackedGame} shown
 * @param {number} turn
 */
export function analysisWords({ packed: { analysis }, sides }, turn) {
  if (!analysis) return [];
  const mark = markOf(analysis, turn);
  const next = markOf(analysis, turn + 1);
  const fall = mark && [turn - 1, turn].map((at) => scoreOfSide(analysis.black[at], sides[turn - 1])).join(" to ");
  return [
    ...(mark ? [`${mark.words}: expected score from ${fall}; better was \`${mark.better}\``] : []),
    ...(next ? [`a better move than the next one is \`${next.better}\``] : []),
  ];
}

/**
 * Draws what does not change from turn to turn, or hides all of it.
 * @param {UnpackedGame} shown
 * @param {HTMLElement} root
 */
export function drawAnalysis(shown, root) {
  const { analysis } = shown.packed;
  root.hidden = analysis === undefined;
  if (!analysis) return;
  const { decisive, sentences = [] } = analysis;
  const address = decisive === undefined ? "" : gameAddress(shown.game.id, decisive - 1);
  const link = element("a", { href: address }, `show the position before turn ${decisive}`);
  setChildren(
    part(".story", root),
    sentences.map((sentence) => element("p", {}, prose(sentence))),
    decisive === undefined ? null : element("p", {}, link),
  );
  drawCurve(find("svg", SVGSVGElement, root), analysis, shown.last);
  const key = `analysis ${shown.game.id}`;
  const details = lazyDetails(key, "expected scores as a table", () => [scoreTable(shown, analysis)]);
  details.classList.add("inline");
  part(".numbers", root).replaceChildren(details);
}

/** A position stands where the charts of time have the turn before it. @param {number} position */
const placeOfPosition = (position) => position - 0.5;

/** @param {SVGSVGElement} svg @param {Analysis} analysis @param {number} last */
function drawCurve(svg, { black, mistakes = {}, unclear = {}, decisive }, last) {
  svg.setAttribute("viewBox", `-1 0 ${last + 1} 100`);
  svg.setAttribute("preserveAspectRatio", "none");
  const points = black.map((hundredths, at) => `${placeOfPosition(at)} ${100 - hundredths}`);
  const [first, end] = [100 - black[0], 100 - black[last]];
  const below = `M-1 100L-1 ${first}L${points.join("L")}L${last} ${end}L${last} 100Z`;
  /** @param {string} kind */
  const marks = (kind) => (/** @type {string} */ turn) => {
    const name = Number(turn) === decisive ? "decisive" : kind;
    const x = Number(turn) - 1;
    return svgElement("line", { class: `mark ${name}`, x1: x, x2: x, y1: 0, y2: 100 });
  };
  svg.replaceChildren(
    svgElement("rect", { class: "white", x: -1, y: 0, width: last + 1, height: 100 }),
    svgElement("path", { class: "share black", d: below }),
    svgElement("line", { class: "half", x1: -1, x2: last, y1: 50, y2: 50 }),
    svgElement("path", { class: "own", d: `M${points.join("L")}` }),
    ...Object.keys(unclear).map(marks("unclear")),
    ...Object.keys(mistakes).map(marks("mistake")),
    svgElement("line", { class: "now", x1: 0, x2: 0, y1: 0, y2: 100 }),
  );
}

/**
 * Says the expected scores after so many turns.
 * @param {UnpackedGame} shown
 * @param {number} turn
 * @param {HTMLElement} root
 */
export function showScores({ packed: { analysis } }, turn, root) {
  if (!analysis) return;
  const black = analysis.black[turn];
  const entries = SIDES.map((side) => [
    element("span", { class: "legend" }, element("span", { class: `key ${side}` }), report.view.board.sides[side]),
    " ",
    element("b", {}, scoreOfSide(black, side)),
    " ",
  ]);
  setChildren(part("figcaption", root), "Expected score ", entries);
}

/** @param {UnpackedGame} shown @param {Analysis} analysis */
function scoreTable({ moves, last }, analysis) {
  const { black } = report.view.board.sides;
  const heads = ["turn", "move", `score of ${black}`, "judgement"].map((title) =>
    element("th", { scope: "col" }, title),
  );
  const rows = Array.from({ length: last + 1 }, (_, turn) => {
    const mark = markOf(analysis, turn);
    const cells = [
      turn === 0 ? "start" : moveWords(moves[turn - 1]),
      score(analysis.black[turn]),
      mark ? prose(`${mark.words}; better was \`${mark.better}\``) : null,
    ];
    const header = element("th", { scope: "row", class: "number" }, String(turn));
    return element("tr", {}, header, ...cells.map((cell) => element("td", {}, cell)));
  });
  const caption = `expected score of ${black} after each turn`;
  const inside = [tableCaption(caption), element("thead", {}, element("tr", {}, heads)), element("tbody", {}, rows)];
  const box = scroller(caption, element("table", {}, inside));
  box.classList.add("tall");
  return box;
}
