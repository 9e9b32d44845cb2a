// A ladder: who stands where, and what everybody has handed in.

import { ratingCurve } from "./charts.js";
import { element, lazyDetails, prose } from "./elements.js";
import { counted } from "./format.js";
import { gamesAddress } from "./games.js";
import { agentName, gameAddress, isRunning, ratingWords, report, scoreOf, shortened } from "./report.js";
import { errorBar } from "./standings.js";
import { chosenTable, nameColumn, numberColumn, shortColumn, table, textColumn } from "./table.js";

/** @import { Child } from "./elements.js" */
/** @import { Game, Ladder, Participant, Side, Version } from "./view.d.ts" */

/** The list of more participants than this is closed itself. */
const LISTED_PARTICIPANTS = 16;
/** How many of the latest games of a participant are listed. */
const LATEST_GAMES = 8;

/** @param {Ladder} ladder @returns {Child[]} */
export function ladderStandings({ participants, pairs, compared_with: before, reference, unnamed }) {
  const ratings = participants.flatMap((one) => active(one)?.rating ?? []);
  const scale = { low: Math.min(...ratings.map(({ low }) => low)), high: Math.max(...ratings.map(({ high }) => high)) };
  const changes = before === undefined ? [] : [shortColumn("change")];
  return [
    chosenTable({
      key: "standings",
      caption: () => `The newest versions by rating, after ${counted(pairs, "pair")} of games`,
      columns: [
        numberColumn("rank"),
        ...changes,
        nameColumn("participant"),
        numberColumn("version"),
        numberColumn("Elo (95 %)"),
        textColumn("interval"),
        shortColumn("ranks at 95 %"),
        ...["games", "won", "drawn", "lost"].map(numberColumn),
      ],
      rows: participants.filter(({ version }) => version !== undefined),
      cells: (one) => standingsRow(one, { scale, isCompared: before !== undefined }),
    }),
    element(
      "ul",
      { class: "remarks" },
      remarks({ participants, before, reference, unnamed }).map((remark) => element("li", {}, prose(remark))),
    ),
  ];
}

/** @param {{ participants: Participant[], before?: number, reference?: string, unnamed: number }} what */
function remarks({ participants, before, reference, unnamed }) {
  const said = reference === undefined ? [] : [`a rating is a difference from \`${reference}\`, whose rating is 0`];
  if (before !== undefined) said.push(`the change is that of the rank since pair ${before}`);
  if (unnamed > 0) said.push(`${counted(unnamed, "other participant")} not named here`);
  for (const one of participants.filter(({ version }) => version === undefined)) {
    said.push(`\`${one.name}\`: ${absence(one)}`);
  }
  return said;
}

/** @param {Participant} participant */
const absence = ({ withdrawn }) => (withdrawn ? "has withdrawn" : "no version plays yet");

/** @param {Participant} participant @returns {Version | undefined} the version that plays */
const active = ({ version, versions }) => versions.find(({ number }) => number === version);

/** @param {Participant} one @param {{ scale: { low: number, high: number }, isCompared: boolean }} common @returns {Child[]} */
function standingsRow(one, { scale, isCompared }) {
  const version = active(one);
  const rating = version?.rating;
  const name = element("a", { href: `#participant=${encodeURIComponent(one.name)}` }, shortened(one.name));
  return [
    one.rank === undefined ? "–" : String(one.rank),
    ...(isCompared ? [changeWords(one)] : []),
    one.is_own ? [name, element("span", { class: "faint" }, " (this page)")] : name,
    String(one.version),
    rating ? ratingWords(rating) : "–",
    rating ? errorBar(rating, scale) : null,
    one.plausible_ranks ?? "–",
    ...[version?.games, version?.won, version?.drawn, version?.lost].map((count) => String(count ?? 0)),
  ];
}

/** @param {Participant} participant */
function changeWords({ rank, rank_before: before }) {
  if (rank === undefined) return "–";
  if (before === undefined) return "new";
  if (rank === before) return "=";
  return before > rank ? `▲ ${before - rank}` : `▼ ${rank - before}`;
}

/** @param {Ladder} ladder @returns {Child[]} */
export function participants({ participants }) {
  const told = participants.filter((one) => one.is_own || report.view.subject === undefined);
  const start = { isOpen: told.length === 1 };
  /** @param {Participant} one */
  const details = (one) => participantDetails(one, participants.indexOf(one), start);
  if (told.length <= LISTED_PARTICIPANTS) return told.map(details);
  const all = lazyDetails("participants", `${told.length} participants: versions and results of each`, () =>
    told.map(details),
  );
  all.id = "all-participants";
  return [all];
}

