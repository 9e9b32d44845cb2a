//! What a course asks of an agent.
//!
//! - [`assignment`]: parses and checks the file of an assignment.
//! - [`grading`]: plans, grades, and explains the points that submissions earn.
//! - [`check`]: checks a submission before it is handed in.

#![cfg_attr(test, expect(clippy::unwrap_used, reason = "a test fails by a panic"))]

pub mod assignment;
pub mod check;
pub mod grading;
