//! A service, the seat in which a rules program runs: hostile and broken programs.
//!
//! Programs that never answer are waited for with a short limit of their own; they could not answer within any limit.
//! Whatever ends by another cause has a limit that no machine reaches.

use std::ffi::OsString;
use std::net::TcpListener;
use std::os::unix::net::UnixListener;

use referee_seat::{
    AnswerLimits, Exceeded, Isolation, IsolationRange, Limits, NoAnswer, NoAnswerCause, Program, SeatOptions, Service,
    Termination,
};
use referee_time::WallTime;
use tempfile::TempDir;

use crate::attack_game::{among_others, attacker, by_name, marked, options, own_folder, unique};
use crate::files::{confined, foreign_folder, state};
use crate::levels::levels;

const MIB: u64 = 1 << 20;

/// No machine is so slow.
const PATIENT: AnswerLimits = limited(WallTime::from_secs(600));

/// For programs that never answer.
const IMPATIENT: AnswerLimits = limited(WallTime::from_millis(300));

const fn limited(wall_limit: WallTime) -> AnswerLimits {
    AnswerLimits { wall_limit, bytes: 1 << 20 }
}

/// A running service, and what all of its processes have among their arguments.
struct Hosted {
    service: Service,
    mark: String,
}

impl Hosted {
    /// A shell that runs `script`, in which `$0` is the mark: a number of seconds that never pass, so that `sleep "$0"`
    /// carries it, too.
    fn shell(level: Isolation, script: &str) -> Self {
        let mark = format!("{}{:06}", std::process::id(), unique());
        let words = ["/bin/sh", "-c", script, &mark];
        let program = Program { command: words.iter().map(OsString::from).collect(), ..Program::default() };
        Self::with(level, Limits::default(), &program, mark)
    }

    fn with(level: Isolation, limits: Limits, program: &Program, mark: String) -> Self {
        let options = SeatOptions { isolation: IsolationRange::exactly(level), limits, ..options() };
        let service = Service::start(program, &options).unwrap();
        Self { service, mark }
    }

    /// Waits until the program is past the first line of its script.
    fn is_ready(&mut self) {
        assert_eq!(self.service.ask(b"ready?\n", PATIENT).unwrap(), b"ready");
    }

    fn no_answer(&mut self, limits: AnswerLimits) -> NoAnswer {
        self.service.ask(b"question\n", limits).unwrap_err()
    }

    /// Ends it; none of its processes may be left.
    fn end(self) -> (Termination, String) {
        let ended = self.service.end().unwrap();
        assert_eq!(marked(&self.mark), [0; 0], "still running");
        ended
    }
}

/// What the attacker (`fixtures/attacks.c`) achieves as a service.
fn successful(level: Isolation, folder: &TempDir, words: &[&str]) -> Vec<String> {
    let own = folder.path().display().to_string();
    let mark = format!("mark-{}-{}", std::process::id(), unique());
    // The attacker writes its results to a file, line by line.
    let script = "read question; \"$0\" \"$@\"; tr '\\n' '\\t' < output.txt; echo; read end";
    let mut command: Vec<OsString> = ["/bin/sh", "-c", script].map(OsString::from).into();
    command.push(folder.path().join("attacks").into());
    command.extend(words.iter().map(|word| OsString::from(word.replace("FOLDER", &own))));
    command.push(OsString::from(&mark));
    let program = Program { command, folder: Some(folder.path().to_owned()), ..Program::default() };
    let mut hosted = Hosted::with(level, Limits::default(), &program, mark);
    let answer = hosted.service.ask(b"question\n", PATIENT).unwrap();
    let told = by_name(&String::from_utf8(answer).unwrap().replace('\t', "\n"));
    assert!(!told.is_empty(), "{level}: {words:?}");
    hosted.end();
    let done = told.into_iter().filter(|(_, came)| came == "done");
    done.map(|(name, _)| name).collect()
}

#[test]
fn a_service_reaches_nobody() {
    let Some(program) = attacker() else { return };
    let _machine = among_others();
    let sockets = tempfile::tempdir().unwrap();
    let path = sockets.path().join("socket");
    let port = TcpListener::bind("127.0.0.1:0").unwrap();
    let by_path = UnixListener::bind(&path).unwrap();
    port.set_nonblocking(true).unwrap();
    by_path.set_nonblocking(true).unwrap();
    let number = port.local_addr().unwrap().port().to_string();
    for level in confined() {
        let folder = own_folder(program);
        assert_eq!(successful(level, &folder, &["sockets"]), ["pair"], "{level}");
        let words = ["connect", &number, path.to_str().unwrap(), "no-such-name"];
        assert_eq!(successful(level, &folder, &words), [""; 0], "{level}");
        assert!(port.accept().is_err() && by_path.accept().is_err(), "{level}");
    }
}

#[test]
fn a_service_reads_its_own_folder_and_the_system_alone_and_changes_nothing() {
    let Some(program) = attacker() else { return };
    let _machine = among_others();
    for level in confined() {
        let (folder, foreign) = (own_folder(program), foreign_folder());
        let secret = foreign.path().join("victim");
        let environment = format!("/proc/{}/environ", std::process::id());
        let words = ["read", secret.to_str().unwrap(), env!("CARGO_MANIFEST_DIR"), &environment, "/etc/shadow"];
        assert_eq!(successful(level, &folder, &words), [""; 0], "{level}");
        let readable = successful(level, &folder, &["read", "FOLDER/victim", "/usr/lib"]);
        assert_eq!(readable.len(), 2, "{level}: {readable:?}");
        let before = [&folder, &foreign].map(|folder| state(folder.path()));
        for place in ["FOLDER", foreign.path().to_str().unwrap(), ".."] {
            assert_eq!(successful(level, &folder, &["write", place]), [""; 0], "{level}: {place}");
        }
        assert_eq!([&folder, &foreign].map(|folder| state(folder.path())), before, "{level}");
    }
}

