// What a served page has beyond the report of crates/pages/src/report/assets: the running games on top, and everything up to date.
//
// What tests and styles may rely on: `#now` has `data-state` and `data-link`; a running game is `.running-game` with
// `data-game`, `data-turns` and, once it is over, `data-over`; its squares are as everywhere.

import { element, setChildren } from "../../report/assets/elements.js";
import { counted } from "../../report/assets/format.js";
import { agentName, gameAddress, rankedAgents, report, shortened } from "../../report/assets/report.js";
import { openGame, showView } from "../../report/assets/start.js";
import { setServerTime } from "./card.js";
import { arrange, dropGame, hasShownGames, keepGames, takeGame, tickClocks } from "./running_games.js";
import {
  between,
  boardCount,
  isProjector,
  podium,
  projectorButton,
  setProjector,
  showStatus,
  ticker,
} from "./running_section.js";

/** @import { Game, Meeting, RankedAgent, Status, View } from "../../report/assets/view.d.ts" */

const RETRY_MS = 3000;
/** How many of the latest results, and of the next pairings, are shown. */
const LATEST = 7;
const NEXT = 6;

/** @type {Status | null} */
let status = null;
/** @type {"up" | "lost"} */
let link = "lost";
/** @type {number | null} The version of the view that is shown. */
let version = null;
let isFetching = false;
/** @type {Set<string>} The games whose results were told. */
let knownIds = new Set();

// ---- The view ----

/** Brings the page to the newest version, one at a time, while somebody looks. */
async function update() {
  if (isFetching || document.hidden || !status || status.version === version) return;
  isFetching = true;
  const wanted = status.version;
  try {
    await showNewer(await fetchView());
    version = wanted;
  } catch {
    // The stream says when the server is there again; until then the page stays as it is.
    setTimeout(update, RETRY_MS);
    return;
  } finally {
    isFetching = false;
  }
  update();
}

/** @returns {Promise<View>} */
async function fetchView() {
  const response = await fetch("view");
  if (!response.ok) throw new Error(`the server says ${response.status}`);
  return response.json();
}

/** @param {View} view */
async function showNewer(view) {
  const isFirst = report.view.games.length === 0 && view.games.length > 0;
  await showView(view);
  if (isFirst) await openGame(view.games[0].id, 0);
  showLatest(view.games);
  showQuiet();
}

/**
 * Tells the latest results.
 * @param {Game[]} games
 */
function showLatest(games) {
  const fresh = games.filter(({ id }) => !knownIds.has(id));
  knownIds = new Set(games.map(({ id }) => id));
  // A ladder has its newest games first.
  const latest = report.view.ladder ? fresh.slice(0, LATEST) : fresh.slice(-LATEST).reverse();
  ticker.prepend(...latest.map(latestEntry));
  while (ticker.children.length > LATEST) ticker.lastElementChild?.remove();
}

/** @param {Game} game */
function latestEntry({ id, black, white, score }) {
  /** @param {number} agent @param {string} won */
  const player = (agent, won) => element("bdi", { class: score === won ? "cut winner" : "cut" }, agentName(agent));
  return element(
    "li",
    {},
    element("a", { href: gameAddress(id, "last") }, id),
    player(black, "1-0"),
    element("span", { class: "score" }, score),
    player(white, "0-1"),
  );
}

/** What is shown while no game has a board. */
function showQuiet() {
  showBetween();
  showPodium();
}

/** Says why no board is there, and who plays next. */
function showBetween() {
  const shown = hasShownGames() || status?.state === "over" ? null : status;
  setChildren(between, shown ? [betweenWords(shown), nextPairings()] : []);
}

/** @param {Status} status */
function betweenWords({ state, finished, planned }) {
  const next = report.view.ladder ? "The next pair is being planned" : "The next round is being drawn";
  const words = {
    reading: "Reading the results so far",
    playing: planned > finished ? "The next games are about to begin" : next,
    waiting: waitingWords(planned, finished),
    over: "",
  };
  return element("p", {}, words[state]);
}

/** @param {number} planned @param {number} finished */
function waitingWords(planned, finished) {
  if (planned > finished) return `Nobody is playing at the moment; ${counted(planned - finished, "game")} left`;
  return report.view.ladder ? "Nobody is playing at the moment" : "Waiting for the next round";
}

/** The pairings of which games are left, in their order. */
function nextPairings() {
  const meetings = report.view.rounds.flatMap(({ meetings }) => meetings).filter((meeting) => unplayed(meeting) > 0);
  const entries = meetings.slice(0, NEXT).map(nextEntry);
  if (entries.length === 0) return null;
  return [element("h3", {}, "Next"), element("ol", { class: "next", "aria-label": "Next pairings" }, entries)];
}

/** @param {Meeting} meeting */
const unplayed = ({ games }) => games.filter((id) => !report.gameIndex.has(id)).length;

/** @param {Meeting} meeting */
function nextEntry(meeting) {
  const [one, other] = meeting.agents.map((agent) => shortened(agentName(agent)));
  return element("li", {}, one, element("span", { class: "score" }, "–"), other);
}

/** Shows the first three, when all is over and the last boards are gone. */
function showPodium() {
  const isOver = status?.state === "over" && !hasShownGames() && !report.view.grades;
  const first = isOver ? rankedAgents().slice(0, 3) : [];
  setChildren(
    podium,
    first.map(([, agent]) => podiumEntry(agent)),
  );
}

/** @param {RankedAgent} agent */
function podiumEntry({ rank, name, points, games }) {
  return element(
    "li",
    {},
    element("span", { class: "rank" }, rank),
    shortened(name),
    element("span", { class: "points" }, `${points} of ${games}`),
  );
}

// ---- The stream ----

function listen() {
  const stream = new EventSource("events");
  /** @param {string} name @param {(data: any) => void} act */
  const on = (name, act) => stream.addEventListener(name, (event) => act(JSON.parse(event.data)));
  on("clock", connected);
  on("games", keepGames);
  on("game", takeGame);
  on("gone", dropGame);
  on("status", takeStatus);
  stream.addEventListener("error", () => {
    link = "lost";
    showStatus(status, link);
    // The browser tries again by itself, but not where the server has refused.
    if (stream.readyState === EventSource.CLOSED) setTimeout(listen, RETRY_MS);
  });
}

/** @param {number} serverMs */
function connected(serverMs) {
  setServerTime(serverMs);
  link = "up";
  // Another server may count its versions anew.
  version = null;
  showStatus(status, link);
}

/** @param {Status} newer */
function takeStatus(newer) {
  status = newer;
  showStatus(status, link);
  rearrange();
  update();
}

function rearrange() {
  arrange();
  showQuiet();
}

/** @param {boolean} on */
function project(on) {
  setProjector(on);
  rearrange();
}

boardCount.addEventListener("change", rearrange);
projectorButton.addEventListener("click", () => {
  const on = !isProjector();
  project(on);
  // A browser fills the screen only after a click, and may refuse.
  if (on) document.documentElement.requestFullscreen?.().catch(() => undefined);
  else if (document.fullscreenElement) document.exitFullscreen();
});
document.addEventListener("fullscreenchange", () => {
  if (!document.fullscreenElement) project(false);
});
addEventListener("resize", rearrange);
document.addEventListener("visibilitychange", update);
setInterval(tickClocks, matchMedia("(prefers-reduced-motion: reduce)").matches ? 1000 : 100);
setInterval(rearrange, 1000);
showLatest(report.view.games);
// A link to `/?hall` is one for the projector.
project(new URLSearchParams(location.search).has("hall"));
listen();
