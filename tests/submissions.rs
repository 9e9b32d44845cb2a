//! What students hand in and what comes of it: classes, verdicts on bad submissions, and builds that are kept.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

#[path = "submissions/cache.rs"]
mod cache;
#[path = "submissions/calibration.rs"]
mod calibration;
#[path = "submissions/faults.rs"]
mod faults;
mod toolbox;
#[path = "toolbox/workshop.rs"]
mod workshop;
