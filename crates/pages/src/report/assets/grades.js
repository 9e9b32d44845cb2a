// The points of a class.

import { boardWords, drawBoard, placePieces } from "./board.js";
import { element, lazyDetails, part, prose, svgElement } from "./elements.js";
import { gameAddress, report, shortened } from "./report.js";
import { chosenTable, nameColumn, numberColumn, remarkColumn, table, textColumn } from "./table.js";
import { unpackBoards } from "./turns.js";

/** @import { Child } from "./elements.js" */
/** @import { GradedItem, Grades, SingleMove, Student } from "./view.d.ts" */

/** The details of more students than this are closed together, and their table scrolls by itself. */
const LISTED_STUDENTS = 24;

/** @returns {Child[]} */
export function grades() {
  const { grades } = report.view;
  if (!grades) return [];
  const { students } = grades;
  return [
    pointsTable(grades),
    ...forReview(grades.review),
    element("h3", {}, students.length === 1 ? "Details" : "Details of each student"),
    element("div", { class: "students" }, students.length > LISTED_STUDENTS ? foldedList(students) : list(students)),
  ];
}

/** @param {Student[]} students */
function list(students) {
  return students.map((student, index) => studentDetails(student, index, { isOpen: students.length === 1 }));
}

/** @param {Student[]} students */
function foldedList(students) {
  const details = lazyDetails("students", `${students.length} students: every item of each`, () => list(students));
  details.id = "all-students";
  return details;
}

/** @param {Grades} grades */
function pointsTable({ criteria, students }) {
  const parts = criteria.map(({ title, of }) => numberColumn(`${title} (${of})`));
  const columns = [nameColumn("student"), ...parts, numberColumn("total"), remarkColumn("remark")];
  const made = element(
    "div",
    {},
    chosenTable({
      key: "grades",
      caption: () => "Points of each student by criterion",
      columns,
      rows: students,
      cells: (student) => [
        element("a", { href: `#student=${encodeURIComponent(student.name)}` }, shortened(student.name)),
        ...student.earned,
        `${student.points} / ${student.of}`,
        prose(student.remark),
      ],
    }),
  );
  if (students.length > LISTED_STUDENTS) part(".wide", made).classList.add("tall");
  return made;
}

/** @param {string[]} lines */
function forReview(lines) {
  if (lines.length === 0) return [];
  const why = "Results to check: close to the noise of time measurement, or without a result.";
  return [
    element("h3", {}, "For review"),
    element("p", { class: "faint" }, why),
    element(
      "ul",
      { class: "review" },
      lines.map((line) => element("li", {}, prose(line))),
    ),
  ];
}

/** @param {Student} student @param {number} index @param {{ isOpen: boolean }} start */
function studentDetails(student, index, start) {
  const columns = [nameColumn("item"), numberColumn("points"), textColumn("reason")];
  const items = () =>
    table(
      `Items of ${student.name.slice(0, 60)}`,
      columns,
      student.items.map((item) => itemRow(student, item)),
    );
  const summary = [shortened(student.name), `: ${student.points} of ${student.of}`];
  // On a phone, the remark is beside what the table of all shows.
  const remark = student.remark === "" ? null : element("p", {}, prose(student.remark));
  const details = lazyDetails(`student ${student.name}`, summary, () => [remark, items()], start);
  details.id = `student-${index}`;
  return details;
}

/** @param {Student} student @param {GradedItem} item */
function itemRow({ name }, { title, score, is_earned: isEarned, reason, game, position }) {
  const isShown = game !== undefined && report.gameIndex.has(game);
  return [
    isShown ? element("a", { href: gameAddress(game, "last") }, title) : title,
    element("span", { class: isEarned ? "earned" : "missed" }, score),
    [prose(reason), position ? boardDetails(`${name}: ${title}`, position) : null],
  ];
}

/** @param {string} key @param {SingleMove} position */
function boardDetails(key, position) {
  const details = lazyDetails(`board of ${key}`, "show the board", () => [boardFigure(position)]);
  details.classList.add("inline");
  return details;
}

/** @param {SingleMove} position */
function boardFigure({ side, boards, notes, move }) {
  const { board } = report.view;
  const unpacked = unpackBoards(boards, board.squares.length);
  const shown = unpacked[unpacked.length - 1];
  const isAnswered = unpacked.length > 1;
  const svg = svgElement("svg", { class: "board", role: "img", "aria-label": boardWords(board, shown.cells) });
  drawBoard(svg, board);
  placePieces(svg, board, isAnswered ? { ...shown, move } : { ...shown, changed: [] });
  const words = isAnswered ? `${board.sides[side]} plays ${move}` : `${board.sides[side]} to move`;
  const beside = element("p", { class: "notes" }, notes ?? "");
  return element("figure", { class: "position" }, svg, beside, element("figcaption", { class: "faint" }, words));
}
