//! What the rules say, and where they stand.
//!
//! For: telling a student the name of a rule, the rule itself in one sentence, and the section of the handout to read.
//! Deliberately not here: which rule applies (`rule`). The sentences follow RULES.md, which is normative.

use serde::Serialize;

use super::rule::Rule;
use crate::games::GameId;

/// A rule as it is told to people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Citation {
    /// The rule.
    pub rule: Rule,
    /// Its name, lower case.
    pub name: &'static str,
    /// What it says, in a sentence without a full stop.
    pub sentence: &'static str,
    /// Where it comes from: a section of the game's handout, or a decision of this referee.
    pub source: String,
}

/// The part of a handout that a rule is from. The handouts have different titles for the same parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Section {
    Grading,
    Play,
    Scenarios,
    Turns,
    Formats,
    Start,
    Addendum,
    /// The handouts are silent.
    Referee,
}

impl Rule {
    /// The rule as it is told in `game`.
    pub fn cite(self, game: GameId) -> Citation {
        let (name, sentence, section) = self.words(game);
        Citation {
            rule: self,
            name,
            sentence,
            source: section.title(game),
        }
    }

    /// Name, sentence, and where it stands.
    #[expect(clippy::too_many_lines, reason = "a flat list, one entry a rule")]
    fn words(self, game: GameId) -> (&'static str, &'static str, Section) {
        match self {
            Self::PlayTime => (
                "play time",
                "the CPU time of every run, all threads and child processes together, is taken from the agent's play \
                 time; an agent that has none left loses, whatever it wrote",
                Section::Turns,
            ),
            Self::ReturnByItself => (
                "a run has to end",
                "a program has to return by itself before its time is over; one that does not, although it uses \
                 hardly any CPU time, is killed by the clock on the wall and loses",
                Section::Turns,
            ),
            Self::Limits => (
                "limits",
                "an agent that is killed for passing a limit of memory, files or processes, and has left no valid \
                 answer, loses",
                Section::Referee,
            ),
            Self::RunnableProgram => (
                "a program that runs",
                "the program has to start, without arguments, on the machine that plays the games",
                Section::Grading,
            ),
            Self::OutputFile => (
                "an answer in `output.txt`",
                "every run has to leave a file with exactly this name, all lower case, in the directory in which it \
                 was started; a file of an earlier run is removed before",
                Section::Grading,
            ),
            Self::OrdinaryFile => (
                "an ordinary `output.txt`",
                "`output.txt` has to be an ordinary file of at most 64 KiB, and neither a link nor a directory",
                Section::Referee,
            ),
            Self::AnswerInFile => (
                "an answer in `output.txt`",
                "`output.txt` has to have the move in it; an agent is only run when its side has a legal one",
                Section::Formats,
            ),
            Self::PlainText => (
                "plain text",
                "`output.txt` is plain ASCII text, without a byte order mark at its beginning",
                Section::Formats,
            ),
            Self::ExactFormat => (
                "the exact format",
                "no stray blanks, no empty lines, LF alone at the end of a line, and letters in the case of the \
                 handout",
                Section::Formats,
            ),
            Self::OneMoveALine => (
                "one move a line",
                "a line is a letter, the square where the piece stands and the square where it goes, with one blank \
                 between them and nothing else",
                Section::Formats,
            ),
            Self::OneSquare => (
                "one square",
                "an answer is one line with one square on it, column and row together, such as `c2`",
                Section::Formats,
            ),
            Self::MoveLine => (
                "the line of the move",
                "the first line is the square where the piece stands, `-`, and the square where it goes, such as \
                 `F4-H2`; below it there is nothing, or the three numbers of the assignment, one a line",
                Section::Formats,
            ),
            Self::StepAndJumpLetters => (
                "`E` and `J`",
                "a line begins with `E` for a step to an adjacent square, and with `J` for a jump over a piece",
                Section::Formats,
            ),
            Self::SquareNames => ("names of squares", square_names(game), Section::Formats),
            Self::OnePlayATurn => (
                "one play a turn",
                "a play is either one step, on one line, or a chain of jumps of one piece, one jump a line",
                Section::Formats,
            ),
            Self::Format => (
                "the format of `output.txt`",
                "an answer has to have the format of the handout exactly",
                Section::Formats,
            ),
            Self::OwnPiece => (
                "one's own piece",
                "the first square of a play has to be one on which a piece of one's own stands",
                Section::Play,
            ),
            Self::EmptyLanding => ("an empty square", landing(game), Section::Play),
            Self::UnbrokenChain => (
                "one piece, one chain",
                "every jump of a chain begins on the square where the one before it ended",
                Section::Play,
            ),
            Self::DarkSquares => ("dark squares", dark_squares(game), Section::Start),
            Self::DiagonalMoves => ("steps and jumps", diagonal_moves(game), Section::Play),
            Self::MenForward => (
                "men go forward",
                "a man steps and jumps forward only, black down the board and white up; a king goes both ways",
                Section::Play,
            ),
            Self::ForwardOnly => (
                "forward only",
                "Star goes up, towards row `H`, and Circle down, towards row `A`; a piece on its last row stays there",
                Section::Play,
            ),
            Self::CapturingJump => (
                "jumping captures",
                "a jump goes over one enemy piece on an adjacent square, which leaves the board at once",
                Section::Play,
            ),
            Self::CompulsoryJump => (
                "jumping is compulsory",
                "a side that has a piece that can jump has to jump; it may choose which way",
                Section::Play,
            ),
            Self::WholeChain => (
                "jump to the end",
                "a piece that has jumped and can jump on has to jump on in the same turn, until it cannot any more",
                Section::Play,
            ),
            Self::CrowningEndsPlay => (
                "crowning ends the play",
                "a man that reaches the far row becomes a king there, and moves as a king from its next turn on",
                Section::Play,
            ),
            Self::StepsAndJumps => (
                "steps and jumps",
                "a step goes to one of the eight adjacent squares; a jump goes two squares in a straight line, over \
                 one piece",
                Section::Play,
            ),
            Self::JumpOverPiece => (
                "jumping over a piece",
                "a jump goes over a piece, of either colour, on an adjacent square, to the square right behind it",
                Section::Play,
            ),
            Self::StayInOpposingCamp => (
                "no way out of the opposing camp",
                "a piece that stands in the opposing camp may not end its play outside it",
                Section::Play,
            ),
            Self::AddendumA => (
                "addendum a): no way back into the camp",
                "a piece that starts a play outside its own camp may not end it inside",
                Section::Addendum,
            ),
            Self::AddendumB => (
                "addendum b): the camp first",
                "while a side has a piece in its own camp it has to play one out of the camp; if none can leave it, \
                 one within the camp, further from the corner; if that cannot be either, any outside the camp",
                Section::Addendum,
            ),
            Self::EmptySquare => ("an empty square", "a disk is put on an empty square", Section::Play),
            Self::FlipSomething => (
                "a disk has to flip something",
                "a disk has to close a straight line of at least one enemy disk between itself and another disk of \
                 one's own",
                Section::Play,
            ),
            Self::PassOnlyWhenStuck => (
                "no pass while there is a move",
                "a side passes only, and always, when none of its pieces can move; the referee then passes for it",
                Section::Play,
            ),
            Self::Legality => (
                "a legal move",
                "a move has to be legal by the rules of the game",
                Section::Play,
            ),
            Self::NoPieceOrMove => no_piece_or_move(game),
            Self::CampFilled => (
                "the opposing camp is filled",
                "a side wins with the play after which every square of the opposing camp is occupied, by at least \
                 one piece of its own",
                Section::Play,
            ),
            Self::HigherScore => ("the higher score", score(game), Section::Scenarios),
            Self::NobodyCanMove => (
                "neither side can move",
                "a side without a legal play passes; when neither has one, the game is a draw",
                Section::Referee,
            ),
            Self::IdleTurns => (
                "turns without progress",
                "the game is a draw after 50 consecutive turns, each side's counted, without a capture or a crowning",
                Section::Scenarios,
            ),
            Self::Repetition => (
                "repetition",
                "the game is a draw when all pieces stand on the same squares for the third time",
                Section::Scenarios,
            ),
            Self::TurnLimit => (
                "the turn limit",
                "a game that is not over after a set number of turns is a draw",
                Section::Referee,
            ),
            Self::MoreTimeWins => (
                "more time left wins a draw",
                "a draw on the board goes to the side with more play time left",
                Section::Scenarios,
            ),
            Self::SecondMoveWins => (
                "`X` wins what is equal",
                "with equal scores and equal times left, the side that moved second wins",
                Section::Scenarios,
            ),
            Self::TrueDraw => (
                "equal times",
                "a draw on the board with equal times left on both clocks is a draw",
                Section::Referee,
            ),
            Self::DrawWithoutClock => (
                "no clock",
                "where a person plays without a clock there are no times to compare, and a draw on the board is a draw",
                Section::Referee,
            ),
            Self::Resignation => (
                "a person may resign",
                "a person who answers `resign` has lost; no program can",
                Section::Referee,
            ),
        }
    }
}

