//! Runs as pages.
//!
//! - [`report`]: a run as one HTML page.
//! - [`serve`]: serves the page of a running run over HTTP, and one on which a person plays.

#![cfg_attr(test, expect(clippy::unwrap_used, reason = "a test fails by a panic"))]

pub mod report;
pub mod serve;
