// The view that a report shows, and what is looked up in it all over the page. See crates/pages/src/report/view.rs.

import { element, embeddedJson } from "./elements.js";

/** @import { Game, RankedAgent, Rating, Side, View } from "./view.d.ts" */

/** @type {{ view: View, gameIndex: Map<string, number> }} The shown view; the index of each game by its name. */
export const report = { view: embeddedJson("view"), gameIndex: new Map() };

/** @param {View} view */
export function setView(view) {
  report.view = view;
  report.gameIndex = new Map(view.games.map((game, index) => [game.id, index]));
}

setView(report.view);

/** @param {string} id @returns {Game | undefined} */
export const gameOf = (id) => report.view.games[report.gameIndex.get(id) ?? -1];

/** @param {Game} game */
export const isRunning = (game) => game.score === "*";

/** @param {Game} game a finished one @param {Side} side @returns {number} what it was worth to that side */
export const scoreOf = ({ score }, side) => (score === "½-½" ? 0.5 : Number((score === "1-0") === (side === "black")));

/** @param {Rating} rating */
export const ratingWords = ({ elo, high }) => `${Math.round(elo)} ± ${Math.round(high - elo)}`;

/**
 * The agents of which the reader may know how they stand, with their indices, by rank.
 * @returns {[number, RankedAgent][]}
 */
export function rankedAgents() {
  return report.view.agents.flatMap((agent, index) => (agent.rank === undefined ? [] : [[index, agent]]));
}

/** @param {number} index @returns {string} */
export const agentName = (index) => report.view.agents[index].name;

/** @param {Game} game @param {Side} side @returns {string} the agent and its colour */
export const playerName = (game, side) => `${agentName(game[side])} (${report.view.board.sides[side]})`;

/**
 * A name, cut by the style where it is too long for its place; the whole of it is in the text.
 * @param {string} name
 */
export const shortened = (name) => element("bdi", { class: "cut" }, name);

/** @param {number} index of an agent; its address has its name, which stays while ranks change */
export const agentLink = (index) => {
  const name = agentName(index);
  return element("a", { href: `#agent=${encodeURIComponent(name)}` }, shortened(name));
};

/** @param {string} id @param {number | "last"} turn */
export const gameAddress = (id, turn) => `#game=${encodeURIComponent(id)}&ply=${turn}`;
