//! What `docs/agent-protocols.md` and `docs/students.md` say is so: their agents play, and each mistake of the page
//! ends as it says there.

use super::{PYTHON_HELPER, assert_played_to_the_end, fault_of, file, own, played, submission, text};
use crate::toolbox::{PYTHON3, require};

const PAGE: &str = "docs/agent-protocols.md";

/// The blocks of Python on a page.
fn programs(page: &str) -> Vec<String> {
    let blocks = file(page);
    let blocks = blocks.split("```python\n").skip(1);
    blocks.filter_map(|block| Some(block.split_once("```")?.0.to_owned())).collect()
}

#[test]
fn the_complete_agents_of_the_pages_play() {
    require!(PYTHON3);
    for page in [PAGE, "docs/students.md"] {
        let program = programs(page).into_iter().next().unwrap_or_else(|| panic!("{page} has a program"));
        let agent = submission(&[("homework.py", &program), ("referee_agent.py", &file(PYTHON_HELPER))]);
        let rules = own("examples/rules/connect_four.py");
        let games = played(&format!("stdio:{}", text(agent.path())), "builtin:random", text(&rules), "2");
        assert_played_to_the_end(&games, 2);
    }
}

/// The rows of the table of mistakes: the lines of the agent after its import of `sys`, and the code of its fault.
#[test]
#[ignore = "long: waits for agents that never answer"]
fn each_mistake_of_the_page_ends_as_it_says() {
    require!(PYTHON3);
    let page = file(PAGE);
    let table = page.split("| mistake | ").nth(1).expect("the page has its table");
    let rows: Vec<&str> = table.lines().skip(2).take_while(|line| line.starts_with('|')).collect();
    let mistakes = [
        "while True: read(); print('PASS\\n\\nPASS\\n', flush=True)",
        "print('ready', flush=True)\nwhile True: read(); print('PASS\\n', flush=True)",
        "while True: read(); print('thinking'); print('PASS\\n', flush=True)",
        "while True: read(); print('PASS\\n')",
        "sys.stdin.read(); print('PASS\\n', flush=True)",
        "while True: read(); print('PASS', flush=True)",
        "read(); print('PASS\\n', flush=True)",
    ];
    assert_eq!(rows.len(), mistakes.len(), "{rows:?}");
    for (row, mistake) in rows.into_iter().zip(mistakes) {
        let program = format!(
            "import sys
def read():
    for line in sys.stdin:
        if not line.strip(): return
    sys.exit()
{mistake}
"
        );
        let (code, told) = fault_of(submission(&[("homework.py", &program)]).path(), "little-go");
        assert!(row.contains(&format!("| `{code}`")), "{row}: `{code}`\n{told}");
    }
}
