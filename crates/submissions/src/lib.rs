//! From what a grader downloaded to programs that can be run.
//!
//! - [`intake`]: unpacks archives and reads the downloads of platforms.
//! - [`agents`]: builds agents from files and folders.

#![cfg_attr(test, expect(clippy::unwrap_used, reason = "a test fails by a panic"))]

pub mod agents;
pub mod intake;
