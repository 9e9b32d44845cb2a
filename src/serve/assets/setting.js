"use strict";
// A game between a person and an agent. It knows no rules: which squares may be picked is asked of the server at each step.
//
// Whatever comes from the server is set as text, never as markup: `element` and `drawn` of the report's scripts are the only
// ways in which anything gets onto the page.
//
// What tests and styles may rely on: a square of the board is `.square` with `data-square` (its name in moves) and
// `data-piece`; those that may be picked are `.can`, those where a move ends `.end`; `#table` has `data-phase`, and
// `data-ready` with the number of the question that may be answered now, and `data-held` with the squares in hand; moves
// are `.moves li`.

const setting = JSON.parse(document.getElementById("setting").textContent);
const SIDES = ["black", "white"];
/** What the report's drawing of boards looks at. */
const referee = { view: { board: setting.board } };
