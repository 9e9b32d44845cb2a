
// ---- The replay of one game ----

/** A side of a game in words: the agent and its colour. */
const player = (game, side) => `${referee.view.agents[game[side]].name} (${referee.view.board.sides[side]})`;

function moveWords(move) {
  if (move === "-") return "passes";
  return move === "" ? "no legal move" : move;
}

/** The panel in which a game is stepped through. There is one, which stays whatever is drawn anew around it. */
class Replay {
  constructor(root) {
    this.root = root;
    this.timer = null;
    /** The game and the turn that the reader wants to see; `shown` may still be another. */
    this.wanted = null;
    this.shown = null;
    this.ply = 0;
    this.part = (selector) => root.querySelector(selector);
    this.slider = this.part("input");
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    for (const button of root.querySelectorAll("button")) {
      button.addEventListener("click", () => this.act(button.dataset.do));
    }
    root.addEventListener("keydown", (event) => this.key(event));
    this.part(".moves").addEventListener("click", (event) => {
      const link = event.target.closest("a");
      if (!link) return;
      event.preventDefault();
      this.act("stop");
      this.go(Number(link.dataset.ply));
    });
    for (const chart of root.querySelectorAll(".chart svg")) {
      chart.addEventListener("click", (event) => {
        const box = chart.getBoundingClientRect();
        this.go(Math.round(((event.clientX - box.left) / box.width) * this.shown.last + 0.5));
      });
    }
    drawBoard(this.part(".board"));
  }

  /** Shows a game at a turn; `last` is the last one. */
  async open(id, ply) {
    this.act("stop");
    const wanted = { id };
    this.wanted = wanted;
    this.root.setAttribute("aria-busy", "true");
    let packed;
    try {
      packed = await replayOf(id);
    } catch (error) {
      if (this.wanted === wanted) this.fail(error);
      return;
    }
    // The reader may have gone elsewhere meanwhile, and the view may be another.
    const game = referee.view.games[gameIndex.get(id)];
    if (this.wanted !== wanted || !game) return;
    this.shown = unpacked(game, packed);
    this.describe();
    this.go(ply === "last" ? this.shown.last : ply, { told: false });
    this.root.removeAttribute("aria-busy");
  }

  fail(error) {
    this.part(".verdict").textContent = error.message;
    this.part(".pairing").textContent = this.wanted.id;
    this.root.removeAttribute("aria-busy");
  }

  /** The newer view may have more turns of the game that is shown. */
  async refresh() {
    const game = this.shown && referee.view.games[gameIndex.get(this.shown.game.id)];
    if (!game) {
      if (!this.wanted && referee.view.games.length > 0) await this.open(referee.view.games[0].id, 0);
      return;
    }
    const [before, atEnd] = [this.shown.game, this.ply === this.shown.last];
    if (game.turns === before.turns && game.score === before.score) {
      this.shown.game = game;
      this.describe();
      this.go(this.ply, { told: false });
      return;
    }
    await this.open(game.id, atEnd && this.timer === null ? "last" : this.ply);
  }

  /** Everything that does not change from turn to turn. */
  describe() {
    const { game, replay, moves, last } = this.shown;
    const index = gameIndex.get(game.id);
    this.slider.max = last;
    this.part(".pairing").replaceChildren(
      element("bdi", { class: "cut" }, player(game, "black")), " – ", element("bdi", { class: "cut" }, player(game, "white")),
      element("small", {}, ` ${goesOn(game) ? "goes on" : game.score} · ${game.id}`));
    this.part(".verdict").replaceChildren(...prose(game.verdict));
    this.part(".ending").replaceChildren(...endingParts(replay));
    this.part(".moves").replaceChildren(...moves.map((move, turn) => moveEntry(this.shown, move, turn + 1)));
    drawCharts(this.shown, ...this.root.querySelectorAll(".chart"));
    this.neighbour(".before", index - 1);
    this.neighbour(".after", index + 1);
    document.querySelectorAll(".game-list tbody tr").forEach((row) => row.classList.toggle("current", row.dataset.game === game.id));
  }

  neighbour(selector, index) {
    const link = this.part(selector);
    const game = referee.view.games[index];
    link.hidden = !game;
    if (game) link.href = address(game.id, 0);
  }

  /** Shows the board after so many turns. */
  go(ply, { told = true } = {}) {
    if (!this.shown) return;
    const { game, boards, clocks, sides, last } = this.shown;
    this.ply = Math.min(Math.max(ply || 0, 0), last);
    placePieces(this.part(".board"), boards[this.ply], this.ply > 0);
    this.part("#board-words").textContent = boardWords(boards[this.ply]);
    const next = this.ply < last ? sides[this.ply] : null;
    for (const side of SIDES) {
      const panel = this.part(`.clock[data-side="${side}"]`);
      const left = clocks[this.ply][side];
      panel.classList.toggle("to-move", side === next);
      panel.querySelector(".who").textContent = player(game, side);
      const time = panel.querySelector(".time");
      time.textContent = left === null ? "" : `${clock(left)} left`;
      time.dataset.us = left;
    }
    this.slider.value = this.ply;
    this.slider.setAttribute("aria-valuetext", this.sentence());
    this.part(".live").textContent = this.sentence();
    this.part(".board").setAttribute("aria-label", `board after ${counted(this.ply, "turn")}`);
    this.part(".left-behind").replaceChildren(...leftBehind(this.shown.replay, this.ply));
    this.markMove();
    for (const line of this.root.querySelectorAll(".now")) {
      line.setAttribute("x1", this.ply - 0.5);
      line.setAttribute("x2", this.ply - 0.5);
    }
    this.root.dataset.at = `${game.id}:${this.ply}`;
    // Replaced, not added: one step back leaves the game, as a reader expects.
    if (told) history.replaceState(null, "", address(game.id, this.ply));
  }

