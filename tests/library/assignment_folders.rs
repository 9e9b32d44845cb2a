//! Loading an assignment checks every file that it names.

use std::fs;
use std::path::Path;

use referee_course::assignment::{Assignment, CriterionKind, FirstMoves, QuestionFolder, QuestionText, RightAnswers};
use referee_games::KnownGames;
use snapbox::assert_data_eq;
use tempfile::TempDir;

use crate::assignment::max_points;

const POSITION: &str =
    "SINGLE\nBLACK\n100.0\n.b.b.b.b\nb.b.b.b.\n.b.b.b.b\n........\n........\nw.w.w.w.\n.w.w.w.w\nw.w.w.w.\n";
/// Black's one man is blocked.
const BLOCKED: &str =
    "SINGLE\nBLACK\n1.0\n........\n........\n........\n........\n........\nb.......\n.w......\n..w.....\n";

/// The position as it is asked by [`single_moves`].
fn asked() -> String {
    POSITION.replace("100.0", "30.0")
}

/// A folder with these files.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

fn assignment(criteria: &str) -> String {
    format!("title = \"T\"\ngame = \"checkers\"\n{criteria}")
}

fn single_moves() -> String {
    assignment("[[grade]]\nkind = \"single-moves\"\npositions = \"p\"\ntime = 30\npoints_each = 2.5\n")
}

fn cases() -> String {
    assignment("[[grade]]\nkind = \"cases\"\ncases = \"c\"\ntime = 30\npoints_each = 2\n")
}

/// The faults of the assignment in `folder`, the folder's own name left out.
fn faults(folder: &TempDir) -> String {
    let faults = Assignment::load(&folder.path().join("hw.toml"), &KnownGames::builtin()).unwrap_err();
    faults.to_string().replace(&format!("{}/", folder.path().display()), "")
}

#[test]
fn positions_are_read_in_their_natural_order() {
    let text = single_moves();
    let files = [("hw.toml", text.as_str()), ("p/10.txt", POSITION), ("p/9.txt", POSITION), ("p/a.txt", POSITION)];
    let folder = folder(&[&files[..], &[("p/README.md", "x"), ("p/.hidden.txt", "x"), ("p/old/1.txt", "x")]].concat());
    let assignment = Assignment::load(&folder.path().join("hw.toml"), &KnownGames::builtin()).unwrap();
    let [criterion] = assignment.criteria.as_slice() else { panic!("{:?}", assignment.criteria) };
    let CriterionKind::Questions(positions) = &criterion.kind else { panic!("{criterion:?}") };
    assert_eq!((&positions.folder, positions.answers), (&folder.path().join("p"), RightAnswers::LegalMoves));
    let questions = positions.read(assignment.game).unwrap();
    let names: Vec<_> = questions.iter().map(|question| question.name.as_str()).collect();
    assert_eq!(names, ["9", "10", "a"]);
    assert_eq!((questions[0].text.as_str(), &questions[0].expected), (&*asked(), &None));
    assert_eq!(max_points(criterion, &questions).to_string(), "7.5");
}

/// An agent must not be told another time than it gets.
#[test]
fn positions_are_asked_with_the_time_of_the_assignment() {
    let text = single_moves();
    let other = POSITION.replacen("SINGLE", "GAME", 1).replacen("100.0", "300.0", 1).replace('\n', "\r\n");
    let folder = folder(&[("hw.toml", &text), ("p/1.txt", &format!("\u{feff}{other}"))]);
    let assignment = Assignment::load(&folder.path().join("hw.toml"), &KnownGames::builtin()).unwrap();
    let questions = assignment.criteria[0].kind.read_questions(assignment.game).unwrap();
    assert_eq!(questions[0].text, asked());
}

#[test]
fn faults_of_positions_are_reported_with_file_and_line() {
    let text = single_moves();
    let broken = POSITION.replace("b.b.b.b.\n.b", "b.b.x.b.\n.b");
    let folder = folder(&[
        ("hw.toml", &text),
        ("p/1.txt", &broken),
        ("p/2.txt", BLOCKED),
        ("p/3.txt", "SINGLE\nblack\n"),
        ("p/4.txt", ""),
        ("p/ä.txt", POSITION),
        ("p/good.txt", POSITION),
    ]);
    fs::write(folder.path().join("p/5.txt"), [0xff]).unwrap();
    fs::write(folder.path().join("p/6.txt"), vec![b'x'; 1 << 17]).unwrap();
    assert_data_eq!(faults(&folder), snapbox::file!["snapshots/faults_of_positions.txt"].raw());
}

#[test]
fn missing_files_are_reported_where_they_are_named() {
    let text = assignment(
        "[[grade]]\nkind = \"single-moves\"\npositions = \"p\"\ntime = 30\npoints_each = 1\n\
         [[grade]]\nkind = \"cases\"\ncases = \"hw.toml\"\ntime = 30\npoints_each = 1\n\
         [[grade]]\nkind = \"single-moves\"\nname = \"empty\"\npositions = \"e\"\ntime = 0\npoints_each = 1\n\
         [[grade]]\nkind = \"games\"\nopponent = \"staff=bots/staff.py\"\ngames = 1\npoints_each = 1\n",
    );
    let folder = folder(&[("hw.toml", &text), ("e/readme.md", "")]);
    assert_data_eq!(faults(&folder), snapbox::file!["snapshots/missing_files.txt"].raw());
}

