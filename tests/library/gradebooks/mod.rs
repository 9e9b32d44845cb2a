//! Fabricated gradebooks for the tests of pages and exports.
#![allow(
    dead_code,
    clippy::allow_attributes,
    reason = "each test file uses another part of it, so that it is dead code in the others"
)]

use proptest::prelude::*;
use referee_course::assignment::{DrawPoints, Points};
use referee_course::grading::{
    AnswerItem, CriterionHead, FinalTurn, GameItem, Gradebook, GradebookItem, GradingState, ItemState, Review,
    StudentGrade,
};
use referee_games::checkers::Checkers;
use referee_games::protocol::Finding;
use referee_games::{Position, Side};
use referee_matches::referee::{OngoingGame, explain};
use referee_messages::AnalysisWords;
use referee_records::{
    AnswerVerdict, CloseCall, Conditions, Fault, GameRecord, Host, OtherClockResult, StudentIdentity, Verdict,
    WinReason,
};
use referee_seat::{Bytes, Charge, Exceeded, Isolation, Meter, OutputFile, Run, Termination};
use referee_time::CpuTime;

use crate::fabricated::{ended, left, record_of, took, wrote};

/// What a hostile program would like to be read as something else.
pub(crate) const HOSTILE: [&str; 8] = [
    "\x1b]0;owned\x07\x1b[2J",
    "[click](javascript:alert(1))",
    "<script>alert(1)</script>",
    "```\n# heading\n```",
    "=HYPERLINK(\"http://evil.example\")",
    "::error::x\n  ::add-mask::y",
    "]]>&\"'\u{ffff}\u{202e}",
    "a | b | `c",
];

pub(crate) fn points(text: &str) -> Points {
    text.parse().unwrap()
}

/// A gradebook without students, of two single moves of a point each and two games of two and a half.
pub(crate) fn class() -> Gradebook {
    Gradebook {
        title: "Homework 2".to_owned(),
        game: referee_games::checkers::ID,
        conditions: conditions(),
        host: Host {
            name: "grader".to_owned(),
            system: "Linux 6.18".to_owned(),
            cpu_model: "Example CPU".to_owned(),
            processors: 4,
            cores: 4,
            governor: None,
        },
        isolation: vec![Isolation::Sealed],
        meters: vec![Meter::Perf],
        last_began_unix_s: 1_795_247_940,
        late: None,
        criteria: vec![head("moves", "Single moves", "2", 2), head("games", "Games against minimax", "5", 2)],
        students: Vec::new(),
        review: Vec::new(),
    }
}

fn head(name: &str, title: &str, of: &str, items: u32) -> CriterionHead {
    CriterionHead {
        name: name.to_owned(),
        title: title.to_owned(),
        of: points(of),
        items,
        by_win_rate: None,
        drawn: name.starts_with("games").then_some(DrawPoints::ByTime),
    }
}

fn conditions() -> Conditions {
    Conditions::usual(referee_games::checkers::ID, CpuTime::from_secs(100))
}

/// A student whose points are the sum of the items'.
pub(crate) fn student(name: &str, state: GradingState, criteria: Vec<Vec<GradebookItem>>) -> StudentGrade {
    StudentGrade {
        name: name.to_owned(),
        submission: name.to_owned(),
        identity: StudentIdentity::default(),
        late: None,
        origin: format!("class/{name}"),
        state,
        points: criteria.iter().flatten().map(|item| item.points).sum(),
        of: criteria.iter().flatten().map(|item| item.of).sum(),
        criteria,
        remarks: Vec::new(),
    }
}

/// An item with all of its points, or none.
pub(crate) fn item(id: &str, title: &str, of: &str, earned: bool, state: ItemState) -> GradebookItem {
    let of = points(of);
    GradebookItem {
        id: id.to_owned(),
        title: title.to_owned(),
        of,
        points: if earned { of } else { Points::ZERO },
        state,
    }
}