/** @param {Participant} one @param {number} index @param {{ isOpen: boolean }} start */
function participantDetails(one, index, start) {
  const { name, versions, refused, version, rank } = one;
  const place = rank === undefined ? "" : `rank ${rank}, `;
  const said = version === undefined ? absence(one) : `${place}version ${version} plays`;
  const counts = [counted(versions.filter(({ fault }) => fault === undefined).length, "version")];
  if (refused > 0) counts.push(`${refused} refused`);
  const summary = [
    element("strong", { class: "cut" }, element("bdi", {}, name)),
    element("span", { class: "faint" }, ` ${said} · ${counts.join(", ")}`),
  ];
  const details = lazyDetails(`participant ${name}`, summary, () => participantParts(one), start);
  details.id = `participant-${index}`;
  return details;
}

/** @param {Participant} one @returns {Child[]} */
function participantParts(one) {
  const { name, versions, against = [], waiting = [] } = one;
  const refused = versions.filter(({ fault }) => fault !== undefined);
  const results = against.map(({ name, won, drawn, lost }) => [shortened(name), ...[won, drawn, lost].map(String)]);
  const columns = [nameColumn("against"), ...["won", "drawn", "lost"].map(numberColumn)];
  return [
    ...waiting.map((line) => element("p", { class: "faint" }, "waiting: ", prose(line))),
    ratingCurve(versions),
    versionTable(one),
    ...refused.map(refusal),
    element(
      "div",
      { class: "boxes" },
      results.length > 0 ? table(`Results of all versions of ${name.slice(0, 60)}`, columns, results) : null,
      latestGames(one),
    ),
  ];
}

/** @param {Participant} one */
function versionTable({ name, version: playing, versions }) {
  const admitted = versions.filter(({ fault }) => fault === undefined);
  if (admitted.length === 0) return null;
  const rows = [...admitted]
    .reverse()
    .map((version) => [
      String(version.number),
      dateWords(version.received_unix_s),
      version.number === playing ? "plays" : "replaced",
      version.rating ? ratingWords(version.rating) : "–",
      gamesLink(version),
      ...[version.won, version.drawn, version.lost].map(String),
    ]);
  const numbers = ["Elo (95 %)", "games", "won", "drawn", "lost"].map(numberColumn);
  const columns = [nameColumn("version"), shortColumn("handed in (UTC)"), shortColumn("state"), ...numbers];
  return table(`Versions of ${name.slice(0, 60)}`, columns, rows);
}

/** @param {Version} version @returns {Child} */
function gamesLink({ agent, games }) {
  if (agent === undefined) return String(games);
  return element("a", { href: gamesAddress({ of: agentName(agent) }) }, String(games));
}

/** @param {number} unixSeconds */
const dateWords = (unixSeconds) => new Date(unixSeconds * 1000).toISOString().slice(0, 16).replace("T", " ");

/** @param {Version} version @returns {Child[]} */
function refusal({ number, received_unix_s: received, fault = "", compiler = [] }) {
  return [
    element("p", {}, `Version ${number} of ${dateWords(received)} was refused: `, prose(fault)),
    compiler.length === 0 ? null : element("pre", { tabindex: 0 }, compiler.join("\n")),
  ];
}

/** @param {Participant} one the latest games of all its versions */
function latestGames({ versions }) {
  const own = new Set(versions.flatMap(({ agent }) => agent ?? []));
  const games = report.view.games.filter((game) => !isRunning(game) && (own.has(game.black) || own.has(game.white)));
  const latest = games.slice(0, LATEST_GAMES);
  if (latest.length === 0) return null;
  const items = latest.map((game) => element("li", {}, gameWords(game, own)));
  return element("div", {}, element("h4", {}, "Latest games"), element("ul", {}, items));
}

/** @param {Game} game @param {Set<number>} own @returns {Child[]} */
function gameWords(game, own) {
  /** @type {Side} */
  const side = own.has(game.black) ? "black" : "white";
  const opponent = agentName(side === "black" ? game.white : game.black);
  const score = scoreOf(game, side);
  const result = score === 1 ? "beat" : score === 0 ? "lost to" : "drew with";
  return [element("a", { href: gameAddress(game.id, "last") }, `${result} ${opponent}`), ` (${game.ending})`];
}