#[test]
fn an_opponent_of_ones_own_is_found_beside_the_assignment() {
    let text =
        assignment("[[grade]]\nkind = \"games\"\nopponent = \"staff=bots/staff.py\"\ngames = 3\npoints_each = 1\n");
    let folder = folder(&[("hw.toml", &text), ("bots/staff.py", "")]);
    let assignment = Assignment::load(&folder.path().join("hw.toml"), &KnownGames::builtin()).unwrap();
    let CriterionKind::Games { opponent, opponent_name, first_move, play_times, drawn: _ } =
        &assignment.criteria[0].kind
    else {
        panic!("{:?}", assignment.criteria);
    };
    assert_eq!(opponent.to_string(), folder.path().join("bots/staff.py").display().to_string());
    assert_eq!((opponent_name.as_str(), *first_move, play_times.len()), ("staff", FirstMoves::Count(2), 3));
    assert_eq!(assignment.criteria[0].title, "Games against staff");
}

fn question(name: &str) -> QuestionText {
    QuestionText { name: name.to_owned(), text: POSITION.to_owned(), expected: Some(format!("answer to {name}\n")) }
}

#[test]
fn cases_pair_by_their_names_in_every_way_of_a_course() {
    let layouts: [(&str, &[(&str, &str)]); 4] = [
        ("suffixes", &[("1.input.txt", "1.expected.txt"), ("2.input.txt", "2.output.txt")]),
        ("prefixes", &[("INPUT1.txt", "OUTPUT1.txt"), ("input-2.TXT", "expected_2.txt")]),
        ("folders", &[("input/1.txt", "expected/1.txt"), ("input/2.txt", "expected/2.txt")]),
        ("other folders", &[("Input/1.txt", "Output/1.txt"), ("Input/2.txt", "Output/2.txt")]),
    ];
    for (layout, pairs) in layouts {
        let text = cases();
        let folder = folder(&[("hw.toml", &text), ("c/README.md", "x")]);
        for (number, (input, answer)) in (1..).zip(pairs) {
            // As an editor on Windows saves it.
            for (name, text) in [(input, POSITION), (answer, &format!("\u{feff}answer to {number}\r\n"))] {
                let path = folder.path().join("c").join(name);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, text).unwrap();
            }
        }
        let assignment = Assignment::load(&folder.path().join("hw.toml"), &KnownGames::builtin())
            .unwrap_or_else(|faults| panic!("{layout}: {faults}"));
        let questions = assignment.criteria[0].kind.read_questions(assignment.game).unwrap();
        assert_eq!(questions, [question("1"), question("2")], "{layout}");
        assert_eq!(max_points(&assignment.criteria[0], &questions).to_string(), "4");
    }
}

#[test]
fn inputs_without_an_answer_are_reported() {
    let text = cases();
    let folder = folder(&[
        ("hw.toml", &text),
        ("c/lonely.input.txt", POSITION),
        ("c/orphan.expected.txt", "x"),
        ("c/twice.input.txt", POSITION),
        ("c/twice.expected.txt", "x"),
        ("c/twice.output.txt", "x"),
        ("c/empty.input.txt", POSITION),
        ("c/empty.expected.txt", " \n"),
        ("c/broken.input.txt", "SINGLE\n"),
        ("c/broken.expected.txt", "x"),
        ("c/stray.txt", POSITION),
    ]);
    assert_data_eq!(faults(&folder), snapbox::file!["snapshots/inputs_without_an_answer.txt"].raw());
}

#[test]
fn inputs_alone_will_do_where_answers_are_computed() {
    let folder =
        folder(&[("1.txt", POSITION), ("2.input.txt", POSITION), ("2.expected.txt", ""), ("INPUT3.txt", BLOCKED)]);
    let asked = QuestionFolder {
        folder: folder.path().to_owned(),
        answers: RightAnswers::Solver,
        time: "180".parse().unwrap(),
    };
    let questions = asked.read(referee_games::checkers::ID).unwrap();
    let found: Vec<_> = questions.iter().map(|question| (question.name.as_str(), &question.expected)).collect();
    assert_eq!(found, [("1", &None), ("2", &None), ("3", &None)]);
}

#[test]
fn files_that_are_no_assignments_are_refused() {
    let folder = folder(&[]);
    let path = folder.path().join("hw.toml");
    let first_line = |path: &Path| {
        Assignment::load(path, &KnownGames::builtin()).unwrap_err().to_string().lines().next().unwrap().to_owned()
    };
    let shown = path.display();
    let missing = format!("{shown}: cannot read the assignment: No such file or directory (os error 2)");
    assert_eq!(first_line(&path), missing);
    fs::write(&path, vec![b'#'; 1 << 20]).unwrap();
    assert_eq!(first_line(&path), format!("{shown}: cannot read the assignment: it is larger than 65536 bytes"));
    fs::write(&path, b"title = \"\xc3\xa9\"\ngame = \"\xff\"\n").unwrap();
    assert_eq!(first_line(&path), format!("{shown}:2:9: expected UTF-8, found the byte 0xff"));
}
