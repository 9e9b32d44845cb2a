//! Reads the value of one key with the expected type; reports any other value and returns nothing. It knows no keys;
//! the readers of its parent module call it.

use std::fmt::Display;
use std::ops::{Range, RangeInclusive};
use std::str::FromStr;

use serde::Deserialize;
use serde::de::IntoDeserializer;
use toml::de::{DeTable, DeValue};

use super::diagnostics::Diagnostics;
use super::keys::{KeySpec, in_backticks, nearest};
use referee_games::protocol::{plain, quote};

/// More characters than a title needs.
const LONGEST_LINE: usize = 200;

/// The value of one key.
pub(super) struct RawValue<'a> {
    pub(super) key: &'static KeySpec,
    pub(super) value: &'a DeValue<'a>,
    pub(super) at: Range<usize>,
    pub(super) report: &'a Diagnostics<'a>,
}

impl<'a> RawValue<'a> {
    /// A text.
    pub(super) fn text(&self) -> Option<&'a str> {
        match self.value {
            DeValue::String(text) => Some(text),
            _ => self.unexpected(),
        }
    }

    /// A text accepted by `is_fit`.
    pub(super) fn checked_text(&self, is_fit: impl FnOnce(&str) -> bool) -> Option<&'a str> {
        let text = self.text()?;
        if is_fit(text) { Some(text) } else { self.unexpected() }
    }

    /// A nonempty text of one line.
    pub(super) fn line(&self) -> Option<String> {
        let is_line = |text: &str| {
            let is_short = text.chars().count() <= LONGEST_LINE;
            !text.trim().is_empty() && is_short && !text.chars().any(char::is_control)
        };
        self.checked_text(is_line).map(|text| text.trim().to_owned())
    }

    /// A text that `T` parses; otherwise reports its error.
    pub(super) fn parsed<T: FromStr<Err: Display>>(&self) -> Option<T> {
        let parsed = self.text()?.parse();
        parsed.map_err(|error: T::Err| self.report_error(plain(&error.to_string()), self.key.remedy())).ok()
    }

    /// One of `words`.
    pub(super) fn word<T: Copy>(&self, words: &[(&str, T)]) -> Option<T> {
        let text = self.text()?;
        let found = words.iter().find(|(word, _)| *word == text);
        if found.is_none() {
            let names: Vec<_> = words.iter().map(|(word, _)| *word).collect();
            self.not_one_of(text, &names);
        }
        found.map(|(_, meant)| *meant)
    }

    /// A variant of `T`, by its name in records.
    pub(super) fn variant<T: Deserialize<'a>>(&self) -> Option<T> {
        let text = self.text()?;
        let read = T::deserialize(text.into_deserializer());
        read.map_err(|UnknownVariant(names)| self.not_one_of(text, names)).ok()
    }

    /// An integer in the range `allowed`.
    pub(super) fn integer<T: TryFrom<u64> + PartialOrd>(&self, allowed: RangeInclusive<T>) -> Option<T> {
        let DeValue::Integer(integer) = self.value else {
            return self.unexpected();
        };
        let number = u64::from_str_radix(integer.as_str(), integer.radix()).ok();
        let number = number.and_then(|number| T::try_from(number).ok());
        number.filter(|number| allowed.contains(number)).or_else(|| self.unexpected())
    }

    /// A number of seconds or points in the range `allowed`, possibly with decimals.
    pub(super) fn decimal<T: FromStr + PartialOrd>(&self, allowed: &RangeInclusive<T>) -> Option<T> {
        let digits = match self.value {
            DeValue::Float(float) => float.as_str(),
            DeValue::Integer(integer) if integer.radix() == 10 => integer.as_str(),
            _ => return self.unexpected(),
        };
        digits.parse().ok().filter(|number| allowed.contains(number)).or_else(|| self.unexpected())
    }

    /// The elements of a list, each as a value of the same key; `None`, without a fault, if it is no list.
    pub(super) fn elements(&self) -> Option<Vec<Self>> {
        let elements = self.value.as_array()?.iter().map(|element| Self {
            key: self.key,
            value: element.get_ref(),
            at: element.span(),
            report: self.report,
        });
        Some(elements.collect())
    }

    /// The elements of a required list.
    pub(super) fn list(&self) -> Option<Vec<Self>> {
        self.elements().or_else(|| self.unexpected())
    }

    /// A table that occurs once.
    pub(super) fn table(&self) -> Option<&'a DeTable<'a>> {
        match self.value {
            DeValue::Table(table) => Some(table),
            _ => self.unexpected(),
        }
    }

    /// Reports the value as wrong, with `message`.
    pub(super) fn report_error(&self, message: impl Display, remedy: impl Into<String>) {
        let message = format!("`{}`: {message}", self.key.name);
        self.report.add(self.at.clone(), message, remedy);
    }

    fn not_one_of(&self, found: &str, words: &[&str]) {
        let message = format!("expected {}, found {}", in_backticks(words, "or"), quote(found.as_bytes()));
        match nearest(found, words) {
            Some(meant) => self.report_error(message, format!("write `{} = \"{meant}\"`", self.key.name)),
            None => self.report_error(message, self.key.remedy()),
        }
    }

    /// Reports the value as none that is expected.
    pub(super) fn unexpected<T>(&self) -> Option<T> {
        let message = format!("expected {}, found {}", self.key.expected, shown(self.value));
        self.report_error(message, self.key.remedy());
        None
    }
}

fn shown(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => format!("the text {}", quote(text.as_bytes())),
        DeValue::Integer(integer) => quote(integer.to_string().as_bytes()),
        DeValue::Float(float) => quote(float.as_str().as_bytes()),
        DeValue::Boolean(boolean) => format!("`{boolean}`"),
        DeValue::Datetime(_) => "a date".to_owned(),
        DeValue::Array(_) => "a list".to_owned(),
        DeValue::Table(_) => "a table".to_owned(),
    }
}

/// Serde's error about an unknown variant, of which only the list of variants is used.
#[derive(Debug, thiserror::Error)]
#[error("expected one of {0:?}")]
struct UnknownVariant(&'static [&'static str]);

impl serde::de::Error for UnknownVariant {
    fn custom<T: Display>(_: T) -> Self {
        Self(&[])
    }

    fn unknown_variant(_: &str, expected: &'static [&'static str]) -> Self {
        Self(expected)
    }
}
