//! Reads the section `[submission]`. It looks at no submission; [`super::read`] calls it.

use toml::de::DeValue;

use super::Context;
use super::criteria::read_folder;
use super::entry::RawValue;
use super::keys::{SUBMISSION, in_backticks, nearest};
use super::table::TableReader;
use crate::assignment::SubmissionRules;
use referee_games::protocol::{plain, quote};
use referee_submissions::agents::{FileNames, Language, NamePattern};

/// The rules for submissions; the default names if the file lists none.
pub(super) fn read(top: &TableReader<'_>, context: &Context<'_>) -> SubmissionRules {
    let table = top.table("submission", &SUBMISSION);
    let calibrate = table.get("calibrate").map(|names| read_names(&names));
    let programs = table.get("programs").map(|names| {
        if matches!(names.value, DeValue::Table(table) if table.is_empty()) {
            names.report_error("expected at least one file name", names.key.remedy());
        }
        read_names(&names)
    });
    let usual = || context.game.map_or_else(FileNames::default, FileNames::of_game);
    let names = match (programs, calibrate) {
        (None, None) => usual(),
        (None, Some(calibrate)) => usual().with_calibrate(calibrate),
        (Some(programs), calibrate) => FileNames::new(programs, calibrate),
    };
    let provide = table.get("provide").and_then(|entry| {
        let folder = read_folder(&entry, context)?;
        if context.folder.is_some() && !folder.is_dir() {
            let message = format!("no directory `{}`", plain(&folder.to_string_lossy()));
            entry.report_error(message, "name the directory of the files that the course provides");
        }
        Some(folder)
    });
    let several = table.get("several_programs").and_then(|entry| entry.word(&[("refuse", false), ("first", true)]));
    SubmissionRules { names: names.with_first_counting(several.unwrap_or_default()), provide }
}

/// File names with their languages, in written order.
fn read_names(entry: &RawValue<'_>) -> Vec<(NamePattern, Language)> {
    let Some(table) = entry.table() else {
        return vec![];
    };
    let mut listed: Vec<_> = table.iter().collect();
    listed.sort_by_key(|(name, _)| name.span().start);
    let read = listed.into_iter().filter_map(|(name, value)| {
        let (text, at) = (&**name.get_ref(), name.span());
        let fault = |message: String, remedy: String| entry.report.add(at.clone(), message, remedy);
        let written = quote(text.as_bytes());
        let pattern: NamePattern = match text.parse() {
            Ok(pattern) => pattern,
            Err(error) => {
                fault(format!("{error}, found {written}"), entry.key.remedy());
                return None;
            }
        };
        let language = read_language(entry, text, value)?;
        let ending = format!(".{}", language.extension());
        if !text.ends_with(&ending) {
            let message = format!("expected a name that ends in `{ending}` for {language}, found {written}");
            fault(message, format!("write a name such as `homework{ending}`"));
            return None;
        }
        Some((pattern, language))
    });
    read.collect()
}

fn read_language(entry: &RawValue<'_>, name: &str, value: &toml::Spanned<DeValue<'_>>) -> Option<Language> {
    let word = value.get_ref().as_str();
    if let Some(language) = word.and_then(Language::of_word) {
        return Some(language);
    }
    let words = Language::WORDS.map(|(word, _)| word);
    let found = word.map_or_else(|| "something else".to_owned(), |word| quote(word.as_bytes()));
    let message = format!("expected a language ({}), found {found}", in_backticks(&words, "or"));
    let meant = word.and_then(|word| nearest(word, &words)).unwrap_or("python3");
    let name = plain(name);
    entry.report.add(value.span(), message, format!("write `\"{name}\" = \"{meant}\"`"));
    None
}
