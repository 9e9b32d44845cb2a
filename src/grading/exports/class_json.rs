//! `gradebook.json`: all of the gradebook, for programs.
//!
//! The keys are those of [`Gradebook`], with its units (`_cpu_us`: microseconds of CPU time); texts stand as they were
//! found, so that whoever shows them escapes them.

use serde::Serialize;

use super::json_text;
use crate::grading::Gradebook;

/// The version of the format. It goes up with every change that an older reader would misread.
pub const GRADEBOOK_SCHEMA: u32 = 1;

#[derive(Serialize)]
struct Versioned<'a> {
    schema: u32,
    #[serde(flatten)]
    gradebook: &'a Gradebook,
}

/// The gradebook, with the number of its format under `schema`.
pub fn class_json(gradebook: &Gradebook) -> String {
    json_text(&Versioned {
        schema: GRADEBOOK_SCHEMA,
        gradebook,
    })
}
