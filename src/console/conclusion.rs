//! How a competition ended, as a table.

use super::sheet::{Cell, Sheet};
use crate::tournament::{Conclusion, Merit};
use crate::wording::Look;

/// The final ranking, with what each place was given for.
pub fn conclusion_text(conclusion: &Conclusion, look: Look) -> String {
    let merits = conclusion
        .ranking
        .first()
        .map(|place| place.merits.as_slice())
        .unwrap_or_default();
    let head = ["rank", "agent"].into_iter().chain(merits.iter().map(name));
    let mut sheet = Sheet::new(head);
    for place in &conclusion.ranking {
        let merits = place.merits.iter().map(|merit| Cell::number(value(merit)));
        sheet.push(
            [Cell::number(place.rank), Cell::text(&place.player)]
                .into_iter()
                .chain(merits)
                .collect(),
        );
    }
    sheet.to_terminal(look)
}

const fn name(merit: &Merit) -> &'static str {
    match merit {
        Merit::Rounds(_) => "rounds survived",
        Merit::HalfPoints(_) => "points",
        Merit::Margin(_) => "margin",
        Merit::Buchholz(_) => "Buchholz",
        Merit::SonnebornBerger(_) => "Sonneborn-Berger",
    }
}

#[expect(clippy::cast_precision_loss, reason = "sums of points are small")]
fn value(merit: &Merit) -> String {
    match merit {
        Merit::Rounds(rounds) => rounds.to_string(),
        Merit::HalfPoints(points) => (f64::from(*points) / 2.0).to_string(),
        Merit::Margin(points) => (*points as f64 / 2.0).to_string(),
        Merit::Buchholz(points) => (*points as f64 / 2.0).to_string(),
        Merit::SonnebornBerger(points) => (*points as f64 / 4.0).to_string(),
    }
}
