//! A run as one page that opens from a disk, in a mail, on a course site: no server, no network.
//!
//! For: the view model ([`PageView`] and a [`ReplayView`] for each game), a function of the records, and the HTML file
//! that holds it ([`page()`], [`write_report`]). The page's script shows the model and knows no rules: every board is
//! computed here. Deliberately not here: anything that is counted or worded; standings, grades and sentences come from
//! their own rooms.
//!
//! What must always hold: whatever an agent wrote is data of the page and never markup; the page asks for nothing from
//! anywhere but the files beside it; under pseudonyms no text of an agent's or a student's making is left in the model,
//! and on a student's own page no text of another's.

mod agents;
mod anonymization;
mod assemble;
mod board;
mod bracket;
mod bundle;
mod grades;
mod ledger;
mod live;
mod page;
mod replay;
mod script;
mod view;
mod write;

pub use anonymization::{Lot, Naming};
pub use assemble::{Report, ReportError, report};
pub use board::{board_of, cells};
pub use ledger::{Ledger, Stand};
pub use live::{LiveOver, LiveView};
pub use page::{TurnSource, page};
pub(crate) use script::{Module, script};
pub use view::{
    AgentView, Bin, Board, BracketMatchView, BracketSlot, BracketView, Camps, CriterionView, EndingView, Fact, GOES_ON,
    GameView, GradedItem, Grades, LeftBehind, MeetingView, OpponentView, PageView, PieceView, Rating, Rejected,
    ReplayView, RoundView, Showing, SideWords, Spread, Student, VIEW_SCHEMA,
};
pub use write::{MOST_BYTES_INSIDE, MOST_GAMES_INSIDE, write_report};
