//! What students hand in and what comes of it: classes, verdicts on bad submissions, and builds that are kept.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

mod cache;
mod calibration;
mod faults;
