//! Plays quick games against the references: under the course's conditions, but stopped if they are long. `examine`
//! calls it; nothing is recorded.

use std::time::Instant;

use super::budget::ClockUse;
use super::conduct::ObservedConduct;
use super::error::CheckError;
use super::prepared::{ImpatientPlayer, PreparedSubmission, WALL_LIMIT};
use super::report::CheckItem;
use referee_games::protocol::quote;
use referee_games::{GameRef, Side};
use referee_matches::referee::{GameSlot, Player, Void, explain, play_game};
use referee_matches::tournament::{encounter, opened, player};
use referee_messages::{OutputStyle, SideNames, counted, explained_in_short, fault_sentence, verdict_sentence};
use referee_records::{
    DrawAward, Fault, GameRecord, Manifest, Pairing, PerSide, PersonClock, PlayerRecord, TurnRecord, Verdict,
};
use referee_seat::{Run, RunRequest, Seat, Termination};
use referee_submissions::agents::Participant;
use referee_time::{CpuTime, WallTime};

const NAME: &str = "game";

/// The time after which a game is stopped, unless its clocks are so short that it soon ends.
const LONG_ENOUGH: WallTime = WallTime::from_secs(10);

/// The most time for a game on short clocks.
const SOON_OVER: WallTime = WallTime::from_secs(30);

/// The name of the submission in sentences.
const SUBMISSION: &str = "your agent";

/// A game as far as it was played.
#[derive(Clone, Debug)]
pub(super) struct PlayedGame {
    game: GameRef,
    opponent: String,
    /// The submission's colour.
    side: Side,
    first: Side,
    /// The number of random plies before its first turn.
    opening_plies: u32,
    end: End,
    /// The charge of each of the submission's moves.
    pub(super) charges: Vec<CpuTime>,
}

impl PlayedGame {
    /// What the submission took of its clock in a finished game; `None` if it lost by a fault.
    pub(super) fn clock_use(&self) -> Option<ClockUse> {
        let is_finished = matches!(self.end, End::Finished(_)) && !self.is_own_fault();
        is_finished.then(|| ClockUse { moves: self.charges.len(), used: self.charges.iter().copied().sum() })
    }

    /// Whether the submission lost by a fault.
    fn is_own_fault(&self) -> bool {
        match &self.end {
            End::Finished(record) => matches!(&record.verdict, Verdict::Forfeit { loser, .. } if *loser == self.side),
            End::Stopped(..) | End::CutShort(..) => false,
        }
    }
}

/// How far a game was played.
#[derive(Clone, Debug)]
enum End {
    Finished(Box<GameRecord>),
    /// Stopped after this many turns and this much time.
    Stopped(usize, WallTime),
    /// Stopped during a move of this side that took too long for a check.
    CutShort(usize, Side),
}

/// Plays a game of each colour against `reference`: one that the submission begins, then one that the reference begins,
/// from an opening if the assignment's competition or ladder has them.
pub(super) fn play_games(
    prepared: &mut PreparedSubmission<'_>,
    reference: &Participant,
    play_time: CpuTime,
) -> Result<Vec<PlayedGame>, CheckError> {
    let game = prepared.assignment.game;
    let plies = prepared.assignment.opening_plies();
    let mut pairings = encounter(game, SUBMISSION, reference.name(), 2);
    let second = pairings.split_off(1);
    pairings.extend(opened(game, 0, &second, plies).map_err(Void::from)?);
    pairings.iter().map(|pairing| quick_game(prepared, reference, pairing, play_time)).collect()
}

