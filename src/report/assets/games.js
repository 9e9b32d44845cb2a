
// ---- The list of games ----

/** The index of each game by its name. */
let gameIndex = new Map();
const goesOn = (game) => game.score === "*";

/** How many games are listed at once: more would make the page slow and nobody quicker. */
const LISTED = 200;
/** What is listed: all games, or those of an agent, of two, or of a kind. */
const listed = { agent: "", pair: null, kind: "all", most: LISTED };

const KINDS = {
  all: ["all endings", () => true],
  fault: ["lost by a fault", (game) => game.forfeit],
  close: ["close calls", (game) => game.close_call],
  on: ["still going on", goesOn],
};

function listGames(change) {
  Object.assign(listed, { agent: "", pair: null, kind: "all", most: LISTED }, change);
  drawList();
  document.querySelector(".game-list").scrollIntoView({ block: "nearest" });
}

const plays = (game, agent) => game.black === agent || game.white === agent;

function wantedGames() {
  const agent = listed.agent === "" ? null : Number(listed.agent);
  return referee.view.games.filter((game) =>
    KINDS[listed.kind][1](game) && (agent === null || plays(game, agent)) && (listed.pair ?? []).every((one) => plays(game, one)));
}

function drawList() {
  const { games, planned, board } = referee.view;
  const wanted = wantedGames();
  const current = replay?.wanted?.id;
  const rows = wanted.slice(0, listed.most).map((game) => [
    element("a", { href: address(game.id, 0) }, game.id), named(game.black), named(game.white),
    goesOn(game) ? "–" : game.score, String(game.turns), element("span", { class: "cut" }, prose(game.verdict))]);
  const caption = wanted.length === games.length
    ? `${counted(games.length, "game")} of ${planned}, each to be stepped through`
    : `${wanted.length} of ${counted(games.length, "game")}`;
  const list = table(caption, [name("game"), text(board.sides.black), text(board.sides.white), number("result"), number("turns"), text("how it ended")], rows);
  list.classList.add("tall");
  list.dataset.keep = "games";
  list.querySelectorAll("tbody tr").forEach((row, at) => {
    row.dataset.game = wanted[at].id;
    row.classList.toggle("current", wanted[at].id === current);
  });
  const more = element("button", { type: "button", class: "more" }, `show ${Math.min(LISTED, wanted.length - listed.most)} more`);
  more.addEventListener("click", () => {
    listed.most += LISTED;
    drawList();
  });
  const box = document.querySelector(".game-list");
  const kept = box.querySelector("[data-keep]")?.scrollTop ?? 0;
  box.replaceChildren(list, ...(wanted.length > listed.most ? [more] : []));
  list.scrollTop = kept;
}

/** What the list is made of is chosen here. */
function filters() {
  const { agents, games } = referee.view;
  if (games.length <= 10) return "";
  const agent = element("select", { "aria-label": "Games of", id: "filter-agent" },
    element("option", { value: "" }, "all agents"),
    agents.map(({ name: shown }, index) => element("option", { value: index }, shown.slice(0, 60))));
  const kind = element("select", { "aria-label": "Endings", id: "filter-kind" },
    Object.entries(KINDS).filter(([key, [, holds]]) => key === "all" || games.some(holds)).map(([key, [title]]) => element("option", { value: key }, title)));
  agent.value = listed.agent;
  kind.value = listed.kind;
  for (const select of [agent, kind]) select.addEventListener("change", () => listGames({ agent: agent.value, kind: kind.value }));
  return element("p", { class: "filters" }, agent, kind);
}
