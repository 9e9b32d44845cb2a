//! The help of the option for how programs are asked for a move, and answer.

/// The help of the option.
pub(super) const PROTOCOL_HELP: &str = "How programs are asked, and answer: files (input.txt and output.txt, a process \
    for each move) or stdio (standard input and output, a process for the whole game); stdio:PATH and files:PATH name \
    one agent with its own";