fn quick_game(
    prepared: &mut PreparedSubmission<'_>,
    reference: &Participant,
    pairing: &Pairing,
    play_time: CpuTime,
) -> Result<PlayedGame, CheckError> {
    let game = prepared.assignment.game;
    let side = if pairing.black == SUBMISSION { Side::Black } else { Side::White };
    let manifest = Manifest::new(game, prepared.assignment.conditions(play_time), 0);
    let mut own = prepared.seat()?;
    let mut other = reference.take_seat(game, 1, prepared.seats)?;
    let opponent = player(reference, &other, manifest.conditions.charge);
    let own_record = PlayerRecord { name: SUBMISSION.to_owned(), ..prepared.player(&own) };
    let players = PerSide::from_fn(|of| if of == side { &own_record } else { &opponent }.clone());
    let slot = GameSlot { host: &manifest.host, processor: prepared.seats.processor };
    let until = Instant::now() + patience(play_time).to_duration();
    let (own, other) = (QuickPlayer::new(&mut own, until), QuickPlayer::new(&mut other, until));
    let mut seated = match side {
        Side::Black => PerSide { black: own, white: other },
        Side::White => PerSide { black: other, white: own },
    };
    let mut turns: Vec<TurnRecord> = Vec::new();
    let watch = |_, all: &[TurnRecord]| turns.extend_from_slice(&all[turns.len()..]);
    let PerSide { black, white } = &mut seated;
    let played = play_game(&manifest, pairing, slot, players, PerSide { black, white }, watch);
    let stopped = Side::BOTH.into_iter().find_map(|of| seated.of(of).stopped.map(|why| (of, why)));
    let end = match stopped {
        None => End::Finished(Box::new(played?)),
        Some((_, StopReason::LongGame)) => End::Stopped(turns.len(), patience(play_time)),
        Some((of, StopReason::LongMove)) => End::CutShort(turns.len(), of),
    };
    watch_conduct(&mut prepared.conduct, &turns, side);
    Ok(PlayedGame {
        game,
        opponent: reference.name().to_owned(),
        side,
        first: pairing.first,
        opening_plies: pairing.start.as_ref().map_or(0, |_| prepared.assignment.opening_plies()),
        end,
        charges: own_charges(&turns, side),
    })
}

/// How long to wait for the end of a game: on short clocks, so long that even a busy machine reaches it.
fn patience(play_time: CpuTime) -> WallTime {
    let whole = WallTime::from_micros(play_time.saturating_mul(4).micros());
    if whole > SOON_OVER { LONG_ENOUGH } else { whole.max(LONG_ENOUGH) }
}

/// A player that leaves its game once that is long enough for a check.
struct QuickPlayer<'a> {
    waiting: ImpatientPlayer<'a>,
    until: Instant,
    /// Why it left.
    stopped: Option<StopReason>,
}

/// Why a game was stopped.
#[derive(Clone, Copy)]
enum StopReason {
    /// It took long enough for a check.
    LongGame,
    /// The move in progress took too long.
    LongMove,
}

impl<'a> QuickPlayer<'a> {
    fn new(seat: &'a mut Seat, until: Instant) -> Self {
        Self { waiting: ImpatientPlayer { seat, cut_short: false }, until, stopped: None }
    }

    fn stop(&mut self, why: StopReason) -> Void {
        self.stopped = Some(why);
        Void::new("stopped by the check")
    }
}

impl Player for QuickPlayer<'_> {
    fn run(&mut self, job: &RunRequest) -> Result<Run, Void> {
        if Instant::now() > self.until {
            return Err(self.stop(StopReason::LongGame));
        }
        let run = self.waiting.run(job)?;
        if self.waiting.cut_short {
            return Err(self.stop(StopReason::LongMove));
        }
        Ok(run)
    }

    fn reads_position(&self) -> bool {
        self.waiting.reads_position()
    }

    fn person(&self) -> Option<PersonClock> {
        self.waiting.person()
    }
}

fn watch_conduct(conduct: &mut ObservedConduct, turns: &[TurnRecord], side: Side) {
    for turn in turns.iter().filter(|turn| turn.side() == side) {
        match turn {
            TurnRecord::Pass { .. } => {}
            TurnRecord::Run { run, mv, .. } => {
                conduct.note(run);
                if mv.is_some() {
                    conduct.note_oddities(run);
                }
            }
        }
    }
}

fn own_charges(turns: &[TurnRecord], side: Side) -> Vec<CpuTime> {
    let own = turns.iter().filter(|turn| turn.side() == side && !turn.is_pass());
    own.map(TurnRecord::charged).collect()
}

