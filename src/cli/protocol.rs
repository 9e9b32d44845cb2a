//! The option for how programs are asked for a move, and answer.

use referee_seat::Protocol;

/// The help of the option.
pub(super) const PROTOCOL_HELP: &str = "How programs are asked, and answer: files (input.txt and output.txt, a process \
    for each move) or stdio (standard input and output, a process for the whole game); stdio:PATH and files:PATH name \
    one agent with its own";

/// Parses the name of a protocol.
pub(super) fn protocol(text: &str) -> Result<Protocol, String> {
    [Protocol::Files, Protocol::Stdio]
        .into_iter()
        .find(|protocol| protocol.word() == text)
        .ok_or_else(|| "expected `files` or `stdio`".to_owned())
}