fn landing(game: GameId) -> &'static str {
    match game {
        GameId::Checkers | GameId::Halma(_) | GameId::DuoOthello => "a piece can only land on an empty square",
        GameId::StarCircle => "a piece can only land on an empty square or, on its last row, on pieces of its own side",
    }
}

fn dark_squares(game: GameId) -> &'static str {
    match game {
        GameId::Checkers | GameId::Halma(_) | GameId::DuoOthello => {
            "pieces stand and land on dark squares only: `a1` is dark, and so is every square on a diagonal with a \
             dark one"
        }
        GameId::StarCircle => {
            "pieces stand and land on dark squares only: `A1` is dark, and so is every square on a diagonal with a \
             dark one"
        }
    }
}

fn diagonal_moves(game: GameId) -> &'static str {
    match game {
        GameId::Checkers | GameId::Halma(_) | GameId::DuoOthello => {
            "a step goes one square diagonally, a jump two, over an enemy piece; that holds for kings, too"
        }
        GameId::StarCircle => "a step goes one square diagonally, a jump two, over an enemy piece",
    }
}

fn no_piece_or_move(game: GameId) -> (&'static str, &'static str, Section) {
    match game {
        GameId::Checkers | GameId::Halma(_) | GameId::DuoOthello => (
            "no piece or no move",
            "a side that has no piece left, or no legal move on its turn, has lost",
            Section::Play,
        ),
        GameId::StarCircle => (
            "no piece",
            "the game ends when only one side has pieces, and that side has won",
            Section::Referee,
        ),
    }
}