pub(crate) fn answer(verdict: AnswerVerdict) -> AnswerItem {
    AnswerItem {
        verdict,
        input: "SINGLE\nBLACK\n30\n".to_owned(),
        expected: None,
        got: Some(Bytes(b"E b6 a5\n".to_vec())),
        found: None,
        charged: CpuTime::from_millis(120),
        stderr: Vec::new(),
        explanation: None,
        warnings: Vec::new(),
        close_calls: Vec::new(),
    }
}

pub(crate) fn legal() -> ItemState {
    let mv = "E b6 a5".to_owned();
    ItemState::Answer(Box::new(answer(AnswerVerdict::Legal { mv })))
}

/// A game against `minimax`, in which the student has black.
pub(crate) fn game(verdict: Verdict) -> GameItem {
    let is_refused = matches!(&verdict, Verdict::Forfeit { fault: Fault::IllegalMove { .. }, .. });
    let turn = |turn, side, mv: Option<&str>| FinalTurn {
        refused: (is_refused && mv.is_none()).then(|| "`E a5 z9`".to_owned()),
        turn,
        side,
        mv: mv.map(str::to_owned),
        charged: CpuTime::from_millis(250),
    };
    GameItem {
        side: Side::Black,
        first: Side::Black,
        opponent: "minimax".to_owned(),
        drawn: matches!(verdict, Verdict::Drawn { .. }).then_some(DrawPoints::ByTime),
        verdict,
        turns: 3,
        play_time: CpuTime::from_secs(100),
        charged: CpuTime::from_millis(500),
        last_turns: vec![
            turn(1, Side::Black, Some("E b6 a5")),
            turn(2, Side::White, Some("E a3 b4")),
            turn(3, Side::Black, None),
        ],
        explanation: None,
        analysis: None,
        time: None,
        warnings: Vec::new(),
        close_calls: Vec::new(),
    }
}

pub(crate) fn won() -> ItemState {
    ItemState::Game(Box::new(game(Verdict::Won { winner: Side::Black, by: WinReason::NoPieces })))
}

pub(crate) fn forfeit(fault: Fault) -> Verdict {
    Verdict::Forfeit { loser: Side::Black, fault }
}

pub(crate) fn not_a_square() -> Finding {
    Finding::new("not-a-square", "`z9` is not a square").hint("squares are `a1` to `h8`")
}

/// The gradebook of the examples in `docs/exports.md`: one student who has lost a game, one who is rejected, one whose
/// grading is not finished.
pub(crate) fn sample() -> Gradebook {
    let moves = || {
        vec![item("ada-m01", "01-opening", "1", true, legal()), item("ada-m02", "02-forced-jump", "1", true, legal())]
    };
    let lost = ItemState::Game(Box::new(game(forfeit(Fault::WrongFormat { finding: not_a_square() }))));
    let missing = |id: &str, title: &str, of: &str| item(id, title, of, false, ItemState::Missing);
    let rejected = GradingState::Rejected {
        fault: Finding::new("build-failed", "`homework.cpp` does not build").hint("build it with `g++ -std=c++17`"),
        compiler_output: Some("homework.cpp:7:1: error: expected `}` at end of input\n".to_owned()),
    };
    let mut book = class();
    book.students = vec![
        student(
            "ada",
            GradingState::Graded,
            vec![
                moves(),
                vec![
                    item("ada-g01", "game 1 of 2, first move", "2.5", true, won()),
                    item("ada-g02", "game 2 of 2", "2.5", false, lost),
                ],
            ],
        ),
        student(
            "bob",
            rejected,
            vec![
                vec![missing("bob-m01", "01-opening", "1"), missing("bob-m02", "02-forced-jump", "1")],
                vec![missing("bob-g01", "game 1 of 2, first move", "2.5"), missing("bob-g02", "game 2 of 2", "2.5")],
            ],
        ),
        student(
            "cy",
            GradingState::Unfinished { missing: 1 },
            vec![
                moves(),
                vec![
                    item("cy-g01", "game 1 of 2, first move", "2.5", true, won()),
                    missing("cy-g02", "game 2 of 2", "2.5"),
                ],
            ],
        ),
    ];
    book
}

