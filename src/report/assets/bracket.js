
// ---- Rounds and brackets ----

/** Sizes of a bracket in rem: a card, and the room between two. */
const CARD = { width: 12.5, height: 3.3 };
const ROOM = { across: 2.75, down: 0.9, head: 2 };

/** A bracket of more rows than this scrolls by itself. */
const ROWS_AT_ONCE = 16;

function rounds() {
  const { rounds, brackets = [] } = referee.view;
  const list = () => rounds.filter(({ meetings, byes }) => meetings.length + byes.length > 0).map(roundList);
  if (brackets.length === 0) return list();
  return [...brackets.flatMap(bracket), later("rounds", element("summary", {}, "Round by round, with every game"), list)];
}

function roundList({ number, meetings, byes }) {
  return element("div", { class: "round" },
    element("h3", {}, `Round ${number}`),
    element("ul", { class: "meetings" }, meetings.map((meeting) => element("li", {},
      seats(meeting),
      element("small", {}, meeting.games.filter((id) => gameIndex.has(id)).map((id) => [element("a", { href: address(id, 0) }, id), " "]))))),
    byes.length === 0 ? null : element("p", { class: "faint" }, "bye: ", byes.map((agent, at) => [at === 0 ? "" : ", ", element("bdi", {}, referee.view.agents[agent].name)])));
}

/** The two of a meeting with their points, who is ahead, or has gone on, in bold. */
const seats = ({ agents, points, winner }) =>
  agents.map((agent, seat) =>
    element("div", { class: (winner === null ? points[seat] > points[1 - seat] : winner === seat) ? "row ahead" : "row" }, named(agent), element("span", {}, String(points[seat]))));

function bracket(shown) {
  const { title, columns, rows, matches } = shown;
  const [across, down] = [CARD.width + ROOM.across, CARD.height + ROOM.down];
  const [width, height] = [columns.length * across - ROOM.across, ROOM.head + rows * down];
  const left = ({ column }) => column * across;
  const middle = ({ row }) => ROOM.head + row * down + CARD.height / 2;
  // Where both of a match may go on, the ways cross, and swung lines are easier to follow than straight ones.
  const sources = matches.flatMap((match) => match.from);
  const isFlow = new Set(sources).size < sources.length;
  const ways = matches.flatMap((match) => match.from.map((from) => {
    const [x1, y1, x2, y2] = [left(matches[from]) + CARD.width, middle(matches[from]), left(match), middle(match)];
    if (isFlow) return drawn("path", { d: `M${x1} ${y1}C${x1 + ROOM.across * 0.7} ${y1} ${x2 - ROOM.across * 0.7} ${y2} ${x2} ${y2}` });
    const turn = x2 - ROOM.across / 2;
    return drawn("path", { d: `M${x1} ${y1}H${turn - 0.4}C${turn + 0.2} ${y1} ${turn - 0.2} ${y2} ${turn + 0.4} ${y2}H${x2}` });
  }));
  const lines = drawn("svg", { class: "ways", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" }, ways);
  const inside = columns.map((number, column) => {
    const here = matches.filter((match) => match.column === column).sort((a, b) => a.row - b.row);
    const head = placed(element("h4", {}, `Round ${number}`), { left: column * across, top: 0, width: CARD.width });
    return element("section", { "aria-label": `Round ${number}` }, head,
      element("ol", {}, here.map((match) => placed(card(match), { left: left(match), top: middle(match) - CARD.height / 2, ...CARD }))));
  });
  const label = title === "" ? "The bracket" : { winners: "Winners' bracket", losers: "Losers' bracket", final: "Final" }[title];
  const sheet = placed(element("div", { class: "bracket" }, placed(lines, { width, height }), inside), { width, height });
  const made = scroller(label, sheet);
  if (rows > ROWS_AT_ONCE) made.classList.add("tall");
  return [title === "" ? null : element("h3", {}, label), made].filter(Boolean);
}

/** The policy knows no styles in attributes; those that a script sets are its own. */
function placed(made, sizes) {
  for (const [side, size] of Object.entries(sizes)) made.style[side] = `${size}rem`;
  return made;
}

function card({ meeting, bye }) {
  if (bye !== undefined) return element("li", { class: "card bye" }, element("div", { class: "row" }, named(bye), element("span", {}, "bye")));
  const [round, place] = meeting;
  const shown = referee.view.rounds[round].meetings[place];
  const game = shown.games.find((id) => gameIndex.has(id));
  return element("li", { class: "card" }, game ? element("a", { href: address(game, 0) }, seats(shown)) : seats(shown));
}
