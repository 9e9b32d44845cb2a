// A bracket as a drawing: a card for each match, and the ways of the players between them.

import { element, scroller, svgElement } from "./elements.js";
import { agentName, gameAddress, report, shortened } from "./report.js";

/** @import { Bracket, BracketMatch, Meeting } from "./view.d.ts" */

/** Sizes in rem: a card without and with a line on a tie, the gaps between two, and the heads of the columns. */
const CARD = { width: 12.5, height: 3.3, tiedHeight: 4.3 };
const GAP = { across: 2.75, down: 0.9 };
const HEAD_HEIGHT = 2;
const COLUMN = CARD.width + GAP.across;

/** A bracket of more rows than this scrolls by itself. */
const ROWS_AT_ONCE = 16;

const TITLES = { winners: "Winners' bracket", losers: "Losers' bracket", final: "Final" };

/** @param {Bracket} bracket */
export function bracketDrawing(bracket) {
  const { title, columns, rows } = bracket;
  const size = { width: columns.length * COLUMN - GAP.across, height: HEAD_HEIGHT + rows * rowHeight() };
  const label = title === "" ? "The bracket" : TITLES[title];
  const columnParts = columns.map((round, column) => columnOfCards(bracket, label, round, column));
  const drawing = placed(element("div", { class: "bracket" }, placed(ways(bracket, size), size), columnParts), size);
  const box = scroller(label, drawing);
  if (rows > ROWS_AT_ONCE) box.classList.add("tall");
  return title === "" ? [box] : [element("h3", {}, label), box];
}

const hasTies = () => report.view.rounds.some(({ meetings }) => meetings.some(({ tie_break: why }) => why));
/** All cards have one height, so that the ways between them are even. */
const cardHeight = () => (hasTies() ? CARD.tiedHeight : CARD.height);
const rowHeight = () => cardHeight() + GAP.down;

/** @param {BracketMatch} match */
const left = ({ column }) => column * COLUMN;
/** @param {BracketMatch} match */
const middle = ({ row }) => HEAD_HEIGHT + row * rowHeight() + cardHeight() / 2;

/** @param {Bracket} bracket @param {{ width: number, height: number }} size */
function ways({ matches }, { width, height }) {
  // Where both of a match may go on, the ways cross, and swung lines are easier to follow than straight ones.
  const sources = matches.flatMap(({ from }) => from);
  const draw = new Set(sources).size < sources.length ? swungWay : straightWay;
  const paths = matches.flatMap((match) =>
    match.from.map((from) => svgElement("path", { d: draw(matches[from], match) })),
  );
  return svgElement("svg", { class: "ways", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" }, paths);
}

/** @param {BracketMatch} from @param {BracketMatch} to */
function swungWay(from, to) {
  const [x1, y1, x2, y2] = [left(from) + CARD.width, middle(from), left(to), middle(to)];
  const reach = GAP.across * 0.7;
  return `M${x1} ${y1}C${x1 + reach} ${y1} ${x2 - reach} ${y2} ${x2} ${y2}`;
}

/** @param {BracketMatch} from @param {BracketMatch} to */
function straightWay(from, to) {
  const [x1, y1, x2, y2] = [left(from) + CARD.width, middle(from), left(to), middle(to)];
  const turn = x2 - GAP.across / 2;
  return `M${x1} ${y1}H${turn - 0.4}C${turn + 0.2} ${y1} ${turn - 0.2} ${y2} ${turn + 0.4} ${y2}H${x2}`;
}

/**
 * Two brackets may have a round of one number: what is read aloud names the bracket, too.
 * @param {Bracket} bracket @param {string} label @param {number} round @param {number} column
 */
function columnOfCards({ matches }, label, round, column) {
  const title = `Round ${round}`;
  const here = matches.filter((match) => match.column === column).sort((a, b) => a.row - b.row);
  const cards = here.map((match) =>
    placed(card(match), {
      left: left(match),
      top: middle(match) - cardHeight() / 2,
      width: CARD.width,
      height: cardHeight(),
    }),
  );
  const head = placed(element("p", { class: "column-title" }, title), {
    left: column * COLUMN,
    top: 0,
    width: CARD.width,
  });
  return element("section", { "aria-label": `${label}: ${title}` }, head, element("ol", {}, cards));
}

/**
 * The policy knows no styles in attributes; those that a script sets are its own.
 * @template {HTMLElement | SVGElement} Made
 * @param {Made} made
 * @param {{ left?: number, top?: number, width: number, height?: number }} place in rem
 */
function placed(made, place) {
  for (const [property, rem] of Object.entries(place)) made.style.setProperty(property, `${rem}rem`);
  return made;
}

/** @param {BracketMatch} match */
function card({ meeting, bye }) {
  if (!meeting) {
    const name = shortened(agentName(bye ?? 0));
    return element("li", { class: "card bye" }, element("div", { class: "row" }, name, element("span", {}, "bye")));
  }
  const [round, place] = meeting;
  const shown = report.view.rounds[round].meetings[place];
  const game = shown.games.find((id) => report.gameIndex.has(id));
  const inside = [...seats(shown), ...tieBreak(shown)];
  return element("li", { class: "card" }, game ? element("a", { href: gameAddress(game, 0) }, inside) : inside);
}

/**
 * Why one of two with the same points has gone on, or both.
 * @param {Meeting} meeting
 */
export function tieBreak({ agents, winner, tie_break: why }) {
  if (why === undefined) return [];
  const words = {
    "better seed": "tied: better seed advanced",
    "opponent withdrew": "tied: opponent withdrew",
    "both stay": "tied: both stay",
  };
  const title = winner === null ? null : `${agentName(agents[winner]).slice(0, 80)} advanced`;
  return [element("small", { class: "tie", title }, words[why])];
}

/**
 * The two of a meeting with their points; who has gone on in bold, and nobody who is only ahead.
 * @param {Meeting} meeting
 */
export function seats({ agents, points, winner }) {
  return agents.map((agent, seat) => {
    const row = { class: winner === seat ? "row ahead" : "row" };
    return element("div", row, shortened(agentName(agent)), element("span", {}, String(points[seat])));
  });
}