  /** What has just happened, in words. */
  sentence() {
    const { game, replay, sides, moves, last } = this.shown;
    if (this.ply === 0) return `start of ${counted(last, "turn")}`;
    const side = sides[this.ply - 1];
    const time = replay.play_time_us[side] === null ? "" : ` (${brief(replay.charged_us[this.ply - 1])})`;
    const move = `turn ${this.ply}: ${player(game, side)} ${moveWords(moves[this.ply - 1])}${time}`;
    return this.ply === last && !goesOn(game) ? `${move}; ${game.verdict}` : move;
  }

  markMove() {
    const list = this.part(".moves");
    list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const now = list.querySelector(`[data-ply="${this.ply}"]`);
    if (!now) {
      list.scrollTop = 0;
      return;
    }
    now.setAttribute("aria-current", "step");
    // Not `scrollIntoView`, which would move the page, too.
    list.scrollTop = now.offsetTop - list.clientHeight / 2;
  }

  act(what) {
    const playing = this.timer !== null;
    if (what === "play" && !playing) {
      if (this.ply === this.shown?.last) this.go(0);
      this.timer = setInterval(() => {
        this.go(this.ply + 1);
        if (this.ply === this.shown.last) this.act("stop");
      }, STEP_MS);
    } else if (playing) {
      clearInterval(this.timer);
      this.timer = null;
    }
    const button = this.part("[data-do=play]");
    button.querySelector("path").setAttribute("d", this.timer === null ? "M5 3.5v13l11-6.5z" : "M5 4h3.5v12H5zM11.5 4H15v12h-3.5z");
    button.querySelector("span").textContent = this.timer === null ? "play" : "pause";
    button.setAttribute("aria-label", this.timer === null ? "Play" : "Pause");
    // Nobody can listen as fast as it plays.
    this.part(".live").setAttribute("aria-live", this.timer === null ? "polite" : "off");
    const steps = { first: 0, previous: this.ply - 1, next: this.ply + 1, last: this.shown?.last };
    if (what in steps) this.go(steps[what]);
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const keys = { ArrowLeft: "previous", ArrowDown: "next", ArrowUp: "previous", ArrowRight: "next", Home: "first", End: "last", " ": "play" };
    const what = keys[event.key];
    // Space on a button or a link is that button's business, and a list scrolls with the upright arrows.
    const upright = event.key === "ArrowUp" || event.key === "ArrowDown";
    const own = event.key === " " ? event.target.closest("button, a") : upright && event.target !== this.slider;
    if (!what || own) return;
    event.preventDefault();
    this.act(what);
  }
}

function moveEntry(shown, move, ply) {
  const side = shown.sides[ply - 1];
  const time = shown.replay.play_time_us[side] === null ? "" : `, ${brief(shown.replay.charged_us[ply - 1])}`;
  return element("li", {},
    element("a", { href: address(shown.game.id, ply), "data-ply": ply, title: `${player(shown.game, side).slice(0, 80)}${time}` },
      element("span", { class: "turn" }, `${ply}.`), element("span", { class: `key ${side}` }), element("span", {}, move === "-" ? "pass" : moveWords(move))));
}

/** Why a game was lost, with the exact answer, and why it deserves a second look. */
function endingParts(replay) {
  const parts = (replay.close_calls ?? []).map((call) => element("p", { class: "close-call" }, "close call: ", prose(call)));
  const ending = replay.ending;
  if (!ending) return parts;
  const list = (title, lines) =>
    lines.length === 0 ? [] : [element("h4", {}, title), ...lines.map((line) => element("p", {}, prose(line)))];
  parts.push(...list("what happened", ending.happened));
  if (ending.output.length > 0) parts.push(element("pre", { tabindex: 0 }, ending.output.join("\n").trimEnd()));
  parts.push(...list("rule", ending.rules), ...list("hint", ending.hints));
  if (ending.legal.length > 0) {
    parts.push(element("h4", {}, `legal: ${counted(ending.legal_count, "move")}, such as`), element("pre", {}, ending.legal.join("\n")));
  }
  if (ending.program !== "") parts.push(...list("program", [ending.program]));
  if (ending.stderr.length > 0) parts.push(element("h4", {}, "the end of its standard error"), element("pre", { tabindex: 0 }, ending.stderr.join("\n")));
  return [element("div", { class: "fault" }, parts)];
}

/** What the reader's own program left behind on a turn. */
function leftBehind(replay, ply) {
  const left = replay.left_behind?.[ply];
  if (!left) return [];
  const box = (title, lines) => (lines?.length ? [element("h4", {}, title), element("pre", { tabindex: 0 }, lines.join("\n"))] : []);
  return [...box("your output.txt on this turn", left.output), ...box("the end of your standard error", left.stderr),
    ...(left.warnings ?? []).map((warning) => element("p", { class: "close-call" }, "tolerated: ", prose(warning)))];
}
