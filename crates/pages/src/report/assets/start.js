// The start of a report, and what other scripts may use of it.
//
// It knows no rules: every board of every game is in the view model of crates/pages/src/report/view.rs. The policy of the page
// forbids all scripts but this one, and every request but for what crates/pages/src/report/page.rs names.
//
// What tests, files beside the page and styles may rely on: the functions of `referee`; `.replay` has
// `data-at="ID:PLY"` and no `aria-busy` once a game is shown; a square of the board is `.square` with `data-square`
// (its name in moves) and `data-piece`; clocks are `.clock[data-side] .time` with `data-us`; moves are `.moves
// [data-ply]`; the parts of the page are sections with the ids in `PARTS` of sections.js.

import { element, part, parts, prose, unfold } from "./elements.js";
import { keepPlace } from "./reader.js";
import { report, setView } from "./report.js";
import { drawPage, replayPanel } from "./sections.js";
import { chooseRows } from "./table.js";
import { receiveBundle } from "./turns.js";

/** @import { View } from "./view.d.ts" */

/**
 * Shows a newer view. Only what has changed is drawn anew; the reader stays at the same place: section, game, turn,
 * open details, filter, focus and scrolling. Whoever looks at the last turn of a running game is taken along to its
 * new one.
 * @param {View} view
 */
export async function showView(view) {
  keepPlace(replayPanel()?.root, () => {
    setView(view);
    drawPage();
  });
  await replayPanel()?.refresh();
}

/**
 * Shows a game at a turn.
 * @param {string} id
 * @param {number | "last"} turn
 */
export async function openGame(id, turn) {
  await replayPanel()?.open(id, turn);
}

/**
 * Goes where the address of the page says: `#game=ID&ply=N`, `#agent=NAME`, `#student=NAME`, `#participant=NAME`, or a section with what is
 * chosen in its table: `#games&of=NAME&result=lost&sort=turns`.
 */
async function followAddress() {
  const wanted = new URLSearchParams(location.hash.slice(1));
  const [id, agent, student] = [wanted.get("game"), wanted.get("agent"), wanted.get("student")];
  const participant = wanted.get("participant");
  document.getElementById("missing-target")?.remove();
  if (id !== null && report.gameIndex.has(id)) return goToGame(id, wanted.get("ply"));
  if (id !== null) reportMissing("game", id);
  else if (agent !== null) goToDetails("agent", agent, report.view.agents);
  else if (student !== null) goToDetails("student", student, report.view.grades?.students ?? []);
  else if (participant !== null) goToDetails("participant", participant, report.view.ladder?.participants ?? []);
  else goToSection(wanted);
  if (!replayPanel()?.isInUse && report.view.games.length > 0) await openGame(report.view.games[0].id, 0);
}

/** @param {URLSearchParams} wanted */
function goToSection(wanted) {
  const [[id, value], ...choice] = [...wanted, ["", ""]];
  const section = value === "" ? document.getElementById(id) : null;
  if (!section) return;
  chooseRows(id, Object.fromEntries(choice.slice(0, -1)));
  const of = wanted.get("of");
  if (of !== null && report.view.agents.every(({ name }) => name !== of)) reportMissing("agent", of);
  // The list of games is below the game that is shown; a link to some of them goes to the list.
  const target = (wanted.size > 1 && section.querySelector(".filters")) || section;
  target.scrollIntoView();
  section.focus({ preventScroll: true });
}

/**
 * Says that the address names something that is not here.
 * @param {string} kind @param {string} name
 */
function reportMissing(kind, name) {
  const words = `There is no ${kind} \`${name}\` in this report. The link may belong to another report.`;
  part("#main").before(element("p", { id: "missing-target", class: "notice", role: "status" }, prose(words)));
}

/** @param {string} id @param {string | null} turn */
async function goToGame(id, turn) {
  part("#games").scrollIntoView();
  replayPanel()?.root.focus({ preventScroll: true });
  await openGame(id, turn === "last" ? turn : Number.parseInt(turn ?? "", 10));
}

/**
 * Opens the details of one, which may be in the closed list of all.
 * @param {"agent" | "student" | "participant"} kind
 * @param {string} name
 * @param {{ name: string }[]} all
 */
function goToDetails(kind, name, all) {
  const id = `${kind}-${all.findIndex((one) => one.name === name)}`;
  if (!document.getElementById(id)) unfold(document.getElementById(`all-${kind}s`));
  const details = document.getElementById(id);
  if (!details) return reportMissing(kind, name);
  unfold(details);
  details.scrollIntoView();
  details.querySelector("summary")?.focus({ preventScroll: true });
}

/** @type {HTMLElement[]} What was opened to be printed. */
let openedToPrint = [];

/** On paper nothing can be opened any more. The rounds of a large class would be eighty pages that repeat the crosstable. */
function openDetails() {
  const closed = ":is(#crosstable, #grades, #participants) details:not([open], .inline)";
  for (let found = parts(closed); found.length > 0; found = parts(closed)) {
    found.forEach(unfold);
    openedToPrint.push(...found);
  }
}

function closeDetails() {
  for (const details of openedToPrint) details.removeAttribute("open");
  openedToPrint = [];
}

const referee = {
  get view() {
    return report.view;
  },
  show: showView,
  open: openGame,
  bundle: receiveBundle,
};
Object.assign(globalThis, { referee });

drawPage();
followAddress();
addEventListener("hashchange", followAddress);
addEventListener("beforeprint", openDetails);
addEventListener("afterprint", closeDetails);
