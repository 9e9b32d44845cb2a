//! The animated picture of a run, as lines for any terminal size. A pure function of its state; `live` draws it.
//!
//! No line may be wider than the terminal, and there must be fewer lines than it has, so that they can be overwritten.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;
use std::time::Duration;

use indicatif::HumanDuration;

use crate::console::clocks::{POINTER, RunningClock, bar, clock_bar, clock_figure};
use crate::console::terminal::Size;
use referee_games::{GameRef, Side};
use referee_matches::referee::GameSnapshot;
use referee_messages::{
    LastMove, OutputStyle, SideNames, board_words, clock, cut_end, cut_middle, draw_board_after, plain, side_style,
    width,
};
use referee_records::{AnswerRequest, Pairing, PerSide};
use referee_time::CpuTime;

/// The shown state of a run.
#[derive(Debug)]
pub(super) struct Picture {
    pub(super) game: GameRef,
    pub(super) things: &'static str,
    /// Whether a board is shown, since games are played one at a time.
    pub(super) one_at_a_time: bool,
    /// The running items, by id.
    pub(super) running: BTreeMap<String, RunningItem>,
    /// The text beside the bar.
    pub(super) remark: String,
    /// Whether there is enough data to estimate the remaining time.
    pub(super) is_under_way: bool,
}

/// A running game or question.
#[derive(Debug)]
pub(super) enum RunningItem {
    Game(Box<RunningGame>),
    Question(String),
}

#[derive(Debug)]
pub(super) struct RunningGame {
    pairing: Pairing,
    names: SideNames,
    stands: Option<Arc<GameSnapshot>>,
    /// The position one turn earlier.
    before: Option<Arc<GameSnapshot>>,
    /// The clocks at the start.
    full: PerSide<CpuTime>,
}

/// The progress of the whole run.
#[derive(Clone, Copy, Debug)]
pub(super) struct OverallProgress {
    pub(super) done: u64,
    pub(super) all: u64,
    pub(super) elapsed: Duration,
    pub(super) to_go: Duration,
}

/// The maximum width of the main bar.
const LONGEST_BAR: usize = 30;

/// Of a name, so many columns are kept before anything else on its line.
const ENOUGH_OF_A_NAME: usize = 24;

/// The maximum width of a clock's bar.
const LONGEST_CLOCK: usize = 24;

impl RunningItem {
    pub(super) fn game(game: GameRef, pairing: Pairing) -> Self {
        Self::Game(Box::new(RunningGame {
            names: SideNames::new(game, &pairing.black, &pairing.white),
            pairing,
            stands: None,
            before: None,
            full: PerSide::from_fn(|_| CpuTime::ZERO),
        }))
    }

    pub(super) fn question(asked: &AnswerRequest) -> Self {
        Self::Question(format!("{}  {} answers", asked.id, plain(&asked.agent)))
    }
}

impl RunningGame {
    fn set_position(&mut self, snapshot: Arc<GameSnapshot>) {
        match self.stands.take() {
            None => self.full = snapshot.clocks,
            Some(before) => self.before = (snapshot.turns == before.turns + 1).then_some(before),
        }
        self.stands = Some(snapshot);
    }

    /// The changes of the last turn. Computed only for drawing, since a game moves far more often than it is drawn.
    fn last_move(&self, game: GameRef) -> LastMove {
        let played = || {
            let (before, now) = (self.before.as_ref()?, self.stands.as_ref()?);
            let (_, mv) = now.last.as_ref()?;
            Some(LastMove::of(game, &before.rows(), &now.rows(), mv.as_deref()?))
        };
        played().unwrap_or_default()
    }
}

impl Picture {
    /// Updates the position of a game.
    pub(super) fn set_position(&mut self, id: &str, snapshot: Arc<GameSnapshot>) {
        if let Some(RunningItem::Game(game)) = self.running.get_mut(id) {
            game.set_position(snapshot);
        }
    }

