// What the page says to the person, in sentences.

import { part } from "../../report/assets/elements.js";
import { openQuestion, playState, setting, sideWords, targetSquare } from "./play_state.js";

/** @import { GameState, Turn } from "../../report/assets/view.d.ts" */

/** @param {string} text */
export function say(text) {
  showSentence(text, "");
}

/** @param {unknown} error */
export function sayError(error) {
  showSentence(error instanceof Error ? error.message : String(error), "bad");
}

/** @param {string} text @param {string} kind */
function showSentence(text, kind) {
  const said = part("#said");
  said.textContent = text;
  said.className = kind;
}

/**
 * Says what has happened since `before`.
 * @param {GameState | null} before
 * @param {GameState} state
 */
export function sayNews(before, state) {
  const isSameGame = before?.id === state.id;
  const news = isSameGame ? state.turns.slice(before.turns.length) : state.turns.slice(-1);
  const turns = news.map((turn) => turnWords(turn, { isOwn: turn.side === state.own }));
  const words = [...turns, phaseWords(state)].filter(Boolean).join(" ");
  if (state.phase.is === "broken") showSentence(words, "bad");
  else say(words);
}

/** @param {Turn} turn @param {{ isOwn: boolean }} player */
function turnWords({ is_pass: isPass, move }, { isOwn }) {
  if (isPass) return isOwn ? "You have no legal move and pass." : `${setting.agent} has no legal move and passes.`;
  return isOwn || move === null ? "" : `${setting.agent} plays ${move}.`;
}

/** @param {GameState} state */
function phaseWords({ phase, own }) {
  switch (phase.is) {
    case "ready":
      return "Choose a side and begin.";
    case "beginning":
      return "Starting the agent.";
    case "thinking":
      return `${setting.agent} is thinking.`;
    case "asking":
      return `Your move: you play ${sideWords(own)}.`;
    case "over":
      return "The game is over.";
    case "left":
      return "You left the game; it is not recorded.";
    case "broken":
      return `The game failed, through no fault of yours or the agent's: ${phase.reason}`;
  }
}

/** Says what the picked squares can become. */
export function sayChoices() {
  const { state, picked, picking } = playState;
  if (!state || !picking || openQuestion() === null) return;
  if (picked.length === 0) {
    say(phaseWords(state));
    return;
  }
  const ends = picking.targets.filter((target) => target.ends).map(targetSquare);
  const steps = picking.targets.filter((target) => !target.ends).map(targetSquare);
  const choices = [
    ends.length > 0 ? `end on ${ends.join(", ")}` : "",
    steps.length > 0 ? `continue by ${steps.join(", ")}` : "",
    picking.answer !== null ? "end here" : "",
  ];
  say(`${picked.join(" ")}: ${choices.filter(Boolean).join(", or ")}`);
}
