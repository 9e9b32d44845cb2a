// The rounds of a competition: every pairing with its games.

import { seats, tieBreak } from "./bracket.js";
import { element, lazyDetails } from "./elements.js";
import { counted } from "./format.js";
import { agentName, gameAddress, report } from "./report.js";

/** @import { Meeting, Round } from "./view.d.ts" */

/** More pairings than this are shown only on request: those of a round robin of 60 agents are 1,770. */
const MAX_AT_ONCE = 24;

export function rounds() {
  const shown = report.view.rounds.filter(({ meetings, byes }) => meetings.length + byes.length > 0);
  const pairings = shown.reduce((sum, { meetings }) => sum + meetings.length, 0);
  const isDrawn = (report.view.brackets ?? []).length > 0;
  const summary = `${counted(shown.length, "round")}, ${counted(pairings, "pairing")}, with a link to every game`;
  const isOpen = !isDrawn && pairings <= MAX_AT_ONCE;
  return [lazyDetails("rounds", summary, () => shown.map(roundParts), { isOpen })];
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
  return element("li", {}, seats(meeting), tieBreak(meeting), element("small", {}, links));
}
