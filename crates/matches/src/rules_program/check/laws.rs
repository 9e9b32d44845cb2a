//! What has to hold for a rules program, in words. `trial` tries it.

/// A law of rules programs, in the order in which results are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Law {
    Answers,
    Turns,
    Same,
    Unchanged,
    Listed,
    Others,
    Reasons,
    Codes,
    Bytes,
    Over,
    Squares,
    InputLines,
    TimeLine,
    /// Only of rules for programs that live for a whole game.
    Framed,
    Inputs,
    WholeState,
    Visible,
    Values,
    Opposite,
    Differs,
    Winners,
    Memory,
    Ends,
    Names,
}

impl Law {
    /// Every law.
    pub(super) const ALL: [Self; 24] = [
        Self::Answers,
        Self::Turns,
        Self::Same,
        Self::Unchanged,
        Self::Listed,
        Self::Others,
        Self::Reasons,
        Self::Codes,
        Self::Bytes,
        Self::Over,
        Self::Squares,
        Self::InputLines,
        Self::TimeLine,
        Self::Framed,
        Self::Inputs,
        Self::WholeState,
        Self::Visible,
        Self::Values,
        Self::Opposite,
        Self::Differs,
        Self::Winners,
        Self::Memory,
        Self::Ends,
        Self::Names,
    ];

    /// The law, as a sentence without a full stop, and what to do where it is broken.
    pub(super) const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Answers => {
                ("every question is answered, and the answer fits the game", "fix the place that is named")
            }
            Self::Turns => (
                "a move or a pass gives the turn to the other side",
                "`play` and `pass_turn` have to return a state in which the other side is to move",
            ),
            Self::Same => (
                "the same question gives the same answer",
                "compute the answer from the question alone, in a fixed order: a `set` has none, and a game has no \
                 dice, cards or other chance",
            ),
            Self::Unchanged => (
                "a method leaves the state that it was given as it was",
                "change a copy, such as `dict(state[\"key\"])` or `list(state[\"key\"])`",
            ),
            Self::Listed => (
                "every listed move is accepted, and leads where the list says",
                "`check` has to accept what `moves` lists, and `play` has to depend on state and move alone, without \
                 chance",
            ),
            Self::Others => ("no other move is accepted", "`check` has to refuse what `moves` does not list"),
            Self::Reasons => (
                "a refusal has a code and a reason",
                "raise `Refuse(code, message)` with a code in kebab case and a sentence",
            ),
            Self::Codes => (
                "the codes of refusals are in `rules`",
                "add the code to `rules`, so that explanations cite it, or correct it",
            ),
            Self::Bytes => {
                ("any bytes get a verdict", "`from_output` has to raise `Refuse` for every text that is no move")
            }
            Self::Over => {
                ("a game that is over has no moves, one that is not has some", "`status` and `moves` have to agree")
            }
            Self::Squares => (
                "moves consist of names of squares",
                "correct `columns`, `rows` or `square`: people pick other moves from a list, and last moves are not \
                 marked",
            ),
            Self::InputLines => (
                "`input_lines` is the number of lines of `input.txt`",
                "set `input_lines` to it, so that the game of an `input.txt` is recognized",
            ),
            Self::TimeLine => (
                "line `time_line` of `input.txt` has the time left",
                "count lines from 1; built-in agents read their time there",
            ),
            Self::Framed => (
                "no line of `input.txt` is empty",
                "an empty line ends a question of the protocol `stdio`: write something in it, or leave it out",
            ),
            Self::Inputs => (
                "`input.txt` is read as it was written",
                "`to_input` has to write what `from_input` needs, and `from_input` has to read it all",
            ),
            Self::WholeState => (
                "`from_input` makes the same state again",
                "read what is missing, unless the rules do not depend on it",
            ),
            Self::Visible => (
                "`input.txt` shows everything that the state has",
                "write what is missing, unless no rule depends on it: agents cannot know it, as in a game with secrets \
                 or with moves at the same time, and in these games both sides see everything",
            ),
            Self::Values => ("a value is between -1000000 and 1000000", "return a whole number within these bounds"),
            Self::Opposite => (
                "what is good for one side is as bad for the other",
                "`evaluate` has to subtract what the other side has, and to use the `side` that it is given, not the \
                 side to move",
            ),
            Self::Differs => (
                "`evaluate` tells positions apart",
                "it is never asked for games that are over: value what leads to a win",
            ),
            Self::Winners => (
                "`evaluate` is above 0 for those who are about to win",
                "higher is better for `side`: exchange the signs, unless the game is full of surprises",
            ),
            Self::Memory => (
                "the program keeps nothing between two questions",
                "compute from the state alone, not from attributes or global variables that change",
            ),
            Self::Ends => (
                "games come to an end",
                "`status` has to return `won` or `drawn` at some time, or `turn_limit` has to be set",
            ),
            Self::Names => ("the class has no attributes without effect", "correct the name"),
        }
    }

    /// What has to be there for it to be tried, as the object of a sentence.
    pub(super) const fn needs(self) -> &'static str {
        match self {
            Self::Codes => "`rules`, and a refusal",
            Self::InputLines => "`input_lines`",
            Self::TimeLine => "`time_line`",
            Self::Inputs | Self::WholeState => "`from_input`",
            Self::Values | Self::Opposite => "`evaluate`",
            Self::Differs => "`evaluate`, and more positions",
            Self::Winners => "`evaluate`, and more games that are won",
            Self::Ends => "a game without `turn_limit`, `idle_turns` and `repetitions`",
            Self::Reasons => "a refusal",
            Self::Answers
            | Self::Turns
            | Self::Same
            | Self::Unchanged
            | Self::Listed
            | Self::Others
            | Self::Bytes
            | Self::Over
            | Self::Squares
            | Self::Framed
            | Self::Visible
            | Self::Memory
            | Self::Names => "a position with a move",
        }
    }

    /// Whether a program that breaks it can be used all the same.
    pub(super) const fn is_advice(self) -> bool {
        match self {
            Self::Codes
            | Self::Squares
            | Self::WholeState
            | Self::Visible
            | Self::Opposite
            | Self::Differs
            | Self::Winners
            | Self::Names => true,
            Self::Answers
            | Self::Turns
            | Self::Same
            | Self::Unchanged
            | Self::Listed
            | Self::Others
            | Self::Reasons
            | Self::Bytes
            | Self::Over
            | Self::InputLines
            | Self::TimeLine
            | Self::Framed
            | Self::Inputs
            | Self::Values
            | Self::Memory
            | Self::Ends => false,
        }
    }
}