/// Judges a game. A loss on the board is no fault.
pub(super) fn judge_game(played: &PlayedGame) -> CheckItem {
    let first = if played.first == played.side { "first" } else { "second" };
    let side_name = played.game.profile().side(played.side).name;
    let opening = match played.opening_plies {
        0 => String::new(),
        plies => format!(", from an opening of {}", counted(plies as usize, "random move")),
    };
    let against = format!("against {} as {}, to move {first}{opening}", played.opponent, side_name);
    match &played.end {
        End::Finished(record) => judge_finished(played, record, &against),
        End::Stopped(turns, after) => CheckItem::ok(
            NAME,
            format!("{against}: no errors in {}, stopped after {after} s of wall-clock time", counted(*turns, "turn")),
        ),
        End::CutShort(turns, side) if *side == played.side => CheckItem::warning(
            NAME,
            format!(
                "{against}: stopped on turn {}, your agent's, which took more than {WALL_LIMIT} s of wall-clock time",
                turns + 1
            ),
            "budget the time per move: try other game lengths with `referee play --time`",
        ),
        End::CutShort(turns, _) => CheckItem::ok(
            NAME,
            format!(
                "{against}: no errors in {}, stopped because {} took more than {WALL_LIMIT} s of wall-clock time on \
                 turn {}, which is not your agent's fault",
                counted(*turns, "turn"),
                played.opponent,
                turns + 1
            ),
        ),
    }
}

fn judge_finished(played: &PlayedGame, record: &GameRecord, against: &str) -> CheckItem {
    let turns = counted(record.turns.len(), "turn");
    let won = |how: &str| CheckItem::ok(NAME, format!("{against}: won {how} in {turns}"));
    let lost = |how: &str, remedy: &str| {
        let names = names(played);
        let sentence = verdict_sentence(&record.verdict, &names);
        CheckItem::warning(NAME, format!("{against}: {how} in {turns}, which is not an error ({sentence})"), remedy)
    };
    let is_own = |side: Side| side == played.side;
    match &record.verdict {
        Verdict::Won { winner, .. } if is_own(*winner) => won("on the board"),
        Verdict::Won { .. } => lost("lost on the board", "search deeper, or improve the evaluation"),
        Verdict::Forfeit { loser, fault } if is_own(*loser) => {
            let found = format!(
                "{against}: on turn {}, {}{}",
                record.turns.len(),
                fault_sentence(fault),
                of_the_last_run(record)
            );
            let remedy = "correct what is named here: such a game is lost at once";
            CheckItem::fault(NAME, found, remedy).with(explained(record))
        }
        Verdict::Forfeit { .. } => won("because the reference agent failed"),
        Verdict::Drawn { decided, .. } => match decided {
            DrawAward::Time { winner, .. } if is_own(*winner) => won("a draw, won on remaining time,"),
            DrawAward::SecondMove { winner } if is_own(*winner) => won("a draw, won for moving second,"),
            DrawAward::Time { .. } => {
                lost("a draw lost on time", "a draw is lost by the side with less remaining time: use less time")
            }
            DrawAward::Pieces { winner, .. } if is_own(*winner) => won("a draw, won with more pieces,"),
            DrawAward::Pieces { .. } | DrawAward::SecondMove { .. } | DrawAward::Nobody | DrawAward::NoClock => {
                lost("drawn", "a draw is not a win: search deeper")
            }
        },
    }
}

/// Details of the run that lost a game, beyond the fault's sentence.
fn of_the_last_run(record: &GameRecord) -> String {
    let Some(TurnRecord::Run { run, .. }) = record.turns.last() else {
        return String::new();
    };
    let Verdict::Forfeit { fault, .. } = &record.verdict else {
        return String::new();
    };
    match (fault, &run.ended, run.misspelled("output.txt")) {
        (Fault::OutOfTime { .. }, Termination::Guarded, _) => {
            let wall = run.usage.wall.as_secs_f64();
            format!("; stopped after {wall:.1} s of wall-clock time")
        }
        (Fault::NoOutput { lookalike: None }, _, Some(name)) => format!(", but {}", quote(name.as_bytes())),
        _ => String::new(),
    }
}

fn names(played: &PlayedGame) -> SideNames {
    match played.side {
        Side::Black => SideNames::new(played.game, SUBMISSION, &played.opponent),
        Side::White => SideNames::new(played.game, &played.opponent, SUBMISSION),
    }
}

fn explained(record: &GameRecord) -> Vec<String> {
    // Only a rules program may judge the same game differently; it is reported for that at the end.
    let explanation = explain(record).map(|explanation| explained_in_short(&explanation, OutputStyle::PLAIN));
    explanation.unwrap_or_default()
}
