//! Reads one table of the file key by key, and refuses unknown keys. It knows no section by itself; the readers of its
//! parent module call it.

use std::ops::{Range, RangeInclusive};
use std::str::FromStr;

use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::diagnostics::Diagnostics;
use super::entry::RawValue;
use super::keys::{FileSection, KeySpec, remedy_for};
use referee_games::protocol::quote;

/// A table being read.
pub(super) struct TableReader<'a> {
    /// Its name in messages.
    heading: &'static str,
    /// The sections whose keys it may have.
    sections: Vec<&'static FileSection>,
    /// `None` for an omitted table.
    entries: Option<&'a DeTable<'a>>,
    /// The place of its header.
    pub(super) header: Range<usize>,
    pub(super) report: &'a Diagnostics<'a>,
}

impl<'a> TableReader<'a> {
    /// The table `entries` with its header at `header`, and the keys of `section`.
    pub(super) fn new(
        section: &'static FileSection,
        entries: Option<&'a DeTable<'a>>,
        header: Range<usize>,
        report: &'a Diagnostics<'a>,
    ) -> Self {
        Self { heading: section.heading, sections: vec![section], entries, header, report }
    }

    /// The same table, which may also have the keys of `section`.
    pub(super) fn with(mut self, section: &'static FileSection) -> Self {
        self.sections.push(section);
        self
    }

    /// The same table, recognized as one of `section`.
    pub(super) fn known_as(self, section: &'static FileSection) -> Self {
        Self { heading: section.heading, ..self.with(section) }
    }

    /// The value of `name`, if it is present and one of the table's keys.
    pub(super) fn get(&self, name: &str) -> Option<RawValue<'a>> {
        let key = self.find(name)?;
        let value: &Spanned<DeValue<'a>> = self.entries?.get(name)?;
        Some(RawValue { key, value: value.get_ref(), at: value.span(), report: self.report })
    }

    /// The whole number `name`, if present.
    pub(super) fn integer<T: TryFrom<u64> + PartialOrd>(&self, name: &str, allowed: RangeInclusive<T>) -> Option<T> {
        self.get(name)?.integer(allowed)
    }

    /// The number `name`, possibly with decimals, if present.
    pub(super) fn decimal<T: FromStr + PartialOrd>(&self, name: &str, allowed: &RangeInclusive<T>) -> Option<T> {
        self.get(name)?.decimal(allowed)
    }

    /// The variant of an enum `name`, if present.
    pub(super) fn variant<T: Deserialize<'a>>(&self, name: &str) -> Option<T> {
        self.get(name)?.variant()
    }

    /// The value of `name`, which must be present.
    pub(super) fn require(&self, name: &str) -> Option<RawValue<'a>> {
        let found = self.get(name);
        if found.is_none() {
            let message = format!("`{name}` is missing in {}", self.heading);
            let key = self.find(name).expect("only keys of the list are required");
            self.report.add(self.header.clone(), message, key.remedy());
        }
        found
    }

    /// The table under `name`, with only the keys of `section`; an empty one if it is omitted.
    pub(super) fn table(&self, name: &str, section: &'static FileSection) -> Self {
        let entry = self.get(name);
        let header = entry.as_ref().map_or_else(|| self.header.clone(), |entry| entry.at.clone());
        let table = Self::new(section, entry.and_then(|entry| entry.table()), header, self.report);
        table.refuse_other_keys();
        table
    }

    /// Reports every key that belongs to no section of this table.
    pub(super) fn refuse_other_keys(&self) {
        for (key, _) in self.entries.into_iter().flatten() {
            let name: &str = key.get_ref();
            if self.find(name).is_none() {
                let message = format!("unknown key {} in {}", quote(name.as_bytes()), self.heading);
                self.report.add(key.span(), message, remedy_for(name, &self.sections));
            }
        }
    }

    fn find(&self, name: &str) -> Option<&'static KeySpec> {
        let mut keys = self.sections.iter().flat_map(|section| section.keys);
        keys.find(|key| key.name == name)
    }
}
