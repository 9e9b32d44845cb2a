// The view that a report shows, and what is looked up in it all over the page. See src/report/view.rs.

import { element, embeddedJson } from "./elements.js";

/** @import { Game, RankedAgent, Side, View } from "./view.d.ts" */

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

/** @param {number} index of an agent */
export const agentLink = (index) => element("a", { href: `#agent=${index}` }, shortened(agentName(index)));

/** @param {string} id @param {number | "last"} turn */
export const gameAddress = (id, turn) => `#game=${encodeURIComponent(id)}&ply=${turn}`;
