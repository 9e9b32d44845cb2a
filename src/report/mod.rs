//! A run as one page that opens from a disk, in a mail, on a course site: no server, no network.
//!
//! For: the view model ([`View`]), a function of the records, and the HTML file that holds it ([`page()`]). The page's
//! script shows the model and knows no rules: every board is computed here. Deliberately not here: anything that is
//! counted or worded; standings, grades and sentences come from their own rooms.
//!
//! What must always hold: whatever an agent wrote is data of the page and never markup; the page asks for nothing from
//! anywhere; under pseudonyms no text of an agent's or a student's making is left in the model.

mod agents;
mod assemble;
mod board;
mod discretion;
mod game;
mod grades;
mod page;
mod view;

pub use assemble::{Report, report};
pub use board::{board_of, cells};
pub use discretion::Naming;
pub use page::page;
pub use view::{
    Against, Agent, Board, Camps, Criterion, Ending, Fact, Game, GradedItem, Grades, Meeting, PieceLook, Rating,
    Rejected, RoundView, Shape, SideWords, Spread, Student, VIEW_SCHEMA, View,
};
