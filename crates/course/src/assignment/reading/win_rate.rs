//! Reads the key `points_by_win_rate`: a list of bands. [`super::criteria`] calls it;
//! [`crate::assignment::WinRateBands`] checks them.

use super::POINTS_EACH;
use super::entry::RawValue;
use super::keys::BAND;
use super::table::TableReader;
use crate::assignment::{BandOrderError, BandPoints, WinRateBand, WinRateBands};

/// The bands; `None` if they contain a fault.
pub(super) fn read_bands(entry: &RawValue<'_>) -> Option<WinRateBands> {
    let elements = entry.list()?;
    if elements.is_empty() {
        entry.report_error("expected at least one band", entry.key.remedy());
        return None;
    }
    let mut bands: Vec<WinRateBand> = Vec::with_capacity(elements.len());
    for element in &elements {
        // Reads every band before giving up, so that all faults are found.
        let Some(band) = read_band(element) else { continue };
        if bands.iter().any(|other| other.from == band.from) {
            let message = format!("two bands start at {} %", band.from);
            element.report_error(message, "change one `from`, or remove one band");
            continue;
        }
        bands.push(band);
    }
    if bands.len() < elements.len() {
        return None;
    }
    let rising = WinRateBands::new(bands);
    let complain = |BandOrderError { from, earns, below }| {
        let message = format!("the band from {from} % starts at {earns} points, but the band below reaches {below}");
        entry.report_error(message, "a higher win rate must not earn fewer points");
    };
    rising.map_err(complain).ok()
}

fn read_band(element: &RawValue<'_>) -> Option<WinRateBand> {
    let table = TableReader::new(&BAND, Some(element.table()?), element.at.clone(), element.report);
    table.refuse_other_keys();
    let from = table.require("from").and_then(|from| from.integer(0..=100_u32));
    let read = |name: &str| table.get(name).map(|points| points.decimal(&POINTS_EACH));
    let earns = match (read("points"), read("points_times_rate")) {
        (Some(points), None) => points.map(BandPoints::Points),
        (None, Some(points)) => points.map(BandPoints::PointsTimesRate),
        (None, None) => {
            let message = "a band needs `points` or `points_times_rate`, and this one has neither";
            element.report_error(message, "write for example `{ from = 70, points_times_rate = 15 }`");
            None
        }
        (Some(_), Some(_)) => {
            element.report_error("a band earns `points` or `points_times_rate`, not both", "remove one of them");
            None
        }
    };
    Some(WinRateBand { from: from?, earns: earns? })
}
