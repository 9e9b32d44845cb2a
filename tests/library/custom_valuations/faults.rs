//! Rules that fail have no values and no certain results, and the fault is noted.

use super::{load, tic_tac_toe_rules, values};
use referee_games::builtin::WIN_VALUE;
use referee_games::{History, MoveValues};

#[test]
#[ignore = "long: plays by rules in another process"]
fn rules_that_fail_or_answer_otherwise_say_nothing() {
    let moves = "    def moves(self, state):\n";
    let play = "    def play(self, state, move):\n";
    let once = "global asked\n        asked = globals().get('asked', 0) + 1\n        ";
    let table = [
        (play, "assert move != 'a1' or state['board'][1] == '...'\n", "AssertionError"),
        (play, "if state['board'][1] != '...': __import__('os')._exit(3)\n", "exit"),
        (play, "if state['board'][1] != '...': return 7\n", ""),
        (moves, &format!("{once}if asked % 2: return SQUARES[:3][::-1]\n"), "listed other moves"),
        (moves, "if state['board'][1] != '...': return []\n", "there is no move"),
    ];
    for (method, broken, fault) in table {
        let rules = tic_tac_toe_rules().replace(method, &format!("{method}        {broken}"));
        let loaded = load(&rules);
        let start = loaded.game.start();
        assert_eq!(values(&start, 2000), MoveValues::default(), "{broken}");
        let told = loaded.games.first_fault().expect("a fault is noted");
        assert!(told.contains(fault), "{broken}: {told}");
        let history = History::new(loaded.game.profile().draws, start.clone());
        for value in [0, WIN_VALUE, -WIN_VALUE] {
            assert_eq!(loaded.game.proved_result(&history.reached(&start), 0, value, 2000), None, "{broken}");
        }
    }
}

/// The fault comes up in the proof alone.
#[test]
fn rules_that_fail_in_a_proof_prove_nothing() {
    let play = "    def play(self, state, move):\n";
    let broken = "assert ''.join(state['board']).count('.') > 7\n";
    let loaded = load(&tic_tac_toe_rules().replace(play, &format!("{play}        {broken}")));
    let start = loaded.game.start();
    let history = History::new(loaded.game.profile().draws, start.clone());
    assert_eq!(loaded.game.proved_result(&history.reached(&start), 0, WIN_VALUE, 2000), None);
    assert!(loaded.games.first_fault().is_some());
}

/// A position of another game has no values.
#[test]
fn positions_of_other_games_have_no_values() {
    let loaded = load(&tic_tac_toe_rules());
    let start = "checkers".parse::<referee_games::GameRef>().unwrap().start();
    let history = History::new(referee_games::DrawRules::NONE, start.clone());
    assert_eq!(loaded.game.value_moves(&history.reached(&start), 100), MoveValues::default());
    assert_eq!(loaded.game.proved_result(&history.reached(&start), 0, 0, 100), None);
}
