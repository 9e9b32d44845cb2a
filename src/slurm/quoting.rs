//! Quotes paths for Slurm's file name patterns; [`crate::shell`] does it for the shell. `script` calls it.

/// A path as the literal part of a file name pattern (sbatch(1), "filename pattern"): 22.05 expands even the working
/// directory before a relative pattern, so a `%` in any parent folder must be doubled.
pub(super) fn pattern(path: &str) -> String {
    path.replace('%', "%%")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn a_pattern_has_no_symbol_to_replace(path in ".{0,30}") {
            let pattern = pattern(&path);
            prop_assert!(pattern.split("%%").all(|part| !part.contains('%')));
            prop_assert_eq!(pattern.replace("%%", "%"), path);
        }
    }
}
