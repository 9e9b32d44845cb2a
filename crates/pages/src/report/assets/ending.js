// Beside the board: the list of moves, why the game was lost, what a program left behind.

import { markOf, markSign } from "./analysis.js";
import { element, prose } from "./elements.js";
import { counted, moveWords, shortMove, shortTime } from "./format.js";
import { gameAddress, playerName } from "./report.js";

/** @import { Child } from "./elements.js" */
/** @import { UnpackedGame } from "./turns.js" */
/** @import { Ending, Replay } from "./view.d.ts" */

/** @param {UnpackedGame} shown */
export const moveList = (shown) => shown.moves.map((move, before) => moveEntry(shown, move, before + 1));

/** @param {UnpackedGame} shown @param {string} move @param {number} turn */
function moveEntry(shown, move, turn) {
  const side = shown.sides[turn - 1];
  const time = chargedWords(shown, turn);
  const who = playerName(shown.game, side).slice(0, 80);
  const mark = markOf(shown.packed.analysis, turn);
  const title = [`${who}: ${answerWords(shown, turn)}`, time, mark?.words ?? ""].filter(Boolean).join(", ");
  const isIllegal = move === "" && turn === shown.last && shown.packed.ending !== undefined;
  return element(
    "li",
    { class: side },
    element(
      "a",
      { href: gameAddress(shown.game.id, turn), "data-ply": turn, title },
      element("span", { class: "turn" }, `${turn}.`),
      element("span", { class: `key ${side}` }),
      isIllegal ? illegalAnswer(shown) : element("span", {}, shortMove(move)),
      markSign(shown.packed.analysis, turn),
    ),
  );
}

/**
 * What was written where a valid answer was due, marked; why it is illegal stands beside the list.
 * @param {UnpackedGame} shown
 */
function illegalAnswer({ packed }) {
  const written = packed.ending?.written ?? "";
  const mark = element("span", { class: "cross-mark", role: "img", "aria-label": "illegal" }, "✗");
  return element(
    "span",
    { class: "illegal" },
    mark,
    " ",
    written === "" ? "no valid answer" : element("code", {}, written),
  );
}

/**
 * The move of a turn, or the answer that was none.
 * @param {UnpackedGame} shown
 * @param {number} turn
 */
export function answerWords({ packed, moves, last }, turn) {
  const move = moves[turn - 1];
  const written = packed.ending?.written ?? "";
  return move === "" && turn === last && written !== ""
    ? `illegal answer \`${written.replaceAll("`", "'")}\``
    : moveWords(move);
}

/**
 * What was charged for a turn; empty where the reader may not know.
 * @param {UnpackedGame} shown
 * @param {number} turn
 */
export function chargedWords({ packed, sides }, turn) {
  return packed.play_time_cpu_us[sides[turn - 1]] === null ? "" : shortTime(packed.charged_cpu_us[turn - 1]);
}

/**
 * Why a game was lost, with the exact answer, and why it deserves a second look.
 * @param {Replay} replay
 * @param {string} verdict is shown above it
 */
export function endingParts({ close_calls: closeCalls = [], ending }, verdict) {
  const calls = closeCalls.map((call) => element("p", { class: "close-call" }, "close call: ", prose(call)));
  return ending ? [element("div", { class: "fault" }, ...calls, ...faultParts(ending, verdict))] : calls;
}

/** @param {Ending} ending @param {string} verdict @returns {Child[]} */
function faultParts(ending, verdict) {
  // A hint may name the only legal move.
  const isHinted = ending.legal_count === 1 && ending.hints.some((hint) => hint.includes(ending.legal[0]));
  const isAll = ending.legal.length === ending.legal_count;
  const legal = `${counted(ending.legal_count, "legal move")}${isAll ? "" : ", such as"}`;
  return [
    ...sentences("what happened", ending.happened),
    ...(ending.output.length > 0 ? [textBox(ending.output)] : []),
    ...sentences("rule", ending.rules),
    ...sentences(
      "hint",
      ending.hints.filter((hint) => !verdict.includes(hint)),
    ),
    ...(isHinted ? [] : titledBox(legal, ending.legal)),
    ...sentences("program", ending.program === "" ? [] : [ending.program]),
    ...titledBox("the end of its standard error", ending.stderr),
  ];
}

/** @param {string} title @param {string[]} lines */
function sentences(title, lines) {
  return lines.length === 0 ? [] : [element("h4", {}, title), ...lines.map((line) => element("p", {}, prose(line)))];
}

/** @param {string[]} lines */
const textBox = (lines) => element("pre", { tabindex: 0 }, lines.join("\n").trimEnd());

/** @param {string} title @param {string[]} lines */
const titledBox = (title, lines) => (lines.length === 0 ? [] : [element("h4", {}, title), textBox(lines)]);

/**
 * What the reader's own program left behind on a turn.
 * @param {Replay} replay
 * @param {number} turn
 */
export function leftBehindParts(replay, turn) {
  const left = replay.left_behind?.[turn];
  if (!left) return [];
  const { output, stderr = [], warnings = [] } = left;
  return [
    ...titledBox("your output.txt on this turn", output),
    ...titledBox("the end of your standard error", stderr),
    ...warnings.map((warning) => element("p", { class: "close-call" }, "tolerated: ", prose(warning))),
  ];
}
