//! An analysis has the same bytes on every machine: these digests are of one small analysis of each game. A machine or
//! a build that finds other ones breaks that promise. A change of the search, of an evaluation or of a curve changes
//! them on purpose: then the message has the new ones.

use referee_analysis::{FitSettings, default_nodes, fit};
use referee_games::builtin::{NodeLimit, TurnRng, choose_random};
use referee_games::checkers::Checkers;
use referee_games::halma::Halma;
use referee_games::heirs::Heirs;
use referee_games::little_go::LittleGo;
use referee_games::othello::DuoOthello;
use referee_games::star_circle::StarCircle;
use referee_games::{Builtin, History};
use referee_records::digest_of_record;

use crate::analysis::{analysis_with, record};
use crate::custom_valuations::{kalah, load, random_positions, source, tic_tac_toe};

/// Enough for mistakes and proofs at both lengths of a search.
const NODES: u64 = 400;

fn digest(what: &impl serde::Serialize) -> String {
    digest_of_record(&serde_json::to_vec(what).unwrap()).split_off(48)
}

/// The turns of a random game of `P`.
fn of_game<P: Builtin>() -> String {
    let start = P::start(P::Rules::default());
    let random = record(&start, |position, game| {
        let mv = choose_random(position, &mut TurnRng::new(3, game.turns().len() as u64))?;
        Some(position.write_move(mv))
    });
    digest(&analysis_with(&random.unwrap(), NodeLimit::new(NODES).unwrap()).turns)
}

#[test]
fn built_in_games_have_the_recorded_bytes() {
    let digests = [of_game::<Checkers>(), of_game::<DuoOthello>(), of_game::<LittleGo>(), of_game::<StarCircle>()];
    assert_eq!(digests, ["743be14d9615dd91", "042f8cf7548233e9", "b8e8de47c3bfe935", "2a54ea7589892954"]);
}

#[test]
#[ignore = "long: random games of Halma and Heirs have a thousand turns"]
fn long_games_have_the_recorded_bytes() {
    let digests = [of_game::<Halma>(), of_game::<Heirs>()];
    assert_eq!(digests, ["8da0a0fbfbf00f7f", "780ef5249bd85fa9"]);
}

#[test]
fn fitted_curves_have_the_recorded_bytes() {
    let game = "star-circle".parse().unwrap();
    let curve = fit(game, FitSettings::new(NodeLimit::new(100).unwrap(), 12, 7), || ()).unwrap();
    assert_eq!(digest(&curve.to_text()), "315e049d6f80beae");
}

#[test]
#[ignore = "long: plays by rules in another process"]
fn custom_games_have_the_recorded_bytes() {
    let digests = [kalah(), tic_tac_toe()].map(|example| {
        let positions = random_positions(example.game, 3);
        let valued = positions.iter().step_by(3).map(|position| {
            let history = History::new(example.game.profile().draws, position.clone());
            let reached = history.reached(position);
            let found = example.game.value_moves(&reached, NODES);
            let proofs = found.values.iter().enumerate().map(|(index, &value)| {
                let proved = example.game.proved_result(&reached, index, value, NODES);
                format!("{value} {proved:?}")
            });
            (found.depth, proofs.collect::<Vec<_>>())
        });
        digest(&valued.collect::<Vec<_>>())
    });
    assert_eq!(digests, ["4989e9d7dfd25de6", "af3669242b5a661f"]);
}

/// The clock must not decide how long searches are: a large board has shorter ones, but each move is valued.
#[test]
fn the_rules_alone_decide_the_default_of_custom_games() {
    let gomoku = load(&source("examples/rules/gomoku.py"));
    let nodes = [kalah(), tic_tac_toe(), gomoku].map(|example| default_nodes(example.game).count());
    assert_eq!(nodes, [937, 6_666, 226]);
}
