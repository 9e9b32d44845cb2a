//! The rules that end games, by their names.
//!
//! For: saying which rule a loss, a win or a draw comes from. Deliberately not here: what the rules say (`citation`), and
//! what happened in a particular game.
//!
//! Findings carry their codes as texts, so that old records can be read: a code that is not known here stands for the
//! rules, or the format, of the game as a whole.

use serde::Serialize;

use crate::games::{GameId, Win};
use crate::protocol::Finding;
use crate::records::{Decided, Draw, Fault, Verdict};

/// A rule that a game can be lost, won or drawn by. [`Rule::cite`] tells what it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "each is described by its own sentence, see `Rule::cite`")]
pub enum Rule {
    PlayTime,
    ReturnByItself,
    Limits,
    RunnableProgram,
    OutputFile,
    OrdinaryFile,
    AnswerInFile,
    PlainText,
    ExactFormat,
    OneMoveALine,
    OneSquare,
    MoveLine,
    StepAndJumpLetters,
    SquareNames,
    OnePlayATurn,
    Format,
    OwnPiece,
    EmptyLanding,
    UnbrokenChain,
    DarkSquares,
    DiagonalMoves,
    MenForward,
    ForwardOnly,
    CapturingJump,
    CompulsoryJump,
    WholeChain,
    CrowningEndsPlay,
    StepsAndJumps,
    JumpOverPiece,
    StayInOpposingCamp,
    AddendumA,
    AddendumB,
    EmptySquare,
    FlipSomething,
    PassOnlyWhenStuck,
    Legality,
    NoPieceOrMove,
    CampFilled,
    HigherScore,
    NobodyCanMove,
    IdleTurns,
    Repetition,
    TurnLimit,
    MoreTimeWins,
    SecondMoveWins,
    TrueDraw,
    DrawWithoutClock,
    Resignation,
}

impl Rule {
    /// The rule that an agent broke by `fault`.
    pub fn broken_by(fault: &Fault, game: GameId) -> Self {
        match fault {
            Fault::OutOfTime { .. } => Self::PlayTime,
            Fault::NeverReturned { .. } => Self::ReturnByItself,
            Fault::LimitExceeded { .. } => Self::Limits,
            Fault::NotStarted { .. } => Self::RunnableProgram,
            Fault::NoOutput { .. } => Self::OutputFile,
            Fault::UnusableOutput { .. } => Self::OrdinaryFile,
            Fault::EmptyOutput => Self::AnswerInFile,
            Fault::WrongFormat { finding } => Self::of_format(finding, game),
            Fault::IllegalMove { finding } => Self::of_move(finding, game),
            Fault::Resigned => Self::Resignation,
        }
    }

    /// The rules by which a game ended: of a draw also the one that gives it to a side.
    pub fn behind(verdict: &Verdict, game: GameId) -> Vec<Self> {
        match verdict {
            Verdict::Forfeit { fault, .. } => vec![Self::broken_by(fault, game)],
            Verdict::Won { by, .. } => vec![match by {
                Win::NoPieces | Win::NoMoves => Self::NoPieceOrMove,
                Win::CampFilled => Self::CampFilled,
                Win::HigherScore { .. } => Self::HigherScore,
            }],
            Verdict::Drawn { by, decided } => {
                let drawn = match by {
                    Draw::Blocked => Self::NobodyCanMove,
                    Draw::EqualScores { .. } => Self::HigherScore,
                    Draw::IdleTurns { .. } => Self::IdleTurns,
                    Draw::Repetition { .. } => Self::Repetition,
                    Draw::TurnLimit { .. } => Self::TurnLimit,
                };
                let given = match decided {
                    Decided::Time { .. } => Self::MoreTimeWins,
                    Decided::SecondMove { .. } => Self::SecondMoveWins,
                    Decided::Nobody => Self::TrueDraw,
                    Decided::NoClock => Self::DrawWithoutClock,
                };
                vec![drawn, given]
            }
        }
    }

    fn of_format(finding: &Finding, game: GameId) -> Self {
        match (&*finding.code, game) {
            ("byte-order-mark", _) => Self::PlainText,
            (
                "carriage-return" | "empty-line" | "leading-blanks" | "stray-blanks" | "trailing-blanks"
                | "letter-case" | "square-case",
                _,
            ) => Self::ExactFormat,
            ("extra-word" | "extra-line", GameId::DuoOthello) => Self::OneSquare,
            ("extra-word" | "missing-word", GameId::Checkers | GameId::Halma(_)) => Self::OneMoveALine,
            ("extra-word" | "extra-line" | "missing-lines" | "not-a-move" | "not-a-number", GameId::StarCircle) => {
                Self::MoveLine
            }
            ("not-a-letter", _) => Self::StepAndJumpLetters,
            ("not-a-square", _) => Self::SquareNames,
            ("after-a-step" | "step-after-jump", _) => Self::OnePlayATurn,
            _ => Self::Format,
        }
    }

    fn of_move(finding: &Finding, game: GameId) -> Self {
        match (game, &*finding.code) {
            (GameId::Checkers | GameId::Halma(_), code) => match code {
                "empty-origin" | "empty-start" | "opponents-piece" => Self::OwnPiece,
                "occupied" => Self::EmptyLanding,
                "broken-chain" => Self::UnbrokenChain,
                "jump-as-step" | "step-as-jump" | "step-is-jump" | "jump-is-step" => Self::StepAndJumpLetters,
                _ if game == GameId::Checkers => Self::of_checkers_move(code),
                _ => Self::of_halma_move(code),
            },
            (GameId::DuoOthello, "occupied") => Self::EmptySquare,
            (GameId::DuoOthello, "flips-nothing") => Self::FlipSomething,
            (GameId::DuoOthello, _) => Self::Legality,
            (GameId::StarCircle, code) => Self::of_star_circle_move(code),
        }
    }

