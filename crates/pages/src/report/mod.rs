//! A run as one HTML page that opens from a disk, an e-mail or a course site: no server, no network.
//!
//! It computes the view model ([`PageView`], and a [`ReplayView`] per game) from records, and writes the HTML file that
//! contains it ([`page()`], [`write_report`]). The page's script shows the model and knows no rules: every board is
//! computed here. Counting and wording belong to other crates. `cli/report` and `serve` call it.
//!
//! Text from an agent must be data of the page, never markup. The page must request nothing except the files beside it.
//! Under pseudonyms, the model must contain no text by an agent or a student; on a student's own page, none by others.

mod agents;
mod analysis;
mod anonymization;
mod assemble;
mod board;
mod bracket;
mod bundle;
mod counted_games;
mod finished_game;
mod grades;
mod ladder;
mod ledger;
mod live;
mod losses;
mod page;
mod rated_ladder;
mod replay;
mod script;
mod view;
mod write;

pub use anonymization::{AnonymousRng, Naming};
pub use assemble::{Report, ReportError, ReportSource};
pub use board::{board_of, cells};
pub use ladder::ShownRun;
pub use ledger::{Ledger, RunSnapshot};
pub use live::{LiveOver, LiveView};
pub use losses::{LossExampleView, LossGroupView, LossesView};
pub use page::{TurnSource, page};
pub(crate) use script::{Module, script};
pub use view::{
    AgentResults, AgentView, Bin, Board, BracketMatchView, BracketSlot, BracketView, CriterionView, Distribution,
    EndingView, Fact, GameView, GradedItem, Grades, LadderView, MeetingView, OpponentView, PageView,
    ParticipantResults, ParticipantView, PieceView, PositionView, Rating, RejectedView, ReplayView, RoundView, Student,
    TurnOutput, VIEW_SCHEMA, VersionView,
};
pub use write::{MAX_GAMES_INSIDE, whole_page, write_report};
