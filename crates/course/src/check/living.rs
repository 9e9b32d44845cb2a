//! Checks that a program that lives for a whole game keeps to its protocol. `examine` calls it before everything else
//! that runs the program: one that does not answer is asked no more.
//!
//! It plays the first turns of a game, against the first legal move each time, and then ends the game. Whether the
//! moves are good, or legal in other positions, is for other steps.

use super::conduct::failure;
use super::error::CheckError;
use super::prepared::{PreparedSubmission, explained_run};
use super::references::shortest_play_time;
use super::report::CheckItem;
use referee_games::protocol::is_blank_text;
use referee_matches::referee::{GameStep, OngoingGame};
use referee_messages::{counted, fault_sentence};
use referee_records::{Fault, Verdict};
use referee_seat::{OutputFile, Run, RunRequest, Termination, Usage};
use referee_time::WallTime;

const NAME: &str = "protocol";

/// The turns of the program.
const TURNS: u32 = 4;

/// How long the program may wait in one of them. The course may wait longer.
const WAIT: WallTime = WallTime::from_secs(10);

/// What was seen of the program.
#[derive(Clone, Debug)]
pub(super) struct ProtocolProbe {
    /// The number of questions.
    turns: u32,
    /// Its last turn, with the fault by which it lost there, if it did.
    last: Option<(Run, Option<Fault>)>,
    /// Whether [`WAIT`] was less than the course waits.
    cut_short: bool,
    /// How it ended after the end of its input; `None` if it had ended before.
    end: Option<Termination>,
}

/// Plays the first turns of a game.
pub(super) fn try_protocol(prepared: &mut PreparedSubmission<'_>) -> Result<ProtocolProbe, CheckError> {
    let game = prepared.assignment.game;
    let own = game.profile().first_turn.drawn_by(0);
    let conditions = prepared.assignment.conditions(shortest_play_time(prepared.assignment));
    let mut ongoing_game = OngoingGame::new(game.start().with_side_to_move(own), conditions);
    let mut seat = prepared.seat()?;
    let mut probe = ProtocolProbe { turns: 0, last: None, cut_short: false, end: None };
    while let GameStep::Run(side) = ongoing_game.next_step() {
        if side != own {
            let reply = ongoing_game.position().moves().into_iter().next().unwrap_or_default();
            ongoing_game.report(Run::wrote(reply.into_bytes(), Usage::default()));
            continue;
        }
        if probe.turns == TURNS {
            break;
        }
        let job = ongoing_game.job(false)?;
        let run = seat.run(&RunRequest { wall_limit: job.wall_limit.min(WAIT), ..job.clone() })?;
        probe.turns += 1;
        probe.cut_short = run.ended == Termination::Guarded && job.wall_limit > WAIT;
        prepared.conduct.note(&run);
        ongoing_game.report(run.clone());
        let fault = match ongoing_game.verdict() {
            Some(Verdict::Forfeit { loser, fault }) if *loser == own => Some(fault.clone()),
            Some(_) | None => None,
        };
        probe.last = Some((run, fault));
    }
    let lives = probe.last.as_ref().is_some_and(|(run, _)| run.ended == Termination::Answered);
    probe.end = seat.end_game()?.map(|(ended, _)| ended).filter(|_| lives);
    Ok(probe)
}

impl ProtocolProbe {
    /// Whether it shows no more to ask the program than has been asked.
    pub(super) fn is_mute(&self) -> bool {
        self.last.as_ref().is_none_or(|(run, _)| run.output.content().is_none())
    }
}

/// Judges the protocol alone: an illegal move is an answer.
pub(super) fn judge_protocol(probe: &ProtocolProbe) -> CheckItem {
    let Some((run, fault)) = &probe.last else {
        return CheckItem::ok(NAME, "not tried: the game is over before the first move");
    };
    let question = format!("question {} of a game", probe.turns);
    let wrote_nothing = matches!(&run.output, OutputFile::Unfinished { bytes, after_input }
        if is_blank_text(&bytes.0) && is_blank_text(&after_input.0));
    if let Some(fault) = fault.as_ref().filter(|_| run.output.content().is_none()) {
        let found = if probe.cut_short {
            format!("{question}: no finished answer after {WAIT} s of waiting")
        } else {
            format!("{question}: {}", fault_sentence(fault))
        };
        let item = if probe.cut_short && wrote_nothing {
            CheckItem::warning(NAME, found, "answer each question at once: a move, an empty line, and a flush")
        } else {
            CheckItem::fault(NAME, found, "correct what is named here: such a game is lost at once")
        };
        return item.with(explained_run(run));
    }
    if let Some(ended) = ended_early(run) {
        let found = format!("{question}: the program {ended} after its answer");
        return CheckItem::fault(NAME, found, "answer questions in a loop, up to the end of the input")
            .with(explained_run(run));
    }
    let answered = format!("{} answered by one process", counted(probe.turns as usize, "question"));
    match &probe.end {
        None | Some(Termination::Exited { status: 0 }) => {
            CheckItem::ok(NAME, format!("{answered}, which ended with its input"))
        }
        Some(ended) => match failure(ended) {
            Some(failure) => CheckItem::warning(
                NAME,
                format!("{answered}, which {failure} at the end of its input"),
                "end normally when the input ends: it costs no points",
            ),
            None => CheckItem::warning(
                NAME,
                format!("{answered}, which was killed a second after the end of its input"),
                "end when the input ends: it costs no points, but takes a second of each game",
            ),
        },
    }
}

/// How the program ended with its answer, in the past tense.
fn ended_early(run: &Run) -> Option<String> {
    match &run.ended {
        Termination::Answered => None,
        Termination::Exited { status: 0 } => Some("exited with status 0".to_owned()),
        Termination::Exited { .. } | Termination::Signalled { .. } => failure(&run.ended),
        Termination::OutOfCpu
        | Termination::Guarded
        | Termination::Exceeded { .. }
        | Termination::NotStarted { .. } => Some("was killed".to_owned()),
    }
}
