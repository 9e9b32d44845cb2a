//! Names of files for students.

use std::collections::BTreeSet;

use crate::grading::Gradebook;

/// The longest name, in characters, without what makes it unique.
const LONGEST: usize = 80;

/// A name for each student's file, without its extension, in the order of the gradebook.
///
/// Each is fit for every common file system, and none equals another even where letter case does not count.
pub fn file_names(gradebook: &Gradebook) -> Vec<String> {
    let mut taken = BTreeSet::new();
    let names = gradebook.students.iter().map(|student| fit(&student.name));
    names
        .map(|name| {
            let further = (2..).map(|number| format!("{name}-{number}"));
            let free = std::iter::once(name.clone())
                .chain(further)
                .find(|name| taken.insert(name.to_lowercase()));
            free.expect("there are more numbers than students")
        })
        .collect()
}

fn fit(name: &str) -> String {
    let allowed = |character: char| character.is_alphanumeric() || " -_.+,=@".contains(character);
    let fit: String = name
        .chars()
        .map(|character| if allowed(character) { character } else { '_' })
        .take(LONGEST)
        .collect();
    let fit = fit.trim_start_matches(['.', ' ', '-']).trim_end_matches(['.', ' ']);
    if fit.is_empty() {
        "student".to_owned()
    } else {
        fit.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_leaves_its_folder() {
        for (name, expected) in [
            ("ada", "ada"),
            ("../../etc/passwd", "_.._etc_passwd"),
            ("-rf", "rf"),
            ("", "student"),
            ("..", "student"),
            ("a\0b\x1b", "a_b_"),
        ] {
            assert_eq!(fit(name), expected);
        }
    }
}