/// A run for every way to lose a game, with what a hostile program would leave.
pub(crate) fn every_crime() -> Vec<Run> {
    let name = || HOSTILE[2].to_owned();
    let limits = [
        Exceeded::Memory { used_bytes: 3 << 30, limit_bytes: 2 << 30 },
        Exceeded::Processes { used: 300, limit: 256 },
        Exceeded::FileSize { limit_bytes: 1 << 20 },
    ];
    let mut runs = vec![
        took(wrote(b"E b6 a5\n"), 101_000, 20, 150),
        ended(Termination::Guarded),
        ended(Termination::NotStarted { error: name() }),
        left(OutputFile::Missing { lookalike: None }),
        left(OutputFile::Missing { lookalike: Some(name()) }),
        left(OutputFile::NotAFile { found: name() }),
        wrote(b""),
        wrote(b"E b6 c7\n"),
    ];
    runs.extend(limits.map(|limit| ended(Termination::Exceeded { limit })));
    runs.extend(HOSTILE.map(|text| wrote(text.as_bytes())));
    let stderr = HOSTILE.join("\n");
    let with_stderr = |run| Run { stderr: stderr.clone(), ..run };
    runs.into_iter().map(with_stderr).collect()
}

/// The record of the game of checkers that black, who is called `name`, loses by its first run.
pub(crate) fn lost_by(name: &str, run: Run) -> GameRecord {
    let start = Checkers::start(());
    let mut ongoing_game = OngoingGame::new(start.clone(), conditions());
    ongoing_game.report(run);
    let uncertainty = CpuTime::from_micros(50);
    record_of(ongoing_game, &start, conditions(), [name, "minimax"], uncertainty)
}

/// The item of a game that `name` has lost by its first run, explained.
pub(crate) fn lost_item(name: &str, id: &str, run: Run) -> GradebookItem {
    let record = lost_by(name, run);
    let explanation = explain(&record).unwrap();
    let played = GameItem {
        explanation: Some(Box::new(explanation)),
        close_calls: record.close_calls.clone(),
        ..game(record.verdict)
    };
    item(id, &format!("game {id}"), "2.5", false, ItemState::Game(Box::new(played)))
}

/// A class in which everything is hostile: names, outputs, compilers; and in which every fault occurs.
pub(crate) fn hostile() -> Gradebook {
    let mut book = class();
    // JSON leaves DEL as it is.
    "=mo\u{7f}ves <b>".clone_into(&mut book.criteria[0].name);
    book.students = HOSTILE.iter().map(|name| hostile_student(name)).collect();
    let rejected = GradingState::Rejected {
        fault: Finding::new("build-failed", HOSTILE.join(" ")).hint(HOSTILE.join(" ")),
        compiler_output: Some(HOSTILE.join("\n").repeat(50)),
    };
    let missing = || vec![item("x", "game 1 of 1", "7", false, ItemState::Missing)];
    book.students.push(student("rejected", rejected, vec![Vec::new(), missing()]));
    book.students.push(student("unfinished", GradingState::Unfinished { missing: 1 }, vec![Vec::new(), missing()]));
    book.review = vec![Review {
        student: HOSTILE[0].to_owned(),
        id: "close".to_owned(),
        of: points("1"),
        earned: false,
        close_calls: vec![close_call()],
        again: (3, 1),
        void: None,
    }];
    book
}

fn close_call() -> CloseCall {
    CloseCall::OtherClock { charge: Charge::User, otherwise: OtherClockResult::TooLate }
}

