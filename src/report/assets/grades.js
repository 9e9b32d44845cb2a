// The points of a class.

import { element, lazyDetails, prose } from "./elements.js";
import { gameAddress, report, shortened } from "./report.js";
import { nameColumn, numberColumn, table, textColumn } from "./table.js";

/** @import { Child } from "./elements.js" */
/** @import { GradedItem, Grades, Student } from "./view.d.ts" */

/** @returns {Child[]} */
export function grades() {
  const { grades } = report.view;
  if (!grades) return [];
  const { students } = grades;
  return [
    pointsTable(grades),
    ...forReview(grades.review),
    element("h3", {}, "Point by point"),
    ...students.map((student, index) => studentDetails(student, index, { isOpen: students.length === 1 })),
  ];
}

/** @param {Grades} grades */
function pointsTable({ criteria, students }) {
  const parts = criteria.map(({ title, of }) => numberColumn(`${title} (${of})`));
  const columns = [nameColumn("student"), ...parts, numberColumn("total"), textColumn("remark")];
  const rows = students.map((student, index) => [
    element("a", { href: `#student=${index}` }, shortened(student.name)),
    ...student.earned,
    `${student.points} / ${student.of}`,
    prose(student.state),
  ]);
  return table("Points by the parts of the grade", columns, rows);
}

/** @param {string[]} lines */
function forReview(lines) {
  if (lines.length === 0) return [];
  const why = "Results that decided a point and hang on the way in which time is measured.";
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
      `Every item of ${student.name.slice(0, 60)}, with its points and the reason`,
      columns,
      student.items.map(itemRow),
    );
  const summary = [shortened(student.name), ` ${student.points} of ${student.of}`];
  const details = lazyDetails(`student ${student.name}`, summary, () => [items()], start);
  details.id = `student-${index}`;
  return details;
}

/** @param {GradedItem} item */
function itemRow({ title, score, is_earned: isEarned, reason, game }) {
  const isShown = game !== undefined && report.gameIndex.has(game);
  return [
    isShown ? element("a", { href: gameAddress(game, "last") }, title) : title,
    element("span", { class: isEarned ? "earned" : "missed" }, score),
    prose(reason),
  ];
}
