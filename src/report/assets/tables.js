
// ---- Conditions, standings, crosstable ----

function conditions() {
  return [element("dl", {}, referee.view.facts.map((fact) =>
    element("div", {}, element("dt", {}, fact.name), element("dd", {}, fact.value))))];
}

/** The agents of which the reader may know how they stand, with their indices. */
const ranked = () => [...referee.view.agents.entries()].filter(([, agent]) => agent.rank !== undefined);

/** The lowest and the highest end of all intervals, for a common scale. */
function ratingScale() {
  const ratings = ranked().map(([, agent]) => agent.rating).filter(Boolean);
  return ratings.length === 0 ? null : { low: Math.min(...ratings.map((r) => r.low)), high: Math.max(...ratings.map((r) => r.high)) };
}

function errorBar(rating, scale) {
  const place = (elo) => 4 + (92 * (elo - scale.low)) / Math.max(scale.high - scale.low, 1);
  return drawn("svg", { class: "error-bar", viewBox: "0 0 100 12", preserveAspectRatio: "none", "aria-hidden": "true" },
    drawn("line", { class: "axis", x1: 0, x2: 100, y1: 6, y2: 6 }),
    drawn("line", { class: "range", x1: place(rating.low), x2: place(rating.high), y1: 6, y2: 6 }),
    drawn("rect", { class: "value", x: place(rating.elo) - 0.8, y: 2, width: 1.6, height: 8 }));
}

const faults = (agent) => Object.values(agent.forfeits).reduce((sum, count) => sum + count, 0);

function standings() {
  const scale = ratingScale();
  const rows = ranked().map(([index, agent]) => {
    const rating = agent.rating;
    return [agent.rank, linked(index), agent.points, agent.games, agent.won, agent.drawn, agent.lost, faults(agent),
      rating ? `${Math.round(rating.elo)} (${signed(rating.low - rating.elo)}, ${signed(rating.high - rating.elo)})` : "–",
      rating ? errorBar(rating, scale) : element("span", { class: "faint" }, agent.unrated ?? "")]
      .map((cell) => (typeof cell === "number" ? String(cell) : cell));
  });
  const columns = [number("#"), name("agent"), ...["points", "games", "won", "drawn", "lost", "by fault", "Elo (95 %)"].map(number), text("rating")];
  const winners = (referee.view.winners ?? []).flatMap((index, place) => [place > 0 ? ", " : "", linked(index)]);
  const title = winners.length > 1 ? "Winners: " : "Winner: ";
  return [
    ...(winners.length > 0 ? [element("p", { class: "winners" }, title, ...winners)] : []),
    table("Agents by rank; ratings with their 95 % intervals", columns, rows),
    element("ul", { class: "remarks" }, referee.view.remarks.map((remark) => element("li", {}, remark)))];
}

/** A crosstable of more agents than this is made only when it is asked for. */
const CROSSTABLE_AT_ONCE = 40;

function crosstable() {
  const agents = ranked();
  const label = "Points and games of the agent of the row against the one of the column, by rank";
  const made = () => [crosstableOf(agents, label)];
  if (agents.length <= CROSSTABLE_AT_ONCE) return made();
  return [later("crosstable", element("summary", {}, `The results of all ${agents.length} agents against each other`), made)];
}

function crosstableOf(agents, label) {
  const rows = agents.map(([index, agent]) => {
    const met = new Map(agent.against.map((results) => [results.agent, results]));
    const cells = agents.map(([other]) => {
      if (other === index) return element("td", { class: "self", "aria-label": "itself" });
      const results = met.get(other);
      if (!results) return element("td", {});
      const games = results.won + results.drawn + results.lost;
      const points = results.won + results.drawn / 2;
      return element("td", {
        class: `share-${Math.round((4 * points) / games)}`,
        title: `${results.won} won, ${results.drawn} drawn, ${results.lost} lost`,
      }, games === 1 ? String(points) : `${points}/${games}`);
    });
    return element("tr", {}, element("td", { class: "number rank" }, agent.rank), element("th", { scope: "row", class: "name" }, linked(index)), cells);
  });
  const heads = agents.map(([, agent]) => element("th", { scope: "col", title: agent.name.slice(0, 80) }, agent.rank));
  const made = scroller(label, element("table", { class: "crosstable" }, element("caption", {}, label),
    element("thead", {}, element("tr", {}, element("th", { scope: "col", class: "number rank" }, "#"), element("th", { scope: "col", class: "name" }, "agent"), heads)),
    element("tbody", {}, rows)));
  made.classList.add("tall");
  return made;
}
