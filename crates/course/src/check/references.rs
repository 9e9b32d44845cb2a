//! The opponents and rules of a check, from an assignment or by default. It plays nothing; `cli/check` and `examine`
//! call it.

use std::path::Path;

use crate::assignment::{
    Assignment, AssignmentAgent, AssignmentErrors, CriterionKind, QuestionFolder, QuestionText, RightAnswers,
};
use crate::grading::{question, solved};
use referee_games::GameRef;
use referee_records::Question;
use referee_submissions::agents::{AgentSource, AgentSpec};
use referee_time::CpuTime;

/// The default time for a single move: "30.0 seconds for single moves" (handouts).
const TIME_FOR_A_MOVE: CpuTime = CpuTime::from_secs(30);

/// The distinct opponents of `assignment`, with paths relative to `folder`. An assignment without games or cases, such
/// as a competition, gets the built-in ones.
pub fn references(assignment: &Assignment, folder: &Path) -> Vec<AssignmentAgent> {
    let mut references: Vec<AssignmentAgent> = Vec::new();
    let mut has_cases = false;
    for criterion in &assignment.criteria {
        match &criterion.kind {
            CriterionKind::Games { opponent, opponent_name, .. } => {
                let reference = AssignmentAgent { name: opponent_name.clone(), spec: located(opponent, folder) };
                if !references.contains(&reference) {
                    references.push(reference);
                }
            }
            CriterionKind::Questions(asked) => has_cases |= asked.answers != RightAnswers::LegalMoves,
        }
    }
    if references.is_empty() && !has_cases {
        references.extend(["random", "minimax"].map(built_in));
    }
    references
}

/// The assignment's own positions and cases, with paths relative to `folder`, as far as they lie there: a course may
/// keep them to itself.
///
/// # Errors
///
/// All faults of the folders that are there.
pub fn own_questions(assignment: &Assignment, folder: &Path) -> Result<Vec<Question>, AssignmentErrors> {
    let mut questions = Vec::new();
    for criterion in &assignment.criteria {
        let CriterionKind::Questions(asked) = &criterion.kind else { continue };
        let asked = QuestionFolder { folder: folder.join(&asked.folder), ..asked.clone() };
        if asked.folder.is_dir() {
            let texts = asked.read(assignment.game)?.into_iter();
            // A case whose right answer cannot be computed is left out.
            let texts = texts.filter_map(|text| with_answer(&asked, text, assignment.game));
            questions.extend(texts.map(|text| question(&asked, text.name.clone(), &text)));
        }
    }
    Ok(questions)
}

fn with_answer(asked: &QuestionFolder, text: QuestionText, game: GameRef) -> Option<QuestionText> {
    match asked.answers {
        RightAnswers::LegalMoves | RightAnswers::Files => Some(text),
        RightAnswers::Solver => solved(text, game.puzzles()?).ok(),
    }
}

fn built_in(name: &str) -> AssignmentAgent {
    let spec: AgentSpec = format!("builtin:{name}").parse().expect("there is such an agent");
    AssignmentAgent { name: spec.name(), spec }
}

fn located(spec: &AgentSpec, folder: &Path) -> AgentSpec {
    match spec.source() {
        AgentSource::Path(path) => AgentSpec::of_path(folder.join(path)),
        AgentSource::Builtin(_) | AgentSource::Submission(_) => spec.clone(),
    }
}

/// The shortest play time of the assignment's games.
pub(super) fn shortest_play_time(assignment: &Assignment) -> CpuTime {
    let times = assignment.criteria.iter().filter_map(|criterion| match &criterion.kind {
        CriterionKind::Games { play_times, .. } => play_times.iter().copied().min(),
        CriterionKind::Questions(_) => None,
    });
    times.min().unwrap_or(assignment.clock.play_time)
}

/// The shortest time for one answer, which no limit for each move exceeds.
pub(super) fn time_for_an_answer(assignment: &Assignment) -> CpuTime {
    let times = assignment.criteria.iter().filter_map(|criterion| match &criterion.kind {
        CriterionKind::Questions(asked) => Some(asked.time),
        CriterionKind::Games { .. } => None,
    });
    let usual = assignment.game.puzzles().map_or(TIME_FOR_A_MOVE, |puzzles| puzzles.time);
    let time = times.min().unwrap_or(usual);
    assignment.clock.move_time.map_or(time, |limit| limit.min(time))
}

/// The assignment for `game` if none is named: all defaults.
///
/// # Errors
///
/// Only through a mistake in this function.
pub fn default_assignment(game: GameRef) -> Result<Assignment, AssignmentErrors> {
    let rules = game.rules().map_or_else(String::new, |rules| format!("rules = \"{rules}\"\n"));
    let against = |agent: &str| {
        let name = format!("name = \"{agent}\"\nopponent = \"builtin:{agent}\"\n");
        format!("[[grade]]\nkind = \"games\"\n{name}games = 1\npoints_each = 1\n")
    };
    let grade = match game.puzzles() {
        Some(puzzles) => {
            let time = puzzles.time;
            format!("[[grade]]\nkind = \"cases\"\ncases = \"cases\"\ntime = {time}\npoints_each = 1\n")
        }
        None => against("random") + &against("minimax"),
    };
    let name = game.name();
    let text = format!("title = \"{name}\"\ngame = \"{name}\"\n{rules}{grade}");
    Assignment::parse_for(game, &text, Path::new("the default assignment"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use referee_games::KnownGames;

    #[test]
    fn every_game_has_an_assignment_by_default() {
        let names = |game| -> Vec<String> {
            let assignment = default_assignment(game).unwrap();
            assert_eq!((assignment.game, shortest_play_time(&assignment)), (game, CpuTime::from_secs(300)));
            let references = references(&assignment, Path::new("x"));
            references.iter().map(|reference| reference.name.to_string()).collect()
        };
        for game in [referee_games::checkers::ID, referee_games::halma::ORIGINAL, referee_games::othello::ID] {
            assert_eq!(names(game), ["random", "minimax"]);
        }
        assert!(names(referee_games::star_circle::ID).is_empty());
    }

    #[test]
    fn the_shipped_assignments_have_their_references_and_times() {
        let tournaments = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join("tournaments");
        let cases: [(&str, &[&str], u64, u64); 5] = [
            ("checkers-2021", &["minimax"], 5, 30),
            ("checkers-2021-staff", &["random", "minimax"], 300, 30),
            ("duo-othello-2024", &["random", "minimax"], 300, 30),
            ("star-circle-2018", &[], 300, 180),
            ("little-go-2020", &["random", "greedy", "aggressive", "pruning"], 300, 10),
        ];
        for (name, expected, play_time, time) in cases {
            let assignment =
                Assignment::load(&tournaments.join(format!("{name}.toml")), &KnownGames::builtin()).unwrap();
            let found = references(&assignment, &tournaments);
            let found: Vec<&str> = found.iter().map(|reference| reference.name.as_str()).collect();
            assert_eq!(found, expected, "{name}");
            assert_eq!(shortest_play_time(&assignment), CpuTime::from_secs(play_time), "{name}");
            assert_eq!(time_for_an_answer(&assignment), CpuTime::from_secs(time), "{name}");
        }
    }
}
