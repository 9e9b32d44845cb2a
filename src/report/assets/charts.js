
// ---- Charts of a game ----

const key = (side) => [element("span", { class: `key ${side}` }), referee.view.board.sides[side], " "];

/** CPU time of each turn, and what both clocks have left after it. */
function drawCharts(shown, used, left) {
  const { replay, clocks, sides, last } = shown;
  const known = SIDES.filter((side) => replay.play_time_us[side] !== null);
  const most = Math.max(...replay.charged_us, 1);
  const full = Math.max(...known.map((side) => replay.play_time_us[side]), 1);
  const bar = (us, at) => drawn("rect", { class: sides[at], x: at + 0.1, width: 0.8, y: 100 - (95 * us) / most, height: (95 * us) / most });
  const course = (side) => drawn("path", { class: side, d: "M" + clocks.map((now, at) => `${at} ${(100 - (95 * now[side]) / full).toFixed(2)}`).join("L") });
  chart(used, last, ["CPU time of each turn, up to ", element("b", {}, brief(most)), " ", ...known.map(key)], replay.charged_us.map(bar));
  chart(left, last, ["Time left, of ", element("b", {}, clock(full)), " ", ...known.map(key)], known.map(course));
}

function chart(figure, last, caption, parts) {
  figure.querySelector("figcaption").replaceChildren(...caption.flat());
  const svg = figure.querySelector("svg");
  svg.setAttribute("viewBox", `0 0 ${Math.max(last, 1)} 100`);
  svg.setAttribute("preserveAspectRatio", "none");
  svg.replaceChildren(...parts, drawn("line", { class: "now", x1: 0, x2: 0, y1: 0, y2: 100 }));
}
