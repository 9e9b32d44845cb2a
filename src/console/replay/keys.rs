//! Which keys were pressed, from the bytes that a terminal sends.
//!
//! `console` reads keys, too, but one at a time and for as long as it takes; here somebody may also resize the terminal,
//! end the session, or let the game play by itself, so bytes are taken when there are some.

/// A key, as far as it has a meaning here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReplayKey {
    Left,
    Right,
    Up,
    Down,
    Home,
    End,
    PageUp,
    PageDown,
    Enter,
    Escape,
    Backspace,
    Interrupt,
    Char(char),
}

/// The keys in `bytes`, which were read at one time; whatever has no meaning is left out.
///
/// A lone ESC is the key, any other begins a sequence (ECMA-48, 5.4; xterm, "Special Keys").
pub(super) fn keys(mut bytes: &[u8]) -> Vec<ReplayKey> {
    let mut keys = Vec::new();
    while let Some((&first, rest)) = bytes.split_first() {
        let (key, rest) = match first {
            0x1b => escaped(rest),
            0x03 => (Some(ReplayKey::Interrupt), rest),
            b'\r' | b'\n' => (Some(ReplayKey::Enter), rest),
            0x08 | 0x7f => (Some(ReplayKey::Backspace), rest),
            b' '..=b'~' => (Some(ReplayKey::Char(char::from(first))), rest),
            _ => (None, rest),
        };
        keys.extend(key);
        bytes = rest;
    }
    keys
}

/// What follows an ESC, and the rest.
fn escaped(bytes: &[u8]) -> (Option<ReplayKey>, &[u8]) {
    match bytes {
        [] | [0x1b, ..] => (Some(ReplayKey::Escape), bytes),
        [b'O', last, rest @ ..] => (named(&[], *last), rest),
        [b'[', rest @ ..] => {
            let length = rest.iter().take_while(|byte| !(0x40..=0x7e).contains(*byte)).count();
            match rest.split_at(length) {
                (parameters, [last, rest @ ..]) => (named(parameters, *last), rest),
                (_, []) => (None, &[]),
            }
        }
        // Alt and a character.
        [_, rest @ ..] => (None, rest),
    }
}

/// The key of a sequence, with or without Shift, Alt and Control.
fn named(parameters: &[u8], last: u8) -> Option<ReplayKey> {
    let number = parameters.split(|&byte| byte == b';').next().unwrap_or_default();
    match (last, number) {
        (b'A', _) => Some(ReplayKey::Up),
        (b'B', _) => Some(ReplayKey::Down),
        (b'C', _) => Some(ReplayKey::Right),
        (b'D', _) => Some(ReplayKey::Left),
        (b'H', _) | (b'~', b"1" | b"7") => Some(ReplayKey::Home),
        (b'F', _) | (b'~', b"4" | b"8") => Some(ReplayKey::End),
        (b'~', b"5") => Some(ReplayKey::PageUp),
        (b'~', b"6") => Some(ReplayKey::PageDown),
        (b'M', _) => Some(ReplayKey::Enter),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn terminals_send_keys_in_many_ways() {
        let cases: &[(&[u8], &[ReplayKey])] = &[
            (
                b"\x1b[A\x1bOB\x1b[1;5C\x1b[D",
                &[ReplayKey::Up, ReplayKey::Down, ReplayKey::Right, ReplayKey::Left],
            ),
            (b"\x1b[H\x1b[1~\x1bOH\x1b[7~", &[ReplayKey::Home; 4]),
            (b"\x1b[F\x1b[4~\x1bOF\x1b[8~", &[ReplayKey::End; 4]),
            (b"\x1b[5~\x1b[6~", &[ReplayKey::PageUp, ReplayKey::PageDown]),
            (b"\x1b", &[ReplayKey::Escape]),
            (
                b"g12\r",
                &[
                    ReplayKey::Char('g'),
                    ReplayKey::Char('1'),
                    ReplayKey::Char('2'),
                    ReplayKey::Enter,
                ],
            ),
            (b"\x03", &[ReplayKey::Interrupt]),
            (b"\x7f\x08", &[ReplayKey::Backspace; 2]),
            // Keys without a meaning: F5, Alt-x, a letter that is not ASCII, a sequence cut short.
            (b"\x1b[15~\x1bx\xc3\xa9\x1b[1", &[]),
        ];
        for (bytes, expected) in cases {
            assert_eq!(keys(bytes), *expected, "{bytes:?}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_at_most_as_many_keys(bytes in any::<Vec<u8>>()) {
            prop_assert!(keys(&bytes).len() <= bytes.len());
        }
    }
}
