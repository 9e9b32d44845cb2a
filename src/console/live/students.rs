//! Finished work by student: a grading of a class prints one line for each student instead of one for each game. It
//! gives no points; the gradebook at the end does.

use std::collections::BTreeMap;

use referee_messages::plain;
use referee_records::{AnswerRecord, AnswerVerdict, Fault, FaultKind, GameRecord, Verdict};

/// The progress of each student.
#[derive(Debug)]
pub struct StudentTallies(BTreeMap<String, StudentTally>);

#[derive(Debug)]
struct StudentTally {
    /// Unfinished games and answers.
    left: usize,
    /// Finished ones.
    done: usize,
    /// Games won and right answers.
    won: usize,
    faults: BTreeMap<FaultKind, usize>,
}

impl StudentTallies {
    /// Students with the number of their games and answers still to come.
    pub fn of(work: BTreeMap<String, usize>) -> Self {
        let tally = |left| StudentTally { left, done: 0, won: 0, faults: BTreeMap::new() };
        Self(work.into_iter().map(|(name, left)| (name, tally(left))).collect())
    }

    /// Counts a game; returns the lines of students for whom it was the last.
    pub(super) fn add_game(&mut self, record: &GameRecord) -> Vec<String> {
        let [black, white] = [&record.players.black.name, &record.players.white.name];
        let sides = [(referee_games::Side::Black, black), (referee_games::Side::White, white)];
        let lines = sides.map(|(side, name)| {
            let fault = match &record.verdict {
                Verdict::Forfeit { loser, fault } if *loser == side => Some(fault),
                Verdict::Forfeit { .. } | Verdict::Won { .. } | Verdict::Drawn { .. } => None,
            };
            self.add(name, record.verdict.winner() == Some(side), fault)
        });
        lines.into_iter().flatten().collect()
    }

    /// Counts an answer; returns the line of the student if it was the last.
    pub(super) fn add_answer(&mut self, record: &AnswerRecord) -> Option<String> {
        let fault = match &record.verdict {
            AnswerVerdict::Fault { fault } => Some(fault),
            AnswerVerdict::Legal { .. } | AnswerVerdict::Equal | AnswerVerdict::Different { .. } => None,
        };
        self.add(&record.agent.name, record.verdict.is_right(), fault)
    }

    fn add(&mut self, name: &str, is_won: bool, fault: Option<&Fault>) -> Option<String> {
        let tally = self.0.get_mut(name)?;
        tally.left = tally.left.saturating_sub(1);
        tally.done += 1;
        tally.won += usize::from(is_won);
        if let Some(fault) = fault {
            *tally.faults.entry(fault.kind()).or_default() += 1;
        }
        (tally.left == 0).then(|| tally.line(name))
    }
}

impl StudentTally {
    /// `ada: 18 of 20 games and answers earned; 2x illegal move`
    fn line(&self, name: &str) -> String {
        let faults: Vec<String> = self
            .faults
            .iter()
            .map(|(kind, count)| format!("{count}x {}", kind.to_string().replace('-', " ")))
            .collect();
        let gap = if faults.is_empty() { "" } else { "; " };
        format!("{}: {} of {} games and answers earned{gap}{}", plain(name), self.won, self.done, faults.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_student_has_a_line_when_all_is_done() {
        let mut tallies = StudentTallies::of(BTreeMap::from([("ada\x1b".to_owned(), 3), ("bob".to_owned(), 1)]));
        assert_eq!(tallies.add("ada\x1b", true, None), None);
        assert_eq!(tallies.add("the reference agent", true, None), None);
        assert_eq!(tallies.add("ada\x1b", false, Some(&Fault::EmptyOutput)), None);
        assert_eq!(tallies.add("bob", true, None).unwrap(), "bob: 1 of 1 games and answers earned");
        let last = tallies.add("ada\x1b", false, Some(&Fault::EmptyOutput)).unwrap();
        assert_eq!(last, r"ada\u{1b}: 1 of 3 games and answers earned; 2x empty output");
    }
}
