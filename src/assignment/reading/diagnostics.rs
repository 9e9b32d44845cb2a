//! Where the faults of one file are gathered while it is read.

use std::cell::RefCell;
use std::ops::Range;
use std::path::Path;

use super::super::fault::{AssignmentError, ErrorSpan};

/// The text of an assignment and what has been found wrong with it so far.
///
/// Reading goes on after a fault, so that all of them are told at once; whoever reads something that is wrong gets
/// nothing for it, and goes on with any value at all: what is read is given away only where there is no fault.
pub(super) struct Diagnostics<'a> {
    file: &'a Path,
    text: &'a str,
    faults: RefCell<Vec<AssignmentError>>,
}

impl<'a> Diagnostics<'a> {
    pub(super) const fn new(file: &'a Path, text: &'a str) -> Self {
        let faults = RefCell::new(Vec::new());
        Self { file, text, faults }
    }

    /// Adds a fault of the assignment at the bytes `at` of it.
    pub(super) fn add(&self, at: Range<usize>, message: impl Into<String>, remedy: impl Into<String>) {
        self.faults.borrow_mut().push(AssignmentError {
            file: self.file.to_owned(),
            place: Some(ErrorSpan::of(self.text, at)),
            message: message.into(),
            remedy: remedy.into(),
        });
    }

    /// Adds faults of other files. One that has no place of its own is placed where the assignment names the file.
    pub(super) fn adopt(&self, at: &Range<usize>, faults: Vec<AssignmentError>) {
        for fault in faults {
            if fault.place.is_some() {
                self.faults.borrow_mut().push(fault);
            } else {
                self.add(at.clone(), fault.message, fault.remedy);
            }
        }
    }

    pub(super) fn into_faults(self) -> Vec<AssignmentError> {
        self.faults.into_inner()
    }
}
