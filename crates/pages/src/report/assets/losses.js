// What the lost games of a run have in common, each group with some games to look at.

import { element, prose } from "./elements.js";
import { counted } from "./format.js";
import { gameAddress, report } from "./report.js";

/** @import { LossExample, LossGroup } from "./view.d.ts" */

export function losses() {
  const { lost = 0, groups = [] } = report.view.losses ?? {};
  const head = `Participants lost ${counted(lost, "analyzed game")}; those that reference agents lost are left out:`;
  /** @type {LossGroup[][]} Each group with those that are parts of it. */
  const wholes = [];
  for (const group of groups) {
    if (group.is_part) wholes[wholes.length - 1].push(group);
    else wholes.push([group]);
  }
  return [element("p", {}, head), element("ul", { class: "review" }, wholes.map(wholeEntry))];
}

/** @param {LossGroup[]} whole */
function wholeEntry([group, ...parts]) {
  const inside = parts.map((part) => element("li", {}, groupParts(part)));
  return element("li", {}, groupParts(group), inside.length === 0 ? null : element("ul", {}, inside));
}

/** @param {LossGroup} group */
function groupParts({ words, examples }) {
  const links = examples.flatMap((example, at) => [at === 0 ? "" : "; ", ...exampleLink(example)]);
  return [prose(words), ". For example: ", links];
}

/** The position before the turn that lost the game, or its last one. @param {LossExample} example */
function exampleLink({ id, loser, turn }) {
  const address = gameAddress(id, turn === undefined ? "last" : turn - 1);
  const words = turn === undefined ? id : `${id}, turn ${turn}`;
  return [element("a", { href: address }, words), " by ", element("bdi", {}, loser)];
}
