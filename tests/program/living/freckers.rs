//! The course in a box: another university's game and its agents, which are classes.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use super::{assert_played_to_the_end, file, own, played, recorded, submission, text};
use crate::invocation::{assert_ends, printed, words};
use crate::toolbox::{PYTHON3, require};

fn rules() -> String {
    text(&own("examples/rules/freckers.py")).to_owned()
}

#[test]
#[ignore = "long: plays by rules in another process"]
fn the_rules_keep_every_law_of_the_check() {
    require!(PYTHON3);
    let checked = printed(&["game", "check", &rules(), "--positions", "300", "--protocol", "stdio"], 0);
    assert_ends(&checked, "ready to referee\n");
    assert!(!checked.contains("warning"), "{checked}");
}

/// The student's agent is the package `agent`; all else comes from the kit.
fn with_kit(program: &str) -> TempDir {
    let kit = ["referee_agent.py", "class_agent.py", "referee/__init__.py", "referee/game/__init__.py"];
    let game = ["actions", "board", "constants", "coord", "exceptions", "player"];
    let paths = kit.map(str::to_owned).into_iter().chain(game.map(|name| format!("referee/game/{name}.py")));
    let mut files: Vec<(String, String)> =
        paths.map(|path| (path.clone(), file(&format!("examples/freckers/kit/{path}")))).collect();
    files.push(("homework.py".to_owned(), "import class_agent\n".to_owned()));
    files.push(("agent/__init__.py".to_owned(), "from .program import Agent\n".to_owned()));
    files.push(("agent/program.py".to_owned(), program.to_owned()));
    let files: Vec<(&str, &str)> = files.iter().map(|(path, content)| (&**path, &**content)).collect();
    submission(&files)
}

fn stdio(agent: &Path) -> String {
    format!("stdio:{}", text(agent))
}

/// The board of the kit, which the sample agent plays on, refuses what is not legal: so it agrees with the rules on
/// every move of both sides.
#[test]
#[ignore = "long: plays by rules in another process"]
fn the_sample_agent_and_the_board_of_its_kit_agree_with_the_rules() {
    require!(PYTHON3);
    let hopper = with_kit(&file("examples/freckers/class/hopper/agent/program.py"));
    assert_played_to_the_end(&played(&stdio(hopper.path()), "builtin:random", &rules(), "4"), 4);
}

/// It raises, and so loses, where it is not told what the course's referee tells.
const TOLD: &str = "
from referee.game import GrowAction, MoveAction, PlayerColor

class Agent:
    def __init__(self, color, **referee):
        self.color, self.colours, self.own, self.left = color, [], [], 180
        self.hear(referee)

    def hear(self, referee):
        assert sorted(referee) == ['space_limit', 'space_remaining', 'time_remaining'], referee
        assert 0 < referee['time_remaining'] <= self.left, referee
        assert 0 < referee['space_remaining'] <= referee['space_limit'] == 250, referee
        self.left = referee['time_remaining']

    def action(self, **referee):
        self.hear(referee)
        assert len(self.colours) % 2 == (self.color == PlayerColor.BLUE), self.colours
        self.own.append(GrowAction())
        return self.own[-1]

    def update(self, color, action, **referee):
        self.hear(referee)
        assert isinstance(action, (GrowAction, MoveAction)) and isinstance(color, PlayerColor)
        assert color == (self.colours[-1].opponent if self.colours else PlayerColor.RED)
        assert color != self.color or action is self.own[-1]
        self.colours.append(color)
";

#[test]
#[ignore = "long: plays by rules in another process"]
fn a_class_is_told_every_action_of_both_sides_in_turn_and_its_limits() {
    require!(PYTHON3);
    let agent = with_kit(TOLD);
    assert_played_to_the_end(&played(&stdio(agent.path()), "builtin:random", &rules(), "2"), 2);
}

/// Two classes of the course meet; one of them moves a frog that it does not have.
#[test]
fn a_class_that_acts_illegally_loses() {
    require!(PYTHON3);
    let hopper = with_kit(&file("examples/freckers/class/hopper/agent/program.py"));
    let cheat = with_kit(&file("examples/freckers/class/cheat/agent/program.py"));
    let agents = [format!("a={}", stdio(hopper.path())), format!("b={}", stdio(cheat.path()))];
    let game = played(&agents[0], &agents[1], &rules(), "1").remove(0);
    assert_eq!(game["verdict"]["loser"], "white", "{}", game["verdict"]);
    assert_eq!(game["verdict"]["fault"]["finding"]["code"], "no-frog");
    assert_eq!(game["turns"].as_array().expect("it has turns").last().expect("a turn")["output"]["bytes"], "3,3 2,3\n");
}

#[test]
#[ignore = "long: grades a class"]
fn the_class_is_graded_with_two_jobs() {
    require!(PYTHON3);
    let folder = TempDir::new().expect("there is room for a folder");
    let (assignment, class) = (own("examples/freckers/assignment.toml"), own("examples/freckers/class"));
    let told = printed(
        &words("grade {} --class {} --jobs 2 --out {}", &[text(&assignment), text(&class), text(folder.path())]),
        0,
    );
    assert!(told.contains("cheat: 0 of 6 games and answers earned; 6x illegal move\n"), "{told}");
    let games = recorded(folder.path());
    assert_eq!(games.len(), 12);
    let fault = |game: &Value| game["verdict"]["fault"]["finding"]["code"].as_str().map(str::to_owned);
    for game in games {
        let is_cheat = game["id"].as_str().expect("a name").starts_with("cheat.");
        assert_eq!(fault(&game).as_deref(), is_cheat.then_some("no-frog"), "{}", game["id"]);
    }
    assert!(printed(&["verify", text(folder.path())], 0).contains(", 0 different"));
    let feedback = fs::read_to_string(folder.path().join("feedback/hopper.txt")).expect("feedback");
    let feedback = feedback.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(feedback.contains("answers were read by the rules program of the game"), "{feedback}");
}