    /// The lines for a terminal of `size`.
    pub(super) fn lines(&self, progress: OverallProgress, size: Size, look: OutputStyle) -> Vec<String> {
        // The last column stays free: some terminals wrap when it is written.
        let look = look.with_columns(size.columns.saturating_sub(1).max(1));
        let room = size.rows.saturating_sub(2);
        let mut lines = self.board(room, look).unwrap_or_else(|| self.list(room, look));
        lines.push(self.whole(progress, look));
        lines
    }

    /// The only running game with its board, if there is room.
    fn board(&self, room: usize, look: OutputStyle) -> Option<Vec<String>> {
        let mut games = self.running.values();
        let (true, Some(RunningItem::Game(game)), None) = (self.one_at_a_time, games.next(), games.next()) else {
            return None;
        };
        let snapshot = game.stands.as_ref()?;
        let board = draw_board_after(self.game, &snapshot.rows(), &game.last_move(self.game), look);
        let mut below = Vec::new();
        below.extend(Side::BOTH.map(|side| player_line(self.game, game, snapshot, side, look)));
        below.push(look.cut(&format!("  {}  turn {}  {}", game.pairing.id, snapshot.turns, last_words(snapshot))));
        // What rules say beside a board is left out where it would cost the board.
        let notes = look.notes(&snapshot.notes);
        let has_room = board.len() + notes.len() + below.len() <= room;
        let notes = if has_room { notes } else { Vec::new() };
        let lines = [board, notes, below].concat();
        let fits = lines.len() <= room && lines.iter().all(|line| width(line) <= look.columns);
        fits.then_some(lines)
    }

    /// One line per running item, as far as there is room.
    fn list(&self, room: usize, look: OutputStyle) -> Vec<String> {
        if room == 0 {
            return Vec::new();
        }
        let shown = if self.running.len() <= room { room } else { room.saturating_sub(1) };
        let mut lines: Vec<String> = self
            .running
            .values()
            .take(shown)
            .filter_map(|running| match running {
                RunningItem::Game(game) => Some(game_line(game, game.stands.as_ref()?, look)),
                RunningItem::Question(words) => Some(look.cut(words)),
            })
            .collect();
        let others = self.running.len().saturating_sub(shown);
        if others > 0 {
            lines.push(look.cut(&format!("... and {others} more")));
        }
        lines
    }

    fn whole(&self, progress: OverallProgress, look: OutputStyle) -> String {
        let OverallProgress { done, all, .. } = progress;
        #[expect(clippy::cast_precision_loss, reason = "a bar has few columns")]
        let share = if all == 0 { 1.0 } else { done as f64 / all as f64 };
        let bar = bar(share, (look.columns / 4).min(LONGEST_BAR), look.characters);
        let mut words = format!("{bar} {done}/{all} {}, {:#} elapsed", self.things, HumanDuration(progress.elapsed));
        if self.is_under_way {
            write!(words, ", about {:#} left", HumanDuration(progress.to_go)).expect("a string has room");
        }
        if !self.remark.is_empty() {
            words.push_str("  ");
            words.push_str(&self.remark);
        }
        look.cut(&words)
    }
}

/// A player's clock and name below the board.
fn player_line(of: GameRef, game: &RunningGame, snapshot: &GameSnapshot, side: Side, look: OutputStyle) -> String {
    let at_work = pointer(snapshot, side, look);
    let shown = RunningClock { left: *snapshot.clocks.of(side), of: *game.full.of(side) };
    let name = look.spell(game.names.side(side));
    let bar = clock_bar(shown, (look.columns / 4).min(LONGEST_CLOCK), look.characters);
    let mut words = format!("{at_work} {} {bar} ", clock_figure(shown.left));
    if width(&words) + width(&name).min(ENOUGH_OF_A_NAME) > look.columns {
        words = format!("{at_work} {} ", clock_figure(shown.left));
    }
    let room = look.columns.saturating_sub(width(&words));
    let name = cut_middle(&name, room, look.characters);
    look.painted(&(words + &name), side_style(of, side))
}

