"use strict";
// Shows the view model of src/report/view.rs. It knows no rules: every board of every game is in the model.
//
// Whatever comes from the model is set as text, never as markup: `element` and `drawn` are the only ways in which
// anything gets onto the page. The policy of the page forbids all other scripts, and every request but for what
// src/report/page.rs names.
//
// What other scripts may use, and nothing else:
//
//   referee.show(view)      Shows a newer view model. Idempotent. Only what has changed is drawn anew; the reader stays at
//                           the same place: section, game, turn, open details, filter, focus and scrolling. Whoever looks
//                           at the last turn of a game that goes on is taken along to its new last turn. Gives a promise,
//                           kept when the page is as it should be.
//   referee.open(id, ply)   Shows a game at a turn, a number or "last". Gives a promise.
//   referee.view            The view that is shown.
//   referee.bundle(n, text) For files beside the page: here is the bundle that was asked for.
//
// What tests and styles may rely on: `.replay` has `data-at="ID:PLY"` and no `aria-busy` once a game is shown; a square of
// the board is `.square` with `data-square` (its name in moves) and `data-piece`; clocks are `.clock[data-side] .time` with
// `data-us`; moves are `.moves [data-ply]`; the parts of the page are sections with the ids in `PARTS` of start.js.
//
// The files are joined in the order of src/report/page.rs into one script.

const referee = { view: JSON.parse(document.getElementById("view").textContent) };
const SIDES = ["black", "white"];
const STEP_MS = 700;

// ---- The turns of games ----

/** Where the turns of games are: in this page, in files beside it, or at its server. */
const source = JSON.parse(document.getElementById("source").textContent);
/** The number of the bundle that each game is in. */
const bundleOf = new Map(referee.view.games.map((game, at) => [game.id, Math.floor(at / source.games)]));
/** Promises of bundles, by their numbers, and what keeps those of the files that are being loaded. */
const bundles = new Map();
const awaited = new Map();

/** The packed turns of a game. */
async function replayOf(id) {
  if (source.kind === "served") return (await answer(`replays/${encodeURIComponent(id)}`)).json();
  const number = bundleOf.get(id);
  if (!bundles.has(number)) bundles.set(number, bundleText(number).then(inflated));
  const found = (await bundles.get(number)).find((replay) => replay.id === id);
  if (!found) throw new Error(`there is no game ${id} in this page`);
  return found;
}

async function answer(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`the server has no ${address}`);
  return response;
}

async function bundleText(number) {
  if (source.kind === "inside") return document.querySelectorAll("script.bundle")[number].textContent;
  const file = source.files[number];
  return new Promise((keep, fail) => {
    awaited.set(number, keep);
    const script = element("script", { src: file });
    script.addEventListener("error", () => {
      bundles.delete(number);
      fail(new Error(`the file ${file} is not there: it belongs to this page and has to stay beside it`));
    });
    document.head.append(script);
  });
}

referee.bundle = (number, text) => awaited.get(number)?.(text);

/** What a text of src/report/bundle.rs stands for. */
async function inflated(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).json();
}

/** A game with all its boards and clocks: what a packed one stands for. */
function unpacked(game, replay) {
  const board = Array(referee.view.board.size ** 2).fill(".");
  const boards = replay.boards.split("|").map((difference) => {
    const changed = [];
    for (const group of difference.split(" ").filter(Boolean)) {
      const [piece, squares] = group.split(":");
      for (let at = 0; at < squares.length; at += 2) {
        const square = parseInt(squares.slice(at, at + 2), 36);
        board[square] = piece;
        changed.push(square);
      }
    }
    return { cells: board.slice(), changed };
  });
  const left = { ...replay.play_time_us };
  const clocks = [{ ...left }];
  const sides = [...replay.sides].map((letter) => (letter === "b" ? "black" : "white"));
  sides.forEach((side, turn) => {
    if (left[side] !== null) left[side] = Math.max(0, left[side] - replay.charged_us[turn]);
    clocks.push({ ...left });
  });
  const moves = replay.sides === "" ? [] : replay.moves.split("|");
  return { game, replay, boards, clocks, sides, moves, last: boards.length - 1 };
}
