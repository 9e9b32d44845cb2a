//! Assignment files. (Another builder's room; here only its points.)

mod points;

pub use points::{NotPoints, Points};
