//! The wrappers that a course copies into its kit: GTP and TCP. The class of COMP30024 is in `freckers`.

use referee_games::little_go;
use referee_seat::{IsolationRange, Protocol, RunRequest, SeatOptions, Task, Termination};
use referee_submissions::agents::{AgentSpec, Participant};
use referee_time::{CpuTime, WallTime};
use tempfile::TempDir;

use super::{PYTHON_HELPER, assert_played_to_the_end, fault_of, file, own, played, submission, text};
use crate::builder::builder;
use crate::invocation::{assert_contains, printed, words};
use crate::levels::levels;
use crate::toolbox::{PYTHON3, require};

/// A submission whose `homework.py` imports the wrapper, with the student's program and the files of the kit.
fn wrapped(wrapper: &str, student: (&str, &str)) -> TempDir {
    let homework = format!("import {wrapper}\n");
    submission(&[
        ("homework.py", &homework),
        ("referee_agent.py", &file(PYTHON_HELPER)),
        (&format!("{wrapper}.py"), &file(&format!("examples/wrappers/{wrapper}.py"))),
        ("socket_pair.py", &file("examples/wrappers/socket_pair.py")),
        student,
    ])
}

/// The engine keeps a board of its own, and answers an illegal move by an error: so it has been told every move, with
/// captures and passes, by its right name.
#[test]
fn an_engine_that_speaks_gtp_plays_little_go() {
    require!(PYTHON3);
    let engine = file("examples/wrappers/gtp_engine.py");
    let agent = wrapped("gtp_agent", ("engine.py", &engine));
    let agent = format!("stdio:{}", text(agent.path()));
    assert_played_to_the_end(&played(&agent, "builtin:greedy", "little-go", "2"), 2);
    // From an opening, too, whose stones it is told.
    let folder = TempDir::new().unwrap();
    let of = [agent.as_str(), text(folder.path())];
    let play = "play {} builtin:greedy --game little-go --games 4 --opening-plies 4 --exact --out {}";
    printed(&words(play, &of), 0);
    assert_played_to_the_end(&super::recorded(folder.path()), 4);
}

/// What the wrapper says to an engine, and what it makes of its answers.
#[test]
fn an_engine_is_told_the_opponents_moves_and_passes() {
    require!(PYTHON3);
    let engine = "
import sys
said = []
for line in sys.stdin:
    said.append(line)
    if said.count('genmove black\\n') == 2:
        sys.exit(''.join(said))
    print('= c4' if line.startswith('genmove') else '=', end='\\n\\n', flush=True)
";
    let passing = submission(&[("my_player3.py", "open('output.txt', 'w').write('PASS')")]);
    let folder = TempDir::new().unwrap();
    let agent = wrapped("gtp_agent", ("engine.py", engine));
    let players = [format!("first=stdio:{}", text(agent.path())), format!("second={}", text(passing.path()))];
    let out = text(folder.path());
    let words = ["play", &players[0], &players[1], "--game", "little-go", "--out", out];
    let told = printed(&words, 0);
    let said = ["boardsize 5", "clear_board", "komi 2.5", "genmove black", "play white pass", "genmove black"];
    assert_contains(&told, &said.map(|line| format!("           | {line}\n")).concat());
    let record = super::recorded(folder.path()).remove(0);
    assert_eq!(record["turns"][0]["output"]["bytes"], "1,2\n");
}

#[test]
fn an_engine_that_refuses_a_command_is_named_in_the_explanation() {
    require!(PYTHON3);
    let engine = "print('? unknown command', end='\\n\\n', flush=True)";
    let (code, told) = fault_of(wrapped("gtp_agent", ("engine.py", engine)).path(), "little-go");
    assert_eq!(code, "no-answer");
    assert_contains(&told, "the engine answers `boardsize 5` by `? unknown command`");
}

/// The client connects by the ordinary calls, which no level but the lowest permits.
#[test]
#[ignore = "long: plays whole games"]
fn a_client_of_a_tcp_server_plays_without_a_network() {
    require!(PYTHON3);
    let client = file("examples/wrappers/tcp_client.py");
    let agent = wrapped("tcp_agent", ("agent.py", &client));
    let agent = format!("stdio:{}", text(agent.path()));
    assert_played_to_the_end(&played(&agent, "builtin:random", text(&own("examples/rules/connect_four.py")), "2"), 2);
}

#[test]
fn a_client_that_ends_gives_no_answer() {
    require!(PYTHON3);
    let client = "import socket; socket.create_connection(('localhost', 1)).recv(1)";
    let agent = wrapped("tcp_agent", ("agent.py", client));
    let (code, told) = fault_of(agent.path(), text(&own("examples/rules/connect_four.py")));
    assert_eq!(code, "no-answer");
    assert_contains(&told, "the client has closed its connection");
}

/// Wrappers start a second process and talk to it, which every level permits.
#[test]
#[ignore = "long: plays at every level"]
fn wrappers_work_at_every_level() {
    require!(PYTHON3);
    let board = ".......\n".repeat(6);
    let cases = [
        (("gtp_agent", "engine.py", "gtp_engine.py"), format!("1\n{}", "00000\n".repeat(10)), "4,0\n"),
        (("tcp_agent", "agent.py", "tcp_client.py"), format!("R\n9\n{board}"), "d1\n"),
    ];
    for ((wrapper, name, sample), input, expected) in cases {
        let agent = wrapped(wrapper, (name, &file(&format!("examples/wrappers/{sample}"))));
        let build = TempDir::new().unwrap();
        let prepared = builder().prepare(&AgentSpec::of_path(agent.path()), build.path()).unwrap();
        let participant = Participant::new(prepared);
        for level in levels() {
            let isolation = IsolationRange { at_least: *level, at_most: *level };
            let options = SeatOptions { isolation, protocol: Protocol::Stdio, ..builder().seats };
            let mut seat = participant.take_seat(little_go::ID, 0, &options).unwrap();
            let (kill_after, wall_limit) = (CpuTime::from_secs(300), WallTime::from_secs(910));
            let task = Task::Move { input: input.clone() };
            let run = seat.run(&RunRequest { task, kill_after, wall_limit }).unwrap();
            assert_eq!(run.ended, Termination::Answered, "{wrapper} {level}: {}", run.stderr);
            assert_eq!(run.output.content(), Some(expected.as_bytes()), "{wrapper} {level}");
        }
    }
}
