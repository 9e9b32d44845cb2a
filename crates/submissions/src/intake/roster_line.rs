//! What a roster says of one student. Plain data; [`super::roster`] reads it.

/// One line of a roster; empty where it does not say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct RosterLine {
    pub(super) id: String,
    pub(super) login: String,
    pub(super) name: String,
    /// The cells of a roster that has two for a name.
    pub(super) first_name: String,
    pub(super) last_name: String,
    pub(super) email: String,
    pub(super) section: String,
    pub(super) group: String,
    /// When it was handed in: with an offset from UTC, or by the clock of the course.
    pub(super) submitted: Option<String>,
    /// A deadline of their own, with an offset from UTC.
    pub(super) deadline: Option<String>,
    pub(super) extension_minutes: Option<u32>,
    /// Late days that cost nothing.
    pub(super) late_days: Option<u32>,
}

impl RosterLine {
    /// What a person calls the student.
    pub(super) fn shown(&self) -> &str {
        let known = [&self.name, &self.login, &self.email, &self.id];
        known.into_iter().find(|text| !text.is_empty()).map_or("", String::as_str)
    }
}
