//! What the lost games of a run have in common, in words.

use referee_analysis::{LossGroup, LossKind};
use referee_games::protocol::counted;

/// `12 games, 5 agents: one mistake decided the game`
pub fn loss_group_sentence(group: &LossGroup) -> String {
    let (games, agents) = (counted(group.games, "game"), counted(group.agents, "agent"));
    format!("{games}, {agents}: {}", loss_words(group.kind))
}

fn loss_words(kind: LossKind) -> String {
    match kind {
        LossKind::Forfeit { fault } => format!("forfeit ({fault})"),
        LossKind::DrawDecided => "a draw on the board, decided for the other side".to_owned(),
        LossKind::Mistake => "one mistake decided the game".to_owned(),
        LossKind::MistakeIn { position, about } => format!("of these, in `{position}` positions ({about})"),
        LossKind::Gradual => "lost gradually, by no single mistake".to_owned(),
    }
}
