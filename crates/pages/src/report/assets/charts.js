// Charts: how an agent's time is spread, and the times of one game.

import { SIDES } from "./board.js";
import { element, find, part, setChildren, svgElement } from "./elements.js";
import { counted, roundTime, seconds, shortTime } from "./format.js";
import { report } from "./report.js";

/** @import { Child } from "./elements.js" */
/** @import { UnpackedGame } from "./turns.js" */
/** @import { Bin, PerSide, Side, Spread, Version } from "./view.d.ts" */

/** A shorter course of points says no more than its last number. */
const SHORTEST_COURSE = 3;
/** A single rating is no curve. */
const SHORTEST_CURVE = 2;

/**
 * How many moves took how long.
 * @param {Spread} spread
 * @param {Bin[]} bins
 */
export function histogram({ count, median, most_but_5_percent: most95, most }, bins) {
  const highest = Math.max(...bins.map((bin) => bin.count));
  const times = `median ${shortTime(median)}, 95th percentile ${shortTime(most95)}, maximum ${shortTime(most)}`;
  const rows = bins.map((bin) => histogramRow(bin, highest));
  return element(
    "figure",
    { class: "chart histogram" },
    element("figcaption", {}, `CPU time of ${counted(count, "move")}: ${times}`),
    element("ul", {}, rows),
  );
}

/** @param {Bin} bin @param {number} highest */
function histogramRow({ from, count }, highest) {
  const bar = element("span", { class: "bar" });
  bar.style.width = `${(100 * count) / highest}%`;
  return element(
    "li",
    {},
    element("span", { class: "label" }, `≥ ${roundTime(from)}`),
    element("span", { class: "track" }, bar),
    element("span", { class: "label" }, String(count)),
  );
}

/**
 * The mean time of the first move, the second, and so on.
 * @param {number[]} means
 */
export function bars(means) {
  const most = Math.max(...means, 1);
  const box = { viewBox: `0 0 ${means.length} 100`, preserveAspectRatio: "none", "aria-hidden": "true" };
  return element(
    "figure",
    { class: "chart" },
    element("figcaption", {}, `Mean CPU time by move number, 1 to ${means.length}: maximum ${shortTime(most)}`),
    svgElement(
      "svg",
      { class: "bars", ...box },
      means.map((us, at) => column(us / most, at, "mean")),
    ),
  );
}

/**
 * The points of an agent as they grow, below the line of one that has won everything.
 * @param {{ step: string, steps: { points: number, games: number }[] }} progress
 */
export function pointsChart({ step, steps }) {
  if (steps.length < SHORTEST_COURSE) return null;
  /** @param {"points" | "games"} kind */
  const sums = (kind) => {
    let sum = 0;
    return [0, ...steps.map((it) => (sum += it[kind]))];
  };
  const [points, games] = [sums("points"), sums("games")];
  const most = games[steps.length];
  /** @param {number[]} sums @param {string} kind */
  const path = (sums, kind) =>
    svgElement("path", { class: kind, d: `M${sums.map((sum, at) => `${at} ${100 - (95 * sum) / most}`).join("L")}` });
  const words = `Points after each ${step}: ${points[steps.length]} of ${most} after ${counted(steps.length, step)}`;
  const box = { viewBox: `0 0 ${steps.length} 100`, preserveAspectRatio: "none", "aria-hidden": "true" };
  return element(
    "figure",
    { class: "chart" },
    element("figcaption", {}, words),
    svgElement("svg", { class: "points", ...box }, path(games, "all"), path(points, "own")),
  );
}

/**
 * The ratings of a participant's versions with their errors, and the line of the reference.
 * @param {Version[]} versions
 */
export function ratingCurve(versions) {
  const rated = versions.flatMap(({ number, rating }) => (rating ? [{ number, ...rating }] : []));
  if (rated.length < SHORTEST_CURVE) return null;
  const [low, high] = [Math.min(0, ...rated.map((one) => one.low)), Math.max(0, ...rated.map((one) => one.high))];
  /** @param {number} elo */
  const y = (elo) => (96 - (92 * (elo - low)) / Math.max(high - low, 1)).toFixed(2);
  const points = rated.map(({ elo }, at) => `${at + 0.5} ${y(elo)}`);
  const errors = rated.map((one, at) =>
    svgElement("line", { class: "range", x1: at + 0.5, x2: at + 0.5, y1: y(one.low), y2: y(one.high) }),
  );
  const box = { viewBox: `0 0 ${rated.length} 100`, preserveAspectRatio: "none", "aria-hidden": "true" };
  const [first, last] = [rated[0], rated[rated.length - 1]];
  const words = `Elo of versions ${first.number} to ${last.number}, with errors at 95\u{a0}%: from ${Math.round(first.elo)} to ${Math.round(last.elo)}`;
  return element(
    "figure",
    { class: "chart curve" },
    element("figcaption", {}, words),
    svgElement(
      "svg",
      box,
      svgElement("line", { class: "zero", x1: 0, x2: rated.length, y1: y(0), y2: y(0) }),
      errors,
      svgElement("path", { class: "own", d: `M${points.join("L")}` }),
    ),
  );
}

/** @param {number} share of the greatest height @param {number} at @param {string} kind */
function column(share, at, kind) {
  const height = 95 * share;
  return svgElement("rect", { class: kind, x: at + 0.1, width: 0.8, y: 100 - height, height });
}

/**
 * Draws the CPU time of each turn, and what both clocks have left after it.
 * @param {UnpackedGame} shown
 * @param {Element} used the figure of the times of turns
 * @param {Element} left the figure of what is left
 */
export function drawGameCharts(shown, used, left) {
  const { packed, sides, last } = shown;
  const known = SIDES.filter((side) => packed.play_time_cpu_us[side] !== null);
  const most = Math.max(...packed.charged_cpu_us, 1);
  const full = Math.max(...known.map((side) => packed.play_time_cpu_us[side] ?? 0), 1);
  const columns = packed.charged_cpu_us.map((us, at) => column(us / most, at, sides[at]));
  const courses = known.map((side) => course(shown.clocks, side, full));
  /** @param {Side} side */
  const entry = (side) =>
    element("span", { class: "legend" }, element("span", { class: `key ${side}` }), report.view.board.sides[side]);
  const legend = () => known.map((side) => [entry(side), " "]);
  drawChart(used, last, ["CPU time per turn, maximum ", element("b", {}, shortTime(most)), " ", legend()], columns);
  // With a limit for each move, nobody watches what is left of the whole.
  left.toggleAttribute("hidden", packed.move_time_cpu_us !== undefined);
  drawChart(left, last, ["Time left, of ", element("b", {}, seconds(full)), " ", legend()], courses);
}

/** @param {PerSide<number | null>[]} clocks @param {Side} side @param {number} full */
function course(clocks, side, full) {
  const points = clocks.map((now, at) => `${at} ${(100 - (95 * (now[side] ?? 0)) / full).toFixed(2)}`);
  return svgElement("path", { class: side, d: `M${points.join("L")}` });
}

/** @param {Element} figure @param {number} last @param {Child[]} caption @param {Element[]} drawn */
function drawChart(figure, last, caption, drawn) {
  setChildren(part("figcaption", figure), caption);
  const svg = find("svg", SVGSVGElement, figure);
  svg.setAttribute("viewBox", `0 0 ${Math.max(last, 1)} 100`);
  svg.setAttribute("preserveAspectRatio", "none");
  svg.replaceChildren(...drawn, svgElement("line", { class: "now", x1: 0, x2: 0, y1: 0, y2: 100 }));
}
