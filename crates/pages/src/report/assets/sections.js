// The parts of the page, and how they are kept up to date.

import { agents } from "./agents.js";
import { bracketDrawing } from "./bracket.js";
import { crosstable } from "./crosstable.js";
import { element, find, part, prose, setChildren } from "./elements.js";
import { gameList } from "./games.js";
import { grades } from "./grades.js";
import { ladderStandings, participants } from "./ladder.js";
import { losses } from "./losses.js";
import { ReplayPanel } from "./replay.js";
import { rankedAgents, report, shortened } from "./report.js";
import { rounds } from "./rounds.js";
import { conditions, standings } from "./standings.js";

/** @import { Child } from "./elements.js" */
/** @import { View } from "./view.d.ts" */
/**
 * @typedef {object} Part
 * @property {string} id
 * @property {string} title
 * @property {(view: View) => unknown} from what it is made from; `null` or `undefined` where there is nothing to show
 * @property {() => Child[]} make
 */
/** @typedef {{ from: string, section: HTMLElement, body: HTMLElement }} DrawnPart */

/** @param {View} view */
const agentNames = ({ agents }) => agents.map(({ name }) => name);
/** @param {View} view */
const gameIds = ({ games }) => games.map(({ id }) => id);

/** @type {Part[]} */
const PARTS = [
  { id: "grades", title: "Grades", from: (view) => view.grades && [view.grades, gameIds(view)], make: grades },
  {
    id: "standings",
    title: "Standings",
    from: ({ grades, ladder, agents, remarks }) => {
      if (ladder) return ladder;
      return grades || rankedAgents().length === 0 ? null : [agents, remarks];
    },
    make: () => (report.view.ladder ? ladderStandings(report.view.ladder) : standings()),
  },
  {
    id: "participants",
    title: "Participants",
    from: ({ ladder, games }) => ladder && [ladder, games],
    make: () => (report.view.ladder ? participants(report.view.ladder) : []),
  },
  {
    id: "bracket",
    title: "Bracket",
    from: (view) => (view.brackets ? [view.rounds, view.brackets, agentNames(view), gameIds(view)] : null),
    make: () => (report.view.brackets ?? []).flatMap(bracketDrawing),
  },
  {
    id: "crosstable",
    title: "Crosstable",
    from: (view) => (view.grades || view.ladder || rankedAgents().length < 3 ? null : [view.agents, gameIds(view)]),
    make: crosstable,
  },
  {
    id: "rounds",
    title: "Rounds",
    from: (view) => (view.rounds.length === 0 ? null : [view.rounds, view.brackets, agentNames(view), gameIds(view)]),
    make: rounds,
  },
  { id: "losses", title: "What lost the games", from: ({ losses }) => losses, make: losses },
  { id: "missing", title: "Missing games", from: ({ missing }) => missing, make: missing },
  { id: "games", title: "Games", from: (view) => [view.games, agentNames(view), view.planned], make: games },
  {
    id: "agents",
    title: "Agents",
    from: ({ agents, rejected }) => (rankedAgents().length + rejected.length === 0 ? null : [agents, rejected]),
    make: agents,
  },
  { id: "conditions", title: "Conditions", from: ({ facts }) => facts, make: conditions },
];

/** @type {Map<string, DrawnPart>} */
const drawnParts = new Map();

/** @type {ReplayPanel | null} There is none as long as there is no game. */
let replay = null;

export const replayPanel = () => replay;

/** The replay stays in its place; the list below it is made anew. */
function games() {
  if (report.view.games.length === 0) return [element("p", {}, "No game is finished yet.")];
  if (!replay) {
    const { content } = find("#replay-template", HTMLTemplateElement);
    replay = new ReplayPanel(/** @type {HTMLElement} */ (part(".replay", content).cloneNode(true)));
  }
  return [gameList()];
}

/** Which games have no result, and why. */
function missing() {
  const lines = report.view.missing ?? [];
  return [
    element(
      "ul",
      { class: "review" },
      lines.map((line) => element("li", {}, prose(line))),
    ),
  ];
}

/** Draws what is not yet as the view has it. */
export function drawPage() {
  const { view } = report;
  document.title = view.title;
  part("#title").textContent = view.title;
  part("#run").replaceChildren(...headline(view));
  for (const one of PARTS) drawPart(one, view);
  const shown = PARTS.filter(({ id }) => drawnParts.get(id)?.section.hidden === false);
  part("#contents").replaceChildren(...shown.map(({ id, title }) => element("a", { href: `#${id}` }, title)));
}

/** @param {Part} part @param {View} view */
function drawPart(part, view) {
  const from = JSON.stringify(part.from(view) ?? null);
  const before = drawnParts.get(part.id);
  if (before?.from === from) return;
  const { section, body } = before ?? newSection(part);
  drawnParts.set(part.id, { from, section, body });
  section.hidden = from === "null";
  setChildren(body, section.hidden ? [] : part.make());
  if (part.id !== "games" || !replay) return;
  if (!replay.root.isConnected) body.before(replay.root);
}

/**
 * Whose page it is, and what was played, in one line.
 * @param {View} view
 */
function headline({ subject, run, facts }) {
  const said = facts.filter(({ name }) => ["game", "games", "clock"].includes(name));
  const words = said.map(({ name, value }) =>
    name === "games" ? value.replace(" finished", " games finished") : value,
  );
  const conditions = words.join(" · ");
  if (subject) return ["report for ", shortened(subject), ` · ${conditions}`];
  return [run === null ? conditions : `run ${run} · ${conditions}`];
}

/** @param {Part} part */
function newSection({ id, title }) {
  const body = element("div", { class: "body" });
  const heading = element("h2", { id: `${id}-title` }, title);
  const section = element("section", { id, "aria-labelledby": heading.id, tabindex: -1 }, heading, body);
  part("#main").append(section);
  return { section, body };
}
