// Numbers, times and moves in words.

/** @param {number} us microseconds @returns {string} in seconds with two decimals */
export const seconds = (us) => `${(us / 1e6).toFixed(2)} s`;

/** @param {number} us microseconds @returns {string} in the unit that suits it */
export const shortTime = (us) => (us >= 1e6 ? seconds(us) : `${(us / 1e3).toFixed(1)} ms`);

/** @param {number} us microseconds, a round number: the bound of a bin */
export function roundTime(us) {
  if (us >= 1e6) return `${us / 1e6} s`;
  return us >= 1e3 ? `${us / 1e3} ms` : `${us} µs`;
}

/** @param {number} count @param {string} thing in the singular */
export const counted = (count, thing) => `${count} ${thing}${count === 1 ? "" : "s"}`;

/** @param {string} move as the model has it */
export function moveWords(move) {
  if (move === "-") return "passes";
  return move === "" ? "no valid answer" : move;
}

/** The jumps of a chain that are written in full in a list. */
const LONGEST_CHAIN = 2;

/**
 * A move for a list: of a long chain of jumps the first square, the last one, and how many jumps there are. The board
 * shows its path.
 * @param {string} move as the model has it
 */
export function shortMove(move) {
  const jumps = move.split("; ");
  if (jumps.length <= LONGEST_CHAIN) return move === "-" ? "pass" : moveWords(move);
  const [letter, from] = jumps[0].split(" ");
  return `${letter} ${from} … ${jumps[jumps.length - 1].split(" ").pop()} (${jumps.length} jumps)`;
}