    fn of_checkers_move(code: &str) -> Self {
        match code {
            "light-square" => Self::DarkSquares,
            "motionless" | "not-diagonal" | "too-far" => Self::DiagonalMoves,
            "backward" => Self::MenForward,
            "no-jumps" | "nothing-to-jump" | "own-piece-jumped" | "already-captured" => Self::CapturingJump,
            "jump-compulsory" => Self::CompulsoryJump,
            "incomplete" => Self::WholeChain,
            "after-crowning" => Self::CrowningEndsPlay,
            _ => Self::Legality,
        }
    }

    fn of_star_circle_move(code: &str) -> Self {
        match code {
            "must-not-pass" => Self::PassOnlyWhenStuck,
            "light-square" => Self::DarkSquares,
            "empty-origin" | "opponents-piece" => Self::OwnPiece,
            "backward" | "arrived" => Self::ForwardOnly,
            "motionless" | "not-diagonal" | "too-far" => Self::DiagonalMoves,
            "occupied" => Self::EmptyLanding,
            "nothing-to-jump" | "own-piece-jumped" => Self::CapturingJump,
            _ => Self::Legality,
        }
    }

    fn of_halma_move(code: &str) -> Self {
        match code {
            "stands-still" | "not-in-line" | "too-far" => Self::StepsAndJumps,
            "no-jump" | "nothing-to-jump" => Self::JumpOverPiece,
            "leaves-opposing-camp" => Self::StayInOpposingCamp,
            "returns-to-camp" => Self::AddendumA,
            "must-leave-camp" | "must-move-further" | "stays-in-camp" => Self::AddendumB,
            _ => Self::Legality,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::halma;

    const HALMA: GameId = GameId::Halma(halma::Rules::Addendum);

    /// The kebab-case names that follow `before` in `source`.
    fn names_after<'a>(source: &'a str, before: &str) -> Vec<&'a str> {
        let is_name = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_lowercase() || c == '-');
        let code = source.split("#[cfg(test)]").next().unwrap_or_default();
        let after = code
            .split(before)
            .skip(1)
            .filter_map(|rest| rest.trim_start().strip_prefix('"')?.split('"').next());
        after.filter(|name| is_name(name)).collect()
    }

    fn finding(code: &str) -> Finding {
        serde_json::from_value(serde_json::json!({ "code": code, "message": "" })).unwrap()
    }

    #[test]
    fn every_reason_of_a_game_names_its_rule() {
        let checkers = names_after(include_str!("../../games/checkers/reason.rs"), "=> ");
        let halma = names_after(include_str!("../../games/halma/judge.rs"), "=> ");
        let othello = ["occupied", "flips-nothing"].to_vec();
        let mut star_circle = names_after(include_str!("../../games/star_circle/judge.rs"), "=> ");
        star_circle.push("must-not-pass");
        assert_eq!(
            (checkers.len(), halma.len(), star_circle.len()),
            (18, 16, 12),
            "the reasons are found in the sources"
        );
        for (game, codes) in [
            (GameId::Checkers, checkers),
            (HALMA, halma),
            (GameId::DuoOthello, othello),
            (GameId::StarCircle, star_circle),
        ] {
            for code in codes {
                let fault = Fault::IllegalMove { finding: finding(code) };
                assert_ne!(Rule::broken_by(&fault, game), Rule::Legality, "{game}: `{code}`");
            }
        }
    }

    #[test]
    fn every_wrong_format_names_its_rule() {
        let lines = names_after(include_str!("../../protocol/lines.rs"), "Finding::new(");
        let plays = names_after(include_str!("../../protocol/plays.rs"), "Finding::new(");
        let star_circle = names_after(include_str!("../../protocol/star_circle/answer.rs"), "Finding::new(");
        assert_eq!(
            (lines.len(), plays.len(), star_circle.len()),
            (6, 8, 6),
            "the codes are found in the sources"
        );
        let of = |codes: &[&'static str]| codes.to_vec();
        let othello = ["extra-word", "extra-line", "not-a-square", "square-case"];
        let games = [
            (GameId::Checkers, of(&plays)),
            (HALMA, of(&plays)),
            (GameId::DuoOthello, of(&othello)),
            (GameId::StarCircle, of(&star_circle)),
        ];
        for (game, codes) in games {
            for code in codes.iter().chain(&lines) {
                let fault = Fault::WrongFormat { finding: finding(code) };
                assert_ne!(Rule::broken_by(&fault, game), Rule::Format, "{game}: `{code}`");
            }
        }
    }

    #[test]
    fn a_code_of_another_version_stands_for_the_rules_as_a_whole() {
        let finding = finding("invented-later");
        for game in [GameId::Checkers, HALMA, GameId::DuoOthello, GameId::StarCircle] {
            let format = Rule::broken_by(
                &Fault::WrongFormat {
                    finding: finding.clone(),
                },
                game,
            );
            let illegal = Rule::broken_by(
                &Fault::IllegalMove {
                    finding: finding.clone(),
                },
                game,
            );
            assert_eq!((format, illegal), (Rule::Format, Rule::Legality), "{game}");
        }
    }
}
