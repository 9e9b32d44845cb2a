
// ---- Agents ----

const OPEN_AGENTS = 2;

function agents() {
  const shown = ranked();
  const parts = shown.map(([index, agent]) => {
    const summary = element("summary", {},
      element("strong", { class: "cut" }, element("bdi", {}, agent.name)), agent.role ? ` (${agent.role})` : "",
      element("span", { class: "faint" }, ` ${counted(agent.games, "game")}: ${agent.won} won, ${agent.drawn} drawn, ${agent.lost} lost`));
    const details = later(`agent ${agent.name}`, summary, () => agentInside(agent, index), shown.length <= OPEN_AGENTS);
    details.id = `agent-${index}`;
    return details;
  });
  return [...parts, ...referee.view.rejected.flatMap(({ name: rejected, fault, compiler = [] }) => [
    element("p", {}, element("strong", { class: "cut" }, element("bdi", {}, rejected)), ` could not take part: `, prose(fault)),
    compiler.length === 0 ? "" : element("pre", { tabindex: 0 }, compiler.join("\n"))])];
}

function agentInside(agent, index) {
  const parts = agent.remarks?.map((remark) => element("p", { class: "faint" }, remark)) ?? [];
  if (agent.close_calls > 0) parts.push(element("p", {}, `${counted(agent.close_calls, "close call")} among its results`));
  const lost = Object.entries(agent.forfeits);
  const boxes = [];
  if (agent.against.length > 0) boxes.push(resultsTable(agent, index));
  if (lost.length > 0) {
    boxes.push(table("Lost by its own fault", [name("kind"), number("games")], lost.map(([kind, count]) => [kind.replaceAll("-", " "), String(count)])));
  }
  parts.push(element("div", { class: "boxes" }, boxes));
  if (agent.cpu_us) parts.push(element("div", { class: "boxes" }, histogram(agent), bars(agent.cpu_us_by_move)));
  return parts;
}

function resultsTable(agent, index) {
  const rows = agent.against.map(({ agent: other, won, drawn: level, lost }) => {
    const show = element("button", { type: "button", class: "plain", "data-key": `games ${index} ${other}` }, "show");
    show.addEventListener("click", () => listGames({ pair: [index, other] }));
    return [named(other), ...[won, level, lost].map(String), show];
  });
  return table("Results", [name("against"), ...["won", "drawn", "lost", "games"].map(number)], rows);
}

/** How many moves took how long. */
function histogram({ cpu_us: spread, cpu_us_bins: bins }) {
  const most = Math.max(...bins.map((bin) => bin.count));
  const words = `CPU time of ${counted(spread.count, "move")}: median ${brief(spread.median)}, 95 % at most ${brief(spread.most_but_5_percent)}, at most ${brief(spread.most)}`;
  const rows = bins.map((bin) => {
    const bar = element("span", { class: "bar" });
    bar.style.width = `${(100 * bin.count) / most}%`;
    return element("li", {}, element("span", { class: "label" }, `≥ ${round(bin.from)}`), element("span", { class: "track" }, bar), element("span", { class: "label" }, String(bin.count)));
  });
  return element("figure", { class: "chart histogram" }, element("figcaption", {}, words), element("ul", {}, rows));
}

/** The mean time of the first move, the second, and so on. */
function bars(means) {
  const most = Math.max(...means, 1);
  return element("figure", { class: "chart" },
    element("figcaption", {}, `CPU time over the game: of its 1st to its ${means.length}. move, on average, up to ${brief(most)}`),
    drawn("svg", { class: "bars", viewBox: `0 0 ${means.length} 100`, preserveAspectRatio: "none", "aria-hidden": "true" },
      means.map((us, at) => drawn("rect", { class: "black", x: at + 0.1, width: 0.8, y: 100 - (95 * us) / most, height: (95 * us) / most }))));
}
