//! The agents under `agents/` answer legally, in the exact format, whatever they are asked.
//!
//! Every agent is run as students' programs are: a file in, a file out. It answers the examples of the handouts, with
//! much time and with little, and plays stretches of games against random moves that begin anywhere between the first
//! move and the last. With `REFEREE_WHOLE_GAMES=N` in the environment it also plays N games from start to end.

use std::fs;
use std::path::{Path, PathBuf};

use referee_games::builtin::{TurnRng, choose_random};
use referee_games::checkers::Checkers;
use referee_games::halma::{Halma, Rules};
use referee_games::heirs::Heirs;
use referee_games::little_go::{self, LittleGo};
use referee_games::othello::DuoOthello;
use referee_games::protocol::{InputPurpose, Texts, TimeLeft, Tolerance};
use referee_games::star_circle::StarCircle;
use referee_games::{Builtin, Ending, Position, Side, Status};
use referee_seat::Program;
use referee_submissions::agents::{Agent, AgentSpec, FileNames, Language};
use referee_time::CpuTime;

use crate::builder::builder;
use crate::directly::directly;
use crate::toolbox::{CPP, JAVA, PYTHON2, PYTHON3, has, require};

fn agents() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("agents")
}

/// One of the sample agents in a working folder of its own.
struct Player {
    agent: Agent,
    working_folder: tempfile::TempDir,
    _build: tempfile::TempDir,
}

impl Player {
    fn new(name: &str) -> Self {
        Self::of(&agents().join(name))
    }

    fn of(folder: &Path) -> Self {
        Self::with(folder, None)
    }

    /// An agent that finds the files of the folder `provide` beside its own.
    fn with(folder: &Path, provide: Option<PathBuf>) -> Self {
        let build = tempfile::tempdir().unwrap();
        let mut builder = builder();
        builder.provide = provide;
        // The usual names, and those of the one game that has others.
        builder.names = FileNames::of_game(little_go::ID);
        let agent = builder.prepare(&AgentSpec::of_path(folder), build.path()).unwrap();
        assert!(agent.remarks.is_empty(), "{:?}", agent.remarks);
        Self { agent, working_folder: tempfile::tempdir().unwrap(), _build: build }
    }

    fn path(&self, file: &str) -> PathBuf {
        self.working_folder.path().join(file)
    }

    fn run(&self, program: &Program) {
        let output = directly(program, self.working_folder.path()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && said.is_empty(), "{}: {said}", self.agent.name);
    }

    /// What a new game begins with.
    fn begin(&self) {
        // What the agents of the samples remember a game by.
        for memory in ["playdata.txt", "moves-made.txt"] {
            let _ = fs::remove_file(self.path(memory));
        }
    }

    fn answer<P: Builtin>(&self, input: &str, rules: P::Rules) -> Vec<u8> {
        let _ = fs::remove_file(self.path("output.txt"));
        fs::write(self.path("input.txt"), input).unwrap();
        self.run(&self.agent.program_for(P::id(rules), 0));
        fs::read(self.path("output.txt")).unwrap_or_else(|error| panic!("{}: {error}", self.agent.name))
    }

    /// The agent's move in `position`, which must be written exactly as specified and be legal.
    fn choose<P: Builtin>(&self, position: &P, own: CpuTime) -> P::Move {
        let opponent = CpuTime::from_secs(100);
        let input = position.write_input(InputPurpose::Game, TimeLeft { own, opponent });
        let output = self.answer::<P>(&input, position.rules());
        let answer = position.read_output(&output, Tolerance::Exact);
        let text = String::from_utf8_lossy(&output);
        let answer = answer.unwrap_or_else(|refusal| panic!("{}: {refusal:?}\n{input}\n{text}", self.agent.name));
        assert!(answer.warnings.is_empty(), "{}: {:?}", self.agent.name, answer.warnings);
        answer.mv
    }