/// A running game on one line. Where there is no room, the move, the clocks, the turn and the game's name are left
/// out, in this order; the names of the agents are kept, and cut last.
fn game_line(game: &RunningGame, snapshot: &GameSnapshot, look: OutputStyle) -> String {
    let names = Side::BOTH.map(|side| look.spell(game.names.side(side)).into_owned());
    let clock = |side: Side| format!(" {} s", clock(*snapshot.clocks.of(side)));
    let head = format!("{} ", game.pairing.id);
    let turn = format!("  turn {}", snapshot.turns);
    let full = format!("{turn} {}", look.spell(&last_words(snapshot)));
    let clocks = Side::BOTH.map(clock);
    let no_clocks = [String::new(), String::new()];
    let forms = [
        (head.as_str(), &clocks, full.as_str()),
        (&head, &clocks, &turn),
        (&head, &no_clocks, &turn),
        (&head, &no_clocks, ""),
        ("", &no_clocks, ""),
    ];
    // The pointers before both names, and the blank between the two sides.
    let fixed = |(head, clocks, tail): &(&str, &[String; 2], &str)| {
        width(head) + width(&clocks[0]) + width(&clocks[1]) + width(tail) + 3
    };
    let wanted: usize = names.iter().map(|name| width(name).min(ENOUGH_OF_A_NAME)).sum();
    let fits = |form: &&(&str, &[String; 2], &str)| fixed(form) + wanted <= look.columns;
    let form = forms.iter().find(fits).unwrap_or(&forms[4]);
    let room = name_columns(names.each_ref().map(|name| width(name)), look.columns.saturating_sub(fixed(form)));
    let (head, clocks, tail) = form;
    let [black, white] = [0, 1].map(|at| {
        let name = cut_middle(&names[at], room[at].max(1), look.characters);
        format!("{}{name}{}", pointer(snapshot, Side::BOTH[at], look), clocks[at])
    });
    cut_end(format!("{head}{black} {white}{tail}").trim_end(), look.columns, look.characters)
}

/// The columns of two names in `room`: the longer one gets what the shorter one does not need.
fn name_columns([one, other]: [usize; 2], room: usize) -> [usize; 2] {
    let half = room / 2;
    let first = if one <= half { one } else { half.max(room.saturating_sub(other)) };
    [first, room.saturating_sub(first)]
}

fn last_words(snapshot: &GameSnapshot) -> String {
    let last = snapshot.last.as_ref();
    last.map_or_else(String::new, |(_, mv)| mv.as_deref().map_or("pass".to_owned(), board_words))
}

