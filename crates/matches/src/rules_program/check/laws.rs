//! What has to hold for a rules program, in words. `trial` tries it.

use super::report::{Law, LawResult};

/// Every law, before it is tried, in the order in which results are told.
pub(super) const LAWS: [LawResult; 23] = [
    rule(Law::Answers, "every question is answered, and the answer fits the game", "fix the place that is named"),
    rule(
        Law::Turns,
        "a move or a pass gives the turn to the other side",
        "`play` and `pass_turn` have to return a state in which the other side is to move",
    ),
    rule(
        Law::Same,
        "the same question gives the same answer",
        "compute the answer from the question alone, in a fixed order: a `set` has none, and a game has no dice, \
         cards or other chance",
    ),
    rule(
        Law::Unchanged,
        "a method leaves the state that it was given as it was",
        "change a copy, such as `dict(state[\"key\"])` or `list(state[\"key\"])`",
    )
    .needing("the module in Python"),
    rule(
        Law::Listed,
        "every listed move is accepted, and leads where the list says",
        "`check` has to accept what `moves` lists, each move once, and `play` has to depend on state and move alone, \
         without chance",
    ),
    rule(Law::Others, "no other move is accepted", "`check` has to refuse what `moves` does not list"),
    rule(
        Law::Reasons,
        "a refusal has a code and a reason",
        "raise `Refuse(code, message)` with a code in kebab case and a sentence",
    )
    .needing("a refusal"),
    advice(
        Law::Codes,
        "the codes of refusals are in `rules`",
        "add the code to `rules`, so that explanations cite it, or correct it",
    )
    .needing("`rules`, and a refusal"),
    rule(Law::Bytes, "any bytes get a verdict", "`from_output` has to raise `Refuse` for every text that is no move"),
    rule(Law::Over, "a game that is over has no moves, one that is not has some", "`status` and `moves` have to agree"),
    advice(
        Law::Squares,
        "moves consist of names of squares",
        "correct `columns`, `rows` or `square`: people pick other moves from a list, and last moves are not marked",
    ),
    rule(
        Law::TimeLine,
        "line `time_line` of `input.txt` has the time left",
        "count lines from 1; built-in agents read their time there",
    )
    .needing("`time_line`"),
    rule(
        Law::Framed,
        "no line of `input.txt` is empty",
        "an empty line ends a question of the protocol `stdio`: write something in it, or leave it out",
    ),
    rule(
        Law::Inputs,
        "`input.txt` is read as it was written",
        "`to_input` has to write what `from_input` needs, and `from_input` has to read it all",
    )
    .needing("`from_input`"),
    advice(
        Law::WholeState,
        "`from_input` makes the same state again",
        "read what is missing, unless the rules do not depend on it",
    )
    .needing("`from_input`"),
    advice(
        Law::Visible,
        "`input.txt` shows everything that the state has",
        "write what is missing, unless no rule depends on it: agents cannot know it, as in a game with secrets or \
         with moves at the same time, and in these games both sides see everything",
    ),
    rule(Law::Values, "a value is between -1000000 and 1000000", "return a whole number within these bounds")
        .needing("`evaluate`"),
    advice(
        Law::Opposite,
        "what is good for one side is as bad for the other",
        "`evaluate` has to subtract what the other side has, and to use the `side` that it is given, not the side \
         to move",
    )
    .needing("`evaluate`"),
    advice(
        Law::Differs,
        "`evaluate` tells positions apart",
        "it is never asked for games that are over: value what leads to a win",
    )
    .needing("`evaluate`, and more positions"),
    advice(
        Law::Winners,
        "`evaluate` is above 0 for those who are about to win",
        "higher is better for `side`: exchange the signs, unless the game is full of surprises",
    )
    .needing("`evaluate`, and more games that are won"),
    rule(
        Law::Memory,
        "the program keeps nothing between two questions",
        "compute from the state alone, not from attributes or global variables that change",
    ),
    rule(
        Law::Ends,
        "games come to an end",
        "`status` has to return `won` or `drawn` at some time, or `turn_limit` has to be set",
    )
    .needing("a game without `turn_limit`, `idle_turns` and `repetitions`"),
    advice(Law::Names, "the class has no attributes without effect", "correct the name")
        .needing("the module in Python"),
];

/// A law that every program must keep: a sentence without a full stop, and what to do where it is broken.
const fn rule(id: Law, law: &'static str, remedy: &'static str) -> LawResult {
    LawResult {
        id,
        law,
        remedy,
        needs: "a position with a move",
        is_advice: false,
        tried: 0,
        broken: 0,
        contradiction: None,
    }
}

/// The same of a law without which a program can be used all the same.
const fn advice(id: Law, law: &'static str, remedy: &'static str) -> LawResult {
    let mut result = rule(id, law, remedy);
    result.is_advice = true;
    result
}

impl LawResult {
    /// The same for a law that needs something else to be tried.
    const fn needing(mut self, needs: &'static str) -> Self {
        self.needs = needs;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The results of a law without words would go nowhere.
    #[test]
    fn every_law_has_words() {
        let said = LAWS.map(|law| law.id as usize);
        assert_eq!(said, std::array::from_fn(|index| index));
        assert_eq!(LAWS.len(), Law::Names as usize + 1);
    }
}
