// The section of the running games: its parts, how many boards it has room for, and what it says of the run.

import { element, part } from "../../report/assets/elements.js";
import { counted } from "../../report/assets/format.js";

/** @import { Status } from "../../report/assets/view.d.ts" */

/** The least width of a board on a projector, and the height of the words around it, and of notes beside it. */
const MIN_BOARD_REM = 11;
const WORDS_REM = 7.6;
const NOTES_REM = 2;
/** The width of a board elsewhere. */
const BOARD_REM = 16;

const STATES = {
  reading: "reading the records",
  playing: "live",
  waiting: "unfinished, and no process is playing",
  over: "finished",
};

export const grid = element("div", { class: "running-games" });
export const others = element("p", { class: "waiting-games faint" });
export const between = element("div", { class: "between" });
export const podium = element("ol", { class: "podium", "aria-label": "The first three" });
export const ticker = element("ol", { class: "ticker", "aria-label": "Latest results" });
export const boardCount = element(
  "select",
  { "aria-label": "How many boards", id: "now-boards" },
  element("option", { value: "auto" }, "boards: auto"),
  [1, 2, 3, 4, 6, 8, 9, 12, 16].map((count) => element("option", { value: count }, counted(count, "board"))),
);
export const projectorButton = element(
  "button",
  { type: "button", id: "now-hall", "aria-pressed": "false", title: "fill the screen, for a projector" },
  "projector",
);

const title = element("h2", { id: "now-title" }, "Now playing");
const said = element("span", { role: "status" }, "connecting");
const progress = element("progress", { max: 1, value: 0, "aria-label": "Games finished" });
const tally = element("span", { class: "tally" });
const section = element(
  "section",
  { id: "now", "aria-labelledby": title.id, "data-link": "lost", "data-state": "reading" },
  element(
    "div",
    { class: "bar" },
    title,
    element("p", { class: "lamp" }, said, progress, tally),
    element("p", { class: "choices" }, boardCount, projectorButton),
  ),
  grid,
  between,
  podium,
  others,
  ticker,
);
part("#main").prepend(section);

/**
 * Says how far the run is, and whether the server is there.
 * @param {Status | null} status
 * @param {"up" | "lost"} link
 */
export function showStatus(status, link) {
  const state = status?.state ?? "reading";
  Object.assign(section.dataset, { link, state });
  said.textContent = link === "lost" ? "connection lost, trying again" : STATES[state];
  if (!status) return;
  const { finished, planned, unreadable } = status;
  progress.max = Math.max(planned, 1);
  progress.value = finished;
  const lost = unreadable > 0 ? `, ${counted(unreadable, "record")} cannot be read` : "";
  tally.textContent = `${finished} of ${counted(planned, "game")}${lost}`;
  title.textContent = state === "over" ? "The run is over" : "Now playing";
}

/** @param {boolean} on */
export function setProjector(on) {
  document.documentElement.classList.toggle("hall", on);
  projectorButton.setAttribute("aria-pressed", String(on));
}

export const isProjector = () => document.documentElement.classList.contains("hall");

/** Whether the games have to fit into the window. */
const mustFit = () => isProjector() && matchMedia("(min-width: 60rem)").matches;

const remPx = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

/**
 * For how many boards there is room.
 * @param {number} games
 */
export function capacity(games) {
  if (boardCount.value !== "auto") return Number(boardCount.value);
  const rem = remPx();
  if (!mustFit()) return Math.max(2, Math.floor((grid.clientWidth + rem) / (BOARD_REM * rem)));
  let count = Math.max(1, games);
  while (count > 1 && largestBoards(count).size < MIN_BOARD_REM * rem) count -= 1;
  return count;
}

/**
 * The number of columns with which so many boards are the largest on a projector, and their width.
 * @param {number} count
 */
function largestBoards(count) {
  const rem = remPx();
  const wordsRem = grid.querySelector(".notes:not(:empty)") ? WORDS_REM + NOTES_REM : WORDS_REM;
  const best = { columns: 1, size: 0 };
  for (let columns = 1; columns <= count; columns += 1) {
    const rows = Math.ceil(count / columns);
    const width = (grid.clientWidth - (columns - 1) * rem) / columns;
    const height = (grid.clientHeight - (rows - 1) * rem) / rows - wordsRem * rem;
    const size = Math.floor(Math.min(width, height));
    if (size > best.size) Object.assign(best, { columns, size });
  }
  return best;
}

/** Makes the boards that are in the grid as large as they can be. */
export function layOutGrid() {
  const count = grid.children.length;
  grid.dataset.count = String(Math.min(count, 4));
  const { columns, size } = largestBoards(Math.max(1, count));
  grid.style.gridTemplateColumns = mustFit() ? `repeat(${columns}, minmax(0, 1fr))` : "";
  grid.style.setProperty("--room", mustFit() ? `${size}px` : "100%");
}
