
// ---- Grades ----

function grades() {
  const { criteria, students, review } = referee.view.grades;
  const columns = [name("student"), ...criteria.map((criterion) => number(`${criterion.title} (${criterion.of})`)), number("total"), text("remark")];
  const rows = students.map((student) => [element("bdi", { class: "cut" }, student.name), ...student.earned, `${student.points} / ${student.of}`, student.state]);
  const parts = [table("Points by the parts of the grade", columns, rows)];
  if (review.length > 0) {
    parts.push(element("h3", {}, "For review"),
      element("p", { class: "faint" }, "Results that decided a point and hang on the way in which time is measured."),
      element("ul", { class: "review" }, review.map((line) => element("li", {}, prose(line)))));
  }
  parts.push(element("h3", {}, "Point by point"), ...students.map((student) => studentDetails(student, students.length === 1)));
  return parts;
}

function studentDetails(student, open) {
  const rows = () => student.items.map((item) => [
    gameIndex.has(item.game) ? element("a", { href: address(item.game, "last") }, item.title) : item.title,
    element("span", { class: item.is_earned ? "earned" : "missed" }, item.score), prose(item.reason)]);
  const summary = element("summary", {}, element("bdi", { class: "cut" }, student.name), ` ${student.points} of ${student.of}`);
  return later(`student ${student.name}`, summary, () => [
    table("Every item with its points and the reason", [name("item"), number("points"), text("reason")], rows())], open);
}
