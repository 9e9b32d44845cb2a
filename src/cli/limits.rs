//! The arguments for resource limits besides time. It only parses; commands that play include it.

use clap::Args;

use referee_seat::Limits;

/// One option for each limit.
#[derive(Debug, Args)]
#[command(next_help_heading = "Limits of each agent")]
pub(super) struct LimitArguments {
    /// Resident memory, in MiB [default: 2048]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=1 << 30))]
    memory: Option<u64>,
    /// Number of simultaneous processes and threads [default: 256]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    processes: Option<u32>,
    /// Size of each file, in MiB [default: 64]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=1 << 30))]
    file_size: Option<u64>,
    /// Total size of the working directory, in MiB [default: 128]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=1 << 30))]
    directory_size: Option<u64>,
    /// Number of files in the working directory [default: 8192]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(8..))]
    directory_files: Option<u64>,
    /// Number of open files per process [default: 256]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(16..))]
    open_files: Option<u32>,
    #[command(flatten)]
    output_size: OutputSizeArgument,
}

/// `--output-size`, which `judge` needs, too.
#[derive(Debug, Args)]
pub(super) struct OutputSizeArgument {
    /// Size of output.txt, in KiB [default: 64]
    #[arg(long, value_name = "KIB", value_parser = clap::value_parser!(u64).range(1..=128))]
    output_size: Option<u64>,
}

impl OutputSizeArgument {
    /// The limit in bytes.
    pub(super) fn bytes(&self) -> u64 {
        let default = Limits::default().output_bytes;
        self.output_size.map_or(default, |kibibytes| kibibytes << 10)
    }
}

impl LimitArguments {
    /// The limits, with defaults.
    pub(super) fn limits(&self) -> Limits {
        let default = Limits::default();
        let mebibytes = |given: Option<u64>, default: u64| given.map_or(default, |mebibytes| mebibytes << 20);
        Limits {
            memory_bytes: mebibytes(self.memory, default.memory_bytes),
            processes: self.processes.unwrap_or(default.processes),
            file_bytes: mebibytes(self.file_size, default.file_bytes),
            directory_bytes: mebibytes(self.directory_size, default.directory_bytes),
            directory_files: self.directory_files.unwrap_or(default.directory_files),
            open_files: self.open_files.unwrap_or(default.open_files),
            output_bytes: self.output_size.bytes(),
        }
    }
}
