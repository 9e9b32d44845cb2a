//! What students hand in and what comes of it: classes, verdicts on bad submissions, and builds that are kept.

mod cache;
mod calibration;
mod faults;
