//! The story of a game's time in sentences. The facts come from [`referee_matches::referee::time_story`]; `explain`
//! prints them, pages show them, and feedback has the one about a loss.

use super::explained::labelled;
use super::output_style::{NO_BREAK, OutputStyle};
use super::results::{SideNames, clock, first_few};
use referee_games::protocol::counted;
use referee_matches::referee::{ClockStory, DrawByTime, TimeLoss, TimeStory, TurnTime, UselessTurn, UselessTurnReason};
use referee_time::CpuTime;

/// The most expensive turns are worth a sentence if they took so much of the time, ...
const MUCH_PERCENT: u64 = 50;
/// ... and were so few of all: one in so many.
const FEW: usize = 3;
/// So many useless turns are named.
const MAX_NAMED: usize = 5;

/// The lines about a game's time below an explanation; none where there is nothing to say.
pub fn time_story_lines(story: &TimeStory, names: &SideNames, look: OutputStyle) -> Vec<String> {
    time_sentences(story, names).iter().flat_map(|sentence| labelled("time", sentence, look)).collect()
}

/// The sentences about a game's time, without full stops; none where there is nothing to say.
pub fn time_sentences(story: &TimeStory, names: &SideNames) -> Vec<String> {
    let of_loss = story.loss.iter().map(|loss| time_loss_sentence(loss, names));
    let of_clocks = story.clocks.iter().filter_map(|clock| clock_sentence(story, clock, names.side(clock.side)));
    let of_draw = story.draw.iter().map(|draw| draw_sentence(draw, names));
    of_loss.chain(of_clocks).chain(of_draw).collect()
}

/// The sentence about what time had to do with a loss, without a full stop.
pub fn time_loss_sentence(loss: &TimeLoss, names: &SideNames) -> String {
    match loss {
        TimeLoss::Pace { loser, pace, from, needed: 1 } => {
            let (name, turn) = (names.side(*loser), from.turn);
            let (left, pace) = (clock(from.left), clock(*pace));
            format!("on turn {turn}, {name} had {left} s left, less than the {pace} s that its runs usually took")
        }
        TimeLoss::Pace { loser, pace, from, needed } => {
            let (name, turn) = (names.side(*loser), from.turn);
            let (left, pace) = (clock(from.left), clock(*pace));
            let runs = counted(*needed, "run");
            format!(
                "from turn {turn} on, {name} could not avoid its loss on time at its usual pace: {left} s were left, \
                 and {runs} of about {pace} s followed"
            )
        }
        TimeLoss::LastTurn { loser, pace, last } => {
            let (name, turn, left) = (names.side(*loser), last.turn, clock(last.left));
            format!(
                "{name} lost its time on turn {turn} alone: {left} s were left, and its runs usually took {} s",
                clock(*pace)
            )
        }
        TimeLoss::Unused { loser, left, play_time } => {
            let (name, left, all) = (names.side(*loser), clock(*left), clock(*play_time));
            format!("{name} lost on the board with {left} s of its {all} s unused")
        }
    }
}

/// Of a few turns there is nothing to say.
fn clock_sentence(story: &TimeStory, side: &ClockStory, name: &str) -> Option<String> {
    side.pace?;
    let mut parts = Vec::new();
    if side.left > CpuTime::ZERO && !is_told_as_unused(story, side) {
        parts.push(format!("{} s left at the end", clock(side.left)));
    }
    parts.extend(costliest_words(side));
    parts.extend(useless_words(&side.useless, UselessTurnReason::OnlyMove));
    parts.extend(useless_words(&side.useless, UselessTurnReason::AllEqual));
    (!parts.is_empty()).then(|| format!("{name}: {}", parts.join("; ")))
}

fn is_told_as_unused(story: &TimeStory, side: &ClockStory) -> bool {
    matches!(story.loss, Some(TimeLoss::Unused { loser, .. }) if loser == side.side)
}

/// The most expensive turns, if they were few and took much of the time, and a noticeable part of the clock.
fn costliest_words(side: &ClockStory) -> Option<String> {
    let ClockStory { costliest, costliest_percent: percent, turns, .. } = side;
    let by_these: CpuTime = costliest.iter().map(|time| time.charged).sum();
    let is_much = *percent >= MUCH_PERCENT && *turns >= FEW * costliest.len() && side.is_noticeable(by_these);
    let these = turns_with_times(costliest);
    is_much.then(|| format!("{percent} % of its time went into {} of {turns} runs: {these}", costliest.len()))
}

fn turns_with_times(times: &[TurnTime]) -> String {
    let turn = |time: &TurnTime| format!("turn{0}{1}{0}({2}{0}s)", NO_BREAK, time.turn, clock(time.charged));
    times.iter().map(turn).collect::<Vec<_>>().join(", ")
}

fn useless_words(turns: &[UselessTurn], reason: UselessTurnReason) -> Option<String> {
    let turns: Vec<&UselessTurn> = turns.iter().filter(|turn| turn.reason == reason).collect();
    let spent = clock(turns.iter().map(|turn| turn.charged).sum());
    let why = match (reason, turns.len()) {
        (_, 0) => return None,
        (UselessTurnReason::OnlyMove, _) => "there was one legal move",
        (UselessTurnReason::AllEqual, _) => "all moves were equally good",
    };
    let named = first_few(turns.iter().map(|turn| turn.turn.to_string()), MAX_NAMED);
    let noun = if turns.len() == 1 { "turn" } else { "turns" };
    Some(format!("{spent} s changed nothing: {why} on {noun} {named}"))
}

fn draw_sentence(draw: &DrawByTime, names: &SideNames) -> String {
    match draw {
        DrawByTime::Decided { winner, margin } => {
            format!("the draw went to {}, which had {margin} s more left", names.side(*winner))
        }
        DrawByTime::Hypothetical { winner, margin } => {
            format!("a draw would have gone to {}, which had {} s more left", names.side(*winner), clock(*margin))
        }
    }
}