const START: [&str; 8] =
    ["*RRRRRR*", ".******.", "........", "........", "........", "........", ".******.", "*BBBBBB*"];

/// The rules a second time, in a few lines: a cell is `R`, `B`, `*` or `.`.
type Cells = [[u8; 8]; 8];

/// The cell so many steps from another, if it is on the board.
fn stepped((row, column): (usize, usize), (down, right): (isize, isize), steps: isize) -> Option<(usize, usize)> {
    let to = (row.checked_add_signed(down * steps)?, column.checked_add_signed(right * steps)?);
    (to.0 < 8 && to.1 < 8).then_some(to)
}

fn positions() -> impl Iterator<Item = (usize, usize)> {
    (0..64).map(|place| (place / 8, place % 8))
}

/// Every action of a side with the cells after it.
fn actions(cells: &Cells, side: u8) -> Vec<(String, Cells)> {
    let forward = if side == b'R' { 1 } else { -1 };
    let ways = [(0, -1), (0, 1), (forward, -1), (forward, 0), (forward, 1)];
    let own = || positions().filter(|&(row, column)| cells[row][column] == side);
    let mut found = vec![("GROW".to_owned(), grown(cells, side))];
    for from in own() {
        let mut paths = vec![vec![from]];
        while let Some(path) = paths.pop() {
            let at = path[path.len() - 1];
            for way in ways {
                let (Some(next), beyond) = (stepped(at, way, 1), stepped(at, way, 2)) else { continue };
                let is_frog = |(row, column): (usize, usize)| b"RB".contains(&cells[row][column]);
                let to = if is_frog(next) { beyond } else { Some(next).filter(|_| path.len() == 1) };
                let Some(to) = to.filter(|to| !is_frog(*to) && !path.contains(to)) else { continue };
                let further = [&path[..], &[to]].concat();
                if cells[to.0][to.1] == b'*' {
                    let mut after = *cells;
                    after[from.0][from.1] = b'.';
                    after[to.0][to.1] = side;
                    let names = further.iter().map(|(row, column)| format!("{row},{column}"));
                    found.push((names.collect::<Vec<_>>().join(" "), after));
                }
                if is_frog(next) {
                    paths.push(further);
                }
            }
        }
    }
    found
}

fn grown(cells: &Cells, side: u8) -> Cells {
    let mut after = *cells;
    for from in positions().filter(|&(row, column)| cells[row][column] == side) {
        for way in (0..9).map(|way| (way / 3 - 1, way % 3 - 1)) {
            if let Some((row, column)) = stepped(from, way, 1)
                && cells[row][column] == b'.'
            {
                after[row][column] = b'*';
            }
        }
    }
    after
}

fn is_over(cells: &Cells) -> bool {
    let are_there = |far: usize, side: u8| (0..8).filter(|&column| cells[far][column] == side).count() == 6;
    are_there(7, b'R') || are_there(0, b'B')
}

fn count(cells: &Cells, side: u8, depth: u32) -> u64 {
    if depth == 0 || is_over(cells) {
        return u64::from(depth == 0);
    }
    let other = if side == b'R' { b'B' } else { b'R' };
    actions(cells, side).iter().map(|(_, after)| count(after, other, depth - 1)).sum()
}

/// Of the start and of a late, crowded position, in which chains of jumps branch and come down on water.
#[test]
#[ignore = "long: plays by rules in another process"]
fn a_second_implementation_finds_the_same_actions() {
    require!(PYTHON3);
    let late = [".R......", ".B.....*", "..B*..*.", ".B..R*..", ".*.R...*", "..R*B..*", "*.*..RB*", "..**B..R"];
    let inputs = [START, late].map(|rows| format!("RED\n99 98\nTURN 41\nLAST 6,1 5,1\n{}\n", rows.join("\n")));
    let folder = TempDir::new().expect("there is room for a folder");
    let mut chains = 0;
    for input in inputs {
        let path = folder.path().join("input.txt");
        fs::write(&path, &input).expect("it can be written");
        let mut cells = Cells::default();
        for (row, line) in cells.iter_mut().zip(input.lines().skip(4)) {
            row.copy_from_slice(line.as_bytes());
        }
        let listed = printed(&["moves", "--game", &rules(), "--input", text(&path)], 0);
        let listed: BTreeSet<&str> = listed.lines().collect();
        let found = actions(&cells, b'R');
        assert_eq!(listed, found.iter().map(|(name, _)| &**name).collect());
        chains += listed.iter().filter(|name| name.split(' ').count() > 2).count();
        let perft = printed(&["perft", "--game", &rules(), "--input", text(&path), "--depth", "3"], 0);
        assert_eq!(perft.trim(), count(&cells, b'R', 3).to_string(), "{input}");
    }
    assert!(chains > 1);
}