    /// Plays `side` from `position` against random moves, for at most `turns` turns of its own.
    fn play_on<P: Builtin>(&self, mut position: P, side: Side, turns: u64, seed: u64) -> Status {
        self.begin();
        let mut own_turns = 0;
        for ply in 0..MAX_PLIES {
            match position.status() {
                Status::Over(_) => break,
                Status::MustPass => {
                    position.pass();
                    continue;
                }
                Status::ToMove => {}
            }
            let mv = if position.side_to_move() != side {
                choose_random(&position, &mut TurnRng::new(seed, ply)).unwrap()
            } else if own_turns < turns {
                own_turns += 1;
                self.choose(&position, CpuTime::from_secs(100))
            } else {
                break;
            };
            position.play_unchecked(mv);
        }
        position.status()
    }
}

/// The referee would end such a game.
const MAX_PLIES: u64 = 300;

/// What the agent is asked in stretches of games: so many turns from each position.
const TURNS_IN_A_STRETCH: u64 = 4;

fn after_random_plies<P: Builtin>(rules: P::Rules, plies: u64, seed: u64) -> P {
    let mut position = P::start(rules);
    for ply in 0..plies {
        match position.status() {
            Status::Over(_) => break,
            Status::MustPass => position.pass(),
            Status::ToMove => {
                let mv = choose_random(&position, &mut TurnRng::new(seed, ply)).unwrap();
                position.play_unchecked(mv);
            }
        }
    }
    position
}

/// All that is asked of every agent.
fn try_agent<P: Builtin>(name: &str, language: Language, rules: P::Rules, examples: &[&str], lengths: &[u64]) {
    require!(language);
    let player = Player::new(name);
    if let Some(calibrate) = &player.agent.calibrate {
        player.run(calibrate);
        assert!(player.path("calibration.txt").exists());
    }
    for example in examples {
        player.begin();
        let input = P::read_input(example.as_bytes(), rules).unwrap();
        player.choose(&input.position, input.own);
    }
    player.begin();
    player.choose(&P::start(rules), CpuTime::from_millis(300));
    for (seed, &plies) in (0..).zip(lengths) {
        let side = Side::BOTH[usize::from(seed % 2 == 0)];
        player.play_on(after_random_plies::<P>(rules, plies, seed), side, TURNS_IN_A_STRETCH, seed);
    }
    play_whole_games::<P>(&player, rules);
}

fn play_whole_games<P: Builtin>(player: &Player, rules: P::Rules) {
    let games = std::env::var("REFEREE_WHOLE_GAMES").map_or(0, |games| games.parse().unwrap());
    for seed in 0..games {
        let side = Side::BOTH[usize::from(seed % 2 == 0)];
        let end = player.play_on(P::start(rules), side, u64::MAX, seed);
        println!("{} as {side:?} against random moves: {end:?}", player.agent.name);
    }
}

const CHECKERS_LENGTHS: [u64; 5] = [0, 1, 20, 35, 50];

#[test]
fn checkers_in_python() {
    try_agent::<Checkers>("checkers-python", PYTHON3, (), &CHECKERS, &CHECKERS_LENGTHS);
}

#[test]
fn checkers_in_cpp() {
    try_agent::<Checkers>("checkers-cpp", CPP, (), &CHECKERS, &CHECKERS_LENGTHS);
}

#[test]
fn checkers_in_java() {
    try_agent::<Checkers>("checkers-java", JAVA, (), &CHECKERS, &[0, 35, 50]);
}

#[test]
#[ignore = "long: plays whole games"]
fn halma_in_python() {
    try_agent::<Halma>("halma-python", PYTHON3, Rules::Addendum, &HALMA, &[0, 1, 60, 200]);
}

#[test]
#[ignore = "long: plays whole games"]
fn duo_othello_in_python() {
    try_agent::<DuoOthello>("duo-othello-python", PYTHON3, (), &DUO_OTHELLO, &[0, 1, 60, 120]);
}

#[test]
#[ignore = "long: plays whole games"]
fn heirs_in_python() {
    try_agent::<Heirs>("heirs-python", PYTHON3, (), &HEIRS, &[0, 1, 40, 120]);
}

