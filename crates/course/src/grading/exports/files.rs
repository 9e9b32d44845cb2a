//! File names for students. It writes no files; [`super::export_all`] calls it.

use std::collections::BTreeSet;

use crate::grading::Gradebook;

/// The maximum length in characters, without the suffix that makes it unique.
const LONGEST: usize = 80;

/// The name of each student's file, without extension, in the order of the gradebook.
///
/// Each name is valid on every common file system, and they stay distinct where letter case is ignored.
pub fn file_names(gradebook: &Gradebook) -> Vec<String> {
    let mut taken = BTreeSet::new();
    let names = gradebook.students.iter().map(|student| fit(&student.name));
    names
        .map(|name| {
            let further = (2..).map(|number| format!("{name}-{number}"));
            let free = std::iter::once(name.clone()).chain(further).find(|name| taken.insert(name.to_lowercase()));
            free.expect("there are more numbers than students")
        })
        .collect()
}

fn fit(name: &str) -> String {
    let allowed = |character: char| character.is_alphanumeric() || " -_.+,=@".contains(character);
    let fit: String =
        name.chars().map(|character| if allowed(character) { character } else { '_' }).take(LONGEST).collect();
    let fit = fit.trim_start_matches(['.', ' ', '-']).trim_end_matches(['.', ' ']);
    if fit.is_empty() { "student".to_owned() } else { fit.to_owned() }
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
