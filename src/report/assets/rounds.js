// The rounds of a competition, with the brackets of those in which who loses is out.

import { bracketDrawing, seats } from "./bracket.js";
import { element, lazyDetails } from "./elements.js";
import { agentName, gameAddress, report } from "./report.js";

/** @import { Meeting, Round } from "./view.d.ts" */

export function rounds() {
  const { brackets = [] } = report.view;
  if (brackets.length === 0) return roundList();
  return [...brackets.flatMap(bracketDrawing), lazyDetails("rounds", "Round by round, with every game", roundList)];
}

function roundList() {
  return report.view.rounds.filter(({ meetings, byes }) => meetings.length + byes.length > 0).map(roundParts);
}

/** @param {Round} round */
function roundParts({ number, meetings, byes }) {
  const names = byes.flatMap((agent, at) => [at === 0 ? "" : ", ", element("bdi", {}, agentName(agent))]);
  return element(
    "div",
    { class: "round" },
    element("h3", {}, `Round ${number}`),
    element("ul", { class: "meetings" }, meetings.map(meetingEntry)),
    byes.length === 0 ? null : element("p", { class: "faint" }, "bye: ", names),
  );
}

/** @param {Meeting} meeting */
function meetingEntry(meeting) {
  const games = meeting.games.filter((id) => report.gameIndex.has(id));
  const links = games.flatMap((id) => [element("a", { href: gameAddress(id, 0) }, id), " "]);
  return element("li", {}, seats(meeting), element("small", {}, links));
}