#[test]
#[ignore = "long: plays whole games"]
fn little_go_in_python() {
    try_agent::<LittleGo>("little-go-python", PYTHON3, (), &LITTLE_GO, &[0, 1, 10, 18]);
}

/// In play it answers like the others, and the shipped cases to the byte. Those with large trees are left to grading.
#[test]
#[ignore = "long: plays whole games"]
fn star_and_circle_in_python() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tournaments/star-circle-2018/cases");
    let text =
        |number: u32, what: &str| fs::read_to_string(folder.join(format!("case-{number:02}.{what}.txt"))).unwrap();
    let cases = STAR_CIRCLE_CASES.map(|number| (text(number, "input"), text(number, "expected")));
    try_agent::<StarCircle>("star-circle-python", PYTHON3, (), &[], &[0, 1, 8, 15]);
    let answers = |player: &Player| {
        for (input, expected) in &cases {
            let output = player.answer::<StarCircle>(input, ());
            assert_eq!(String::from_utf8_lossy(&output), expected.trim_end(), "{input}");
        }
    };
    if has(PYTHON3) {
        answers(&Player::new("star-circle-python"));
    }
    // The assignment asked for Python 2.7; under this name the same program is run by it.
    if has(PYTHON2) {
        let copy = tempfile::tempdir().unwrap();
        let program = agents().join("star-circle-python/homework.py");
        fs::copy(program, copy.path().join("homework2.py")).unwrap();
        answers(&Player::of(copy.path()));
    }
}

/// It does what agents do with the course's `GO`: reads, asks for legal points, writes, and plays games of its own.
const BY_THE_KIT: &str = r#"
import os, sys
# The referee runs a program in the folder of its files, which this test does not.
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from host import GO
from read import readInput
from write import writeOutput

class First:
    type = "first"

    def get_input(self, go, piece_type):
        points = [(i, j) for i in range(go.size) for j in range(go.size)]
        legal = [point for point in points if go.valid_place_check(point[0], point[1], piece_type, test_check=True)]
        return legal[0] if legal else "PASS"

class Passing:
    def get_input(self, go, piece_type):
        return "PASS"

piece_type, previous_board, board = readInput(5)
go = GO(5)
go.set_board(piece_type, previous_board, board)
assert not go.verbose
writeOutput(First().get_input(go, piece_type))
with open("played.txt", "w") as played:
    winner = go.play(First(), First())
    board = "".join("".join(map(str, row)) + "\n" for row in go.board)
    played.write("%s%d wins after %d turns\n" % (board, winner, go.n_move))
    go = GO(5)
    winner = go.play(Passing(), Passing())
    played.write("%d wins after %d turns\n" % (winner, go.n_move))
"#;

/// The shipped files of the course, for programs of both Pythons.
#[test]
#[ignore = "long: plays whole games"]
fn agents_play_by_the_kit_of_little_go() {
    let kit = Path::new(env!("CARGO_MANIFEST_DIR")).join("tournaments/little-go-2020/kit");
    let mut first_moves = LittleGo::start(());
    while let Some(&mv) = first_moves.moves().first() {
        first_moves.play_unchecked(mv);
    }
    let Status::Over(Ending::Won { winner, .. }) = first_moves.status() else {
        panic!("a game without draws ended as {:?}", first_moves.status());
    };
    let winner = LittleGo::side_name(winner);
    let expected =
        format!("{}{winner} wins after {} turns\n2 wins after 2 turns\n", first_moves.board(), first_moves.turns());
    for (name, language) in [("my_player3.py", PYTHON3), ("my_player.py", PYTHON2)] {
        if !has(language) {
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(name), BY_THE_KIT).unwrap();
        let player = Player::with(folder.path(), Some(kit.clone()));
        for example in LITTLE_GO {
            let position = LittleGo::read_input(example.as_bytes(), ()).unwrap().position;
            let mv = player.choose(&position, CpuTime::from_secs(100));
            assert_eq!(Some(&mv), position.moves().first(), "{example}");
        }
        assert_eq!(fs::read_to_string(player.path("played.txt")).unwrap(), expected);
    }
}

