//! `gradebook.json`: the whole gradebook for programs. A pure function; [`super::export_all`] calls it.
//!
//! The keys are those of [`Gradebook`], with units (`_cpu_us`: microseconds of CPU time). Texts are not escaped;
//! programs that show them must escape them.

use serde::Serialize;

use super::json_text;
use crate::grading::Gradebook;

/// The version of the format. It must increase with every change that an older reader would misread.
pub const GRADEBOOK_SCHEMA: u32 = 1;

#[derive(Serialize)]
struct Versioned<'a> {
    schema: u32,
    #[serde(flatten)]
    gradebook: &'a Gradebook,
}

/// The gradebook, with the number of its format under `schema`.
pub fn class_json(gradebook: &Gradebook) -> String {
    json_text(&Versioned { schema: GRADEBOOK_SCHEMA, gradebook })
}
