//! What the lost games of a run have in common, for its staff. Only pages with real names have it: which games are
//! named depends on the names of those who lost them.

use serde::Serialize;

use super::anonymization::PageNames;
use referee_analysis::{LossGroup, LossKind, LostGame, common_losses};
use referee_messages::loss_group_sentence;
use referee_records::Manifest;

/// What the analyzed games that were lost have in common.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LossesView {
    /// Their number.
    pub lost: usize,
    /// The groups, in the order of [`common_losses`].
    pub groups: Vec<LossGroupView>,
}

/// Lost games with something in common.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LossGroupView {
    /// What it is, and in how many games.
    pub words: String,
    /// Whether they are some of the games that one mistake decided.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_part: bool,
    /// Some of them.
    pub examples: Vec<LossExampleView>,
}

/// A lost game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LossExampleView {
    /// The game's name, as in [`GameView::id`](super::GameView::id).
    pub id: String,
    /// The agent that lost it.
    pub loser: String,
    /// The turn that lost it, from 1, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<usize>,
}

impl LossesView {
    /// The view of the `lost` games that are analyzed; `None` if participants of the run have lost none of them, or the
    /// page is not for the staff.
    pub(super) fn of(lost: &[LostGame], manifest: &Manifest, page_names: &PageNames) -> Option<Self> {
        if !page_names.shows_names() {
            return None;
        }
        let losses = common_losses(lost, manifest);
        let groups = losses.groups.iter().map(|group| group_view(group, page_names)).collect();
        (losses.lost > 0).then_some(Self { lost: losses.lost, groups })
    }
}

fn group_view(group: &LossGroup, page_names: &PageNames) -> LossGroupView {
    let example = |game: &LostGame| {
        let id = page_names.id(&game.id)?.to_owned();
        Some(LossExampleView { id, loser: page_names.name(&game.loser), turn: game.turn })
    };
    LossGroupView {
        words: loss_group_sentence(group),
        is_part: matches!(group.kind, LossKind::MistakeIn { .. }),
        examples: group.examples.iter().filter_map(example).collect(),
    }
}