/// Where there is but one legal answer, its text is known to the byte.
#[test]
#[ignore = "long: plays whole games"]
fn a_forced_answer_is_written_to_the_byte() {
    for (name, language) in [("checkers-python", PYTHON3), ("checkers-cpp", CPP), ("checkers-java", JAVA)] {
        if has(language) {
            let output = Player::new(name).answer::<Checkers>(CHECKERS[0], ());
            assert_eq!(String::from_utf8_lossy(&output), "J f6 d4\nJ d4 f2\n", "{name}");
        }
    }
}

/// Without its memory this agent would play the same turn for ever.
#[test]
fn the_halma_agent_never_goes_back_to_a_placement_that_it_has_had() {
    require!(PYTHON3);
    let player = Player::new("halma-python");
    let start = Halma::start(Rules::Addendum);
    let first = player.choose(&start, CpuTime::from_secs(100));
    let second = player.choose(&start, CpuTime::from_secs(100));
    assert_ne!(first, second);
    player.begin();
    assert_eq!(player.choose(&start, CpuTime::from_secs(100)), first);
}

/// Of different kinds and depths, and with small trees.
const STAR_CIRCLE_CASES: [u32; 7] = [4, 9, 12, 15, 22, 25, 32];

/// The examples of the handouts (RULES.md, sections 2 to 4).
const CHECKERS: [&str; 4] = [
    "SINGLE
BLACK
100.0
.b.....b
b...b.b.
.b...b.b
..b.w...
........
w...w...
.w.w...w
w...w.w.
",
    "SINGLE
BLACK
100.0
.b...b..
..b...b.
.....w.b
....w...
.b......
w...w.w.
...B....
......w.
",
    "SINGLE
WHITE
6.6
........
w...b.b.
........
..w.b...
.w...b..
....b...
.w.....b
..w...w.
",
    "SINGLE
WHITE
23.33
.b...b..
..b.b...
...b...b
..b.....
.....w..
w.b.w.w.
.w.....w
w...w...
",
];

/// The start, an answer to it, and a ko: Black may not take back on `1,2` at once.
const LITTLE_GO: [&str; 3] = [
    "1
00000
00000
00000
00000
00000
00000
00000
00000
00000
00000
",
    "2
00000
00000
00000
00000
00000
00000
00000
00100
00000
00000
",
    "1
01200
10120
01200
00002
00020
01200
12020
01200
00002
00020
",
];

const HALMA: [&str; 3] = [
    "SINGLE
WHITE
100.0
WWWWW...........
WWWWW...........
WWW.............
WWW.W...........
WW..............
................
................
................
................
................
................
..........B...BB
.............BBB
.............BBB
...........BBBBB
...........BBBBB
",
    "SINGLE
WHITE
6.6
WWWWW...........
WW.WW...........
WWWW............
WWW.W...........
WW..............
................
................
................
................
................
................
............B.BB
...........B.BBB
.............B.B
...........BBBBB
...........BBBBB
",
    "SINGLE
BLACK
23.33
WWWWW...........
W.W.W...........
WWW.............
WW...W..........
WW....W.........
................
.......W........
................
................
.........BW.....
...........B....
..............BB
............BBBB
............B.BB
.............BBB
...........BBBBB
",
];

const DUO_OTHELLO: [&str; 1] = ["X
300 286.46
............
............
..XO........
..OX........
............
............
............
........O...
........OO..
........OX..
............
............
"];

const HEIRS: [&str; 1] = ["BLACK
30 30
gyt.nxpn.tyg
bbbbbbb.bbbb
.......b....
.........s..
............
.S..........
.....B...S..
............
............
..s.......B.
BBBBB.BBBB.B
GYT.NXPN.TYG
"];
