//! Collects the faults of one file while it is read. The readers of its parent module call it.

use std::cell::RefCell;
use std::ops::Range;
use std::path::Path;

use super::super::fault::{AssignmentError, ErrorSpan};

/// The text of an assignment with the faults found so far.
///
/// Reading continues after a fault, so that all of them are reported together. A reader of a wrong value gets nothing
/// and continues with any default: the assignment is returned only without faults.
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

    /// Adds a fault at the bytes `at` of the assignment.
    pub(super) fn add(&self, at: Range<usize>, message: impl Into<String>, remedy: impl Into<String>) {
        self.faults.borrow_mut().push(AssignmentError {
            file: self.file.to_owned(),
            place: Some(ErrorSpan::of(self.text, at)),
            message: message.into(),
            remedy: remedy.into(),
        });
    }

    /// Adds faults of other files. A fault without a place gets the place where the assignment names the file.
    pub(super) fn extend_at(&self, at: &Range<usize>, faults: Vec<AssignmentError>) {
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