fn pointer(snapshot: &GameSnapshot, side: Side, look: OutputStyle) -> Cow<'static, str> {
    if snapshot.at_work == Some(side) { look.spell(POINTER) } else { " ".into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use referee_games::Position;
    use referee_games::checkers::Checkers;
    use referee_messages::{Characters, Colours};

    const NAME: &str = "a-very-long-name-漢字漢字漢字漢字漢字-of-an-agent";

    fn snapshot(turns: usize) -> GameSnapshot {
        GameSnapshot {
            turns,
            notes: String::new(),
            board: Checkers::start(()).board(),
            at_work: Some(Side::White),
            clocks: PerSide::from_fn(|_| CpuTime::from_secs(300)),
            last: Some((Side::Black, Some("E c5 d4".to_owned()))),
        }
    }

    fn picture(games: usize) -> Picture {
        let mut picture = Picture {
            game: referee_games::checkers::ID,
            things: "games",
            one_at_a_time: games == 1,
            running: BTreeMap::new(),
            remark: format!("leading: {NAME} 7.5, b 4"),
            is_under_way: true,
        };
        for number in 1..=games {
            let id = format!("g{number:04}");
            let pairing = Pairing {
                id: id.clone(),
                black: NAME.to_owned(),
                white: "b".to_owned(),
                first: Side::Black,
                play_time: None,
                start: None,
            };
            picture.running.insert(id.clone(), RunningItem::game(referee_games::checkers::ID, pairing));
            picture.set_position(&id, Arc::new(snapshot(1)));
        }
        picture
    }

    const PROGRESS: OverallProgress =
        OverallProgress { done: 3, all: 20, elapsed: Duration::from_secs(3), to_go: Duration::from_secs(17) };

    #[test]
    fn the_picture_fits_any_terminal() {
        for games in [0, 1, 3, 30] {
            let picture = picture(games);
            for (rows, columns) in [(24, 80), (12, 40), (60, 200), (3, 20), (5, 10), (2, 2)] {
                for characters in [Characters::Ascii, Characters::Unicode] {
                    for colours in [Colours::Plain, Colours::Ansi] {
                        let look = OutputStyle { colours, characters, columns };
                        let lines = picture.lines(PROGRESS, Size { rows, columns }, look);
                        assert!(lines.len() < rows, "{rows} rows: {lines:#?}");
                        assert!(lines.iter().all(|line| width(line) < columns), "{columns} columns: {lines:#?}");
                        assert!(characters == Characters::Unicode || lines.iter().all(|line| line.is_ascii()));
                    }
                }
            }
        }
    }

    #[test]
    fn one_game_has_its_board_where_there_is_room() {
        let picture = picture(1);
        let lines = |rows, columns| picture.lines(PROGRESS, Size { rows, columns }, OutputStyle::PLAIN);
        assert_eq!(lines(24, 80).len(), 9 + 3 + 1);
        assert_eq!(lines(12, 40).len(), 2);
        let lines = lines(24, 100);
        assert_eq!(lines[1], "  8 · b · b · b · b");
        assert_eq!(lines[10], "▸  300.00 s ━━━━━━━━━━━━━━━━━━━━━━━━ b (white)");
        assert_eq!(lines[11], "  g0001  turn 1  E c5 d4");
        let whole = format!("━━━━{} 3/20 games, 3s elapsed, about 17s left  leading: a-v", "─".repeat(20));
        assert!(lines[12].starts_with(&whole) && lines[12].ends_with('…'), "{}", lines[12]);
    }

    #[test]
    fn what_rules_say_stands_below_the_board_unless_it_would_cost_the_board() {
        let mut picture = picture(1);
        let noted = GameSnapshot { notes: "Captures: X 4".to_owned(), ..snapshot(2) };
        picture.set_position("g0001", Arc::new(noted));
        let lines = |rows| picture.lines(PROGRESS, Size { rows, columns: 100 }, OutputStyle::PLAIN);
        assert_eq!(lines(24)[9], "Captures: X 4");
        let (with, without) = (lines(15), lines(14));
        assert_eq!((with.len(), without.len()), (14, 13));
        assert!(with[9] == "Captures: X 4" && !without.concat().contains("Captures"), "{without:#?}");
    }

    #[test]
    fn a_narrow_line_keeps_the_names_and_drops_the_rest() {
        let line = |columns| picture(3).lines(PROGRESS, Size { rows: 24, columns }, OutputStyle::PLAIN)[0].clone();
        let all = line(120);
        assert!(all.starts_with("g0001  a-very-long") && all.ends_with("b (white) 300.00 s  turn 1 E c5 d4"), "{all}");
        for (columns, end) in
            [(75, "▸b (white) 300.00 s  turn 1"), (60, "▸b (white)  turn 1"), (45, "▸b (white)"), (38, "▸b (white)")]
        {
            let line = line(columns);
            assert!(line.ends_with(end) && line.contains("a-very-long"), "{columns} columns: {line}");
        }
        assert!(line(38).starts_with(" a-very-long"), "the name of the game goes last: {}", line(38));
    }

    #[test]
    fn what_has_no_room_is_counted() {
        let lines = picture(30).lines(PROGRESS, Size { rows: 12, columns: 80 }, OutputStyle::PLAIN);
        assert_eq!((lines.len(), lines[9].as_str()), (11, "... and 21 more"));
        assert!(lines[0].starts_with("g0001  a-very-long") && lines[0].ends_with("  turn 1 E c5 d4"), "{}", lines[0]);
    }
}
