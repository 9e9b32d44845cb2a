//! Names of people, compared by their letters: platforms and rosters write the same name in several ways. Who somebody
//! is on a list is decided by the surest sign, of which a name is the least sure.

use unicode_normalization::char::compose;

/// The letters and digits of `text` in lower case, composed: macOS writes `ü` in file names as `u` and a diaeresis.
///
/// A letter and the marks behind it are composed in the order in which they stand. The whole normalization would also
/// order the marks, which names do not need, by tables of 0.1 MB.
///
/// ```
/// # use referee_games::protocol::letters;
/// assert_eq!(letters("O'Brien, Zoe\u{308}"), "obrienzoë");
/// ```
pub fn letters(text: &str) -> String {
    let kept = composed(text).into_iter().filter(|character| character.is_alphanumeric());
    kept.flat_map(char::to_lowercase).collect()
}

/// `text` with each letter and the marks behind it as one character, where there is one.
pub fn composed(text: &str) -> Vec<char> {
    let mut composed: Vec<char> = Vec::new();
    for character in text.chars() {
        let both = composed.last().and_then(|last| compose(*last, character));
        composed.truncate(composed.len() - usize::from(both.is_some()));
        composed.push(both.unwrap_or(character));
    }
    composed
}

/// The [`letters`] of a name in every order that it may be written in: first and last name may be apart at any blank.
///
/// ```
/// # use referee_games::protocol::spellings;
/// assert_eq!(spellings("Doe, Jane"), ["doejane", "janedoe"]);
/// assert_eq!(spellings("Ana López Gil"), ["analópezgil", "lópezgilana", "gilanalópez"]);
/// ```
pub fn spellings(name: &str) -> Vec<String> {
    if let Some((last, first)) = name.split_once(',') {
        return vec![letters(name), letters(first) + &letters(last)];
    }
    let mut words: Vec<String> = name.split_whitespace().map(letters).collect();
    let turns = (0..words.len()).map(|_| {
        let turn = words.concat();
        words.rotate_left(1);
        turn
    });
    turns.collect()
}

/// The people on a list with the surest sign of all, by their places, and its rank. `ranks` has the rank of each one's
/// surest sign, where lower is surer, and `None` without any; the result is `None` if nobody has one.
///
/// ```
/// # use referee_games::protocol::surest;
/// assert_eq!(surest([Some(2), None, Some(1), Some(1)]), Some((1, vec![2, 3])));
/// assert_eq!(surest([None]), None);
/// ```
pub fn surest(ranks: impl IntoIterator<Item = Option<usize>>) -> Option<(usize, Vec<usize>)> {
    let ranks: Vec<Option<usize>> = ranks.into_iter().collect();
    let least = *ranks.iter().flatten().min()?;
    Some((least, (0..ranks.len()).filter(|&place| ranks[place] == Some(least)).collect()))
}