/// Each of these programs is alive and cannot answer, in one way or another.
#[test]
#[ignore = "long: more of its family"]
fn a_service_that_never_answers_is_given_up_and_ended_with_all_its_processes() {
    let scripts = [
        ("waits", "echo ready; read question; sleep \"$0\"", ""),
        ("waits in mid-answer", "printf 'ready\\n{\"id\":1,'; sleep \"$0\"", "{\"id\":1,"),
        ("computes", "echo ready; while :; do :; done", ""),
        ("closes its line", "echo ready; exec sleep \"$0\" <&- >&-", ""),
        ("leaves its line to a child", "sleep \"$0\" & echo ready; exec sleep \"$0\" <&- >&-", ""),
        ("ignores signals", "trap '' TERM HUP INT PIPE; sleep \"$0\" & echo ready; wait; wait", ""),
    ];
    let _machine = among_others();
    for level in levels() {
        for (how, script, partial) in scripts {
            let mut hosted = Hosted::shell(*level, &format!("read question; {script}"));
            hosted.is_ready();
            let silence = hosted.no_answer(IMPATIENT);
            assert_eq!(silence.cause, NoAnswerCause::TimedOut, "{level}: {how}");
            assert_eq!(silence.partial, partial.as_bytes(), "{level}: {how}");
            hosted.end();
        }
    }
}

/// The limit is that of the whole answer: it is not begun anew by each of its pieces.
#[test]
#[ignore = "long: more of its family"]
fn an_answer_that_comes_in_pieces_without_end_is_given_up() {
    let _machine = among_others();
    for level in levels() {
        let mut hosted = Hosted::shell(*level, "read question; while printf x; do sleep 0.1; done");
        let silence = hosted.no_answer(IMPATIENT);
        assert_eq!(silence.cause, NoAnswerCause::TimedOut, "{level}");
        assert!(silence.partial.iter().all(|byte| *byte == b'x'), "{level}");
        hosted.end();
    }
}

#[test]
#[ignore = "long: more of its family"]
fn a_question_that_is_never_read_is_given_up() {
    let _machine = among_others();
    let question = [vec![b'q'; 8 << 20], vec![b'\n']].concat();
    for level in levels() {
        let mut hosted = Hosted::shell(*level, "sleep \"$0\"");
        let silence = hosted.service.ask(&question, IMPATIENT).unwrap_err();
        assert_eq!(silence.cause, NoAnswerCause::TimedOut, "{level}");
        hosted.end();
    }
}

#[test]
fn an_endless_line_is_cut_off() {
    let _machine = among_others();
    for level in levels() {
        let mut hosted = Hosted::shell(*level, "read question; tr '\\0' x < /dev/zero");
        let silence = hosted.no_answer(PATIENT);
        assert_eq!(silence.cause, NoAnswerCause::TooLong, "{level}");
        assert!(silence.partial.len() < 2 << 20, "{level}: {}", silence.partial.len());
        hosted.end();
    }
}

/// The end of the program itself is the end of the service, whatever it has left behind.
#[test]
fn a_service_that_ends_leaves_no_child_that_holds_its_line() {
    let _machine = among_others();
    for level in levels() {
        let mut hosted = Hosted::shell(*level, "read question; sleep \"$0\" & printf half; exit 7");
        let silence = hosted.no_answer(PATIENT);
        assert_eq!(silence.cause, NoAnswerCause::Ended, "{level}");
        assert_eq!(silence.partial, b"half", "{level}");
        let (ended, _) = hosted.end();
        assert_eq!(ended, Termination::Exited { status: 7 }, "{level}");
    }
}

#[test]
fn a_service_that_takes_too_much_memory_is_ended() {
    let Some(attacks) = attacker() else { return };
    let _machine = among_others();
    let limits = Limits { memory_bytes: 64 * MIB, ..Limits::default() };
    for level in levels() {
        let folder = own_folder(attacks);
        let mark = format!("mark-{}-{}", std::process::id(), unique());
        let words = ["hog".into(), (96 * MIB).to_string(), "1".into(), mark.clone()];
        let mut command = vec![folder.path().join("attacks").into_os_string()];
        command.extend(words.into_iter().map(OsString::from));
        let program = Program { command, folder: Some(folder.path().to_owned()), ..Program::default() };
        let mut hosted = Hosted::with(*level, limits, &program, mark);
        assert_eq!(hosted.no_answer(PATIENT).cause, NoAnswerCause::Ended, "{level}");
        let (ended, _) = hosted.end();
        let limit = Termination::Exceeded { limit: Exceeded::Memory { used_bytes: 0, limit_bytes: 64 * MIB } };
        assert_eq!(std::mem::discriminant(&ended), std::mem::discriminant(&limit), "{level}: {ended:?}");
    }
}

/// Standard error is read while the program answers, so that it cannot block it, and its end alone is kept.
#[test]
fn a_flood_on_standard_error_neither_blocks_a_service_nor_fills_the_memory() {
    let script = "read question; head -c 50000000 /dev/zero >&2; echo the end >&2; echo answer; read end";
    let _machine = among_others();
    for level in levels() {
        let mut hosted = Hosted::shell(*level, script);
        assert_eq!(hosted.service.ask(b"question\n", PATIENT).unwrap(), b"answer", "{level}");
        // It ends by itself or is ended, as usual.
        let (_, stderr) = hosted.end();
        assert!(stderr.ends_with("the end\n"), "{level}");
        assert!(stderr.len() <= 8 << 10, "{level}: {}", stderr.len());
    }
}
