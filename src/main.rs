//! The `referee` command: hands its arguments to [`referee::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    referee::cli::main()
}