fn hostile_student(name: &str) -> StudentGrade {
    let games = (1..).zip(every_crime()).map(|(number, run)| lost_item(name, &format!("g{number}"), run));
    let different = AnswerItem {
        expected: Some(HOSTILE.join("\n")),
        got: Some(Bytes([HOSTILE.join("\n").as_bytes(), b"\xff\x00"].concat())),
        warnings: vec![Finding::new("odd", HOSTILE.join(" "))],
        close_calls: vec![close_call()],
        ..answer(AnswerVerdict::Different { lines: vec![1, 3] })
    };
    let different = item("close", name, "1", false, ItemState::Answer(Box::new(different)));
    let mut student = student(name, GradingState::Graded, vec![vec![different], games.collect()]);
    student.remarks = HOSTILE.map(str::to_owned).into();
    student
}

/// Any text, with what is special somewhere more often than not.
pub(crate) fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        2 => "(\\PC|[\\x00-\\x1f\\x7f\u{202e}\u{ffff}]){0,20}",
        2 => "[-=+@'\"`<>&|,;\\[\\]()#*_ \n\r\t:{}a]{0,20}",
        1 => prop::sample::select(HOSTILE.to_vec()).prop_map(str::to_owned),
        1 => "[a-z]{1,8}",
    ]
}

fn any_item() -> impl Strategy<Value = GradebookItem> {
    let state = prop_oneof![Just(0_u8), Just(1), Just(2), Just(3), Just(4),];
    (text(), text(), state, 0_u32..1000, any::<prop::sample::Index>(), text()).prop_map(
        |(id, title, state, of, earned, foreign)| {
            let finding = Finding::new("any", foreign.clone());
            let state = match state {
                0 => ItemState::Missing,
                1 => ItemState::Answer(Box::new(AnswerItem {
                    expected: Some(foreign.clone()),
                    got: Some(Bytes(foreign.clone().into_bytes())),
                    warnings: vec![finding],
                    ..answer(AnswerVerdict::Different { lines: vec![1] })
                })),
                2 => ItemState::Game(Box::new(game(forfeit(Fault::IllegalMove { finding })))),
                3 => ItemState::Game(Box::new(GameItem {
                    opponent: foreign.clone(),
                    analysis: Some(AnalysisWords { sentences: vec![foreign.clone()], decisive_turn: None }),
                    warnings: vec![(foreign, 2)],
                    ..game(Verdict::Won { winner: Side::White, by: WinReason::NoMoves })
                })),
                _ => won(),
            };
            let of = Points::from_hundredths(of);
            let points = match state {
                ItemState::Missing => Points::ZERO,
                ItemState::Answer(_) | ItemState::Game(_) | ItemState::WinRate(_) => {
                    let hundredths = u32::try_from(earned.index(of.hundredths() as usize + 1)).unwrap();
                    Points::from_hundredths(hundredths)
                }
            };
            GradebookItem { id, title, of, points, state }
        },
    )
}

fn any_state() -> impl Strategy<Value = GradingState> {
    prop_oneof![
        Just(GradingState::Graded),
        (1_u32..9).prop_map(|missing| GradingState::Unfinished { missing }),
        (text(), prop::option::of(text()), prop::option::of(text())).prop_map(|(message, hint, compiler_output)| {
            GradingState::Rejected { fault: Finding { hint, ..Finding::new("any", message) }, compiler_output }
        }),
    ]
}

/// Any gradebook whose points add up.
pub(crate) fn any_gradebook() -> impl Strategy<Value = Gradebook> {
    let parts = prop::collection::vec((text(), text()), 1..4);
    (text(), parts).prop_flat_map(|(title, parts)| {
        let criteria = prop::collection::vec(prop::collection::vec(any_item(), 0..4), parts.len());
        let students = prop::collection::vec((text(), any_state(), criteria), 0..5);
        students.prop_map(move |students| {
            let mut book = class();
            book.title.clone_from(&title);
            book.criteria = parts.iter().map(|(name, title)| head(name, title, "10", 3)).collect();
            book.students =
                students.into_iter().map(|(name, state, criteria)| student(&name, state, criteria)).collect();
            book
        })
    })
}