fn score(game: GameId) -> &'static str {
    match game {
        GameId::Checkers | GameId::Halma(_) | GameId::DuoOthello => {
            "when neither side can move, each disk counts one point, `X` has one more for moving second, and more \
             points win"
        }
        GameId::StarCircle => {
            "when neither side can move, each piece counts 10 points on the row where its side begins, 10 more for \
             each row in front of it, and more points win"
        }
    }
}

fn square_names(game: GameId) -> &'static str {
    match game {
        GameId::Checkers => {
            "a square is its column, `a` to `h` from the left, and its row, `1` at the bottom to `8` at the top, such \
             as `c3`"
        }
        GameId::Halma(_) => {
            "a square is `x,y`, two numbers from 0 to 15 without a blank: `0,0` is at the top left, x goes to the \
             right, y goes down"
        }
        GameId::DuoOthello => {
            "a square is its column, `a` to `l` from the left, and its row, `1` at the top to `12` at the bottom, \
             such as `c2`"
        }
        GameId::StarCircle => {
            "a square is its row, `A` at the bottom to `H` at the top, and its column, `1` to `8` from the left, such as \
             `C5`"
        }
    }
}

impl Section {
    fn title(self, game: GameId) -> String {
        const RULES_OF_THE_GAME: Option<&str> = Some("Problem Description (Rules of the game)");
        // The assignment of 2018 has no agents that meet each other, so its handout has nothing on that.
        let [title, of_othello, of_star_circle] = match self {
            Self::Grading => [Some("Grading"); 3],
            Self::Play => [
                Some("Play sequence"),
                Some("Standard Reversi / Othello game rules"),
                RULES_OF_THE_GAME,
            ],
            Self::Scenarios => [Some("Playing with agents"), Some("Game over test"), None],
            Self::Turns => [Some("Agent vs agent games"), Some("Agent vs agent games"), None],
            Self::Formats => [
                Some("Input and output file formats"),
                Some("File formats"),
                Some("File Formats"),
            ],
            Self::Start => [
                Some("Setup of the game"),
                Some("Game setup and initial state"),
                RULES_OF_THE_GAME,
            ],
            Self::Addendum => return "addendum of the handout, \"1. Moving pieces\"".to_owned(),
            Self::Referee => [None; 3],
        };
        let title = match game {
            GameId::Checkers | GameId::Halma(_) => title,
            GameId::DuoOthello => of_othello,
            GameId::StarCircle => of_star_circle,
        };
        match title {
            Some(title) => format!("handout, \"{title}\""),
            None => "a rule of this referee, the handout says nothing of it".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::halma;

    #[test]
    fn a_citation_has_name_sentence_and_source() {
        let cited = Rule::SquareNames.cite(GameId::DuoOthello);
        assert_eq!(
            (cited.name, cited.source.as_str()),
            ("names of squares", "handout, \"File formats\"")
        );
        assert!(cited.sentence.contains("`12` at the bottom"));
        assert_eq!(
            Rule::AddendumB.cite(GameId::Halma(halma::Rules::Addendum)).source,
            "addendum of the handout, \"1. Moving pieces\""
        );
    }
}
