//! Which languages the tests can count on.
#![allow(
    dead_code,
    unused_imports,
    clippy::allow_attributes,
    reason = "each test file uses another part of it, so that it is dead code in the others"
)]

use std::sync::LazyLock;

use referee_submissions::agents::{CppStandard, Language, PythonVersion, Toolchain};

use crate::skips;

pub(crate) const PYTHON2: Language = Language::Python(PythonVersion::Two);
pub(crate) const PYTHON3: Language = Language::Python(PythonVersion::Three);
pub(crate) const CPP: Language = Language::Cpp(CppStandard::Cpp17);
pub(crate) const JAVA: Language = Language::Java;

static TOOLS: LazyLock<Toolchain> = LazyLock::new(Toolchain::from_environment);

/// Whether this machine can run programs in `language`. If not, the test is said to be skipped.
pub(crate) fn has(language: Language) -> bool {
    let missing = match language {
        Language::Python(version) => TOOLS.python(version).err(),
        Language::Cpp(_) => TOOLS.cpp_compiler().err(),
        Language::Java => TOOLS.java_compiler().err(),
    };
    let Some(tool) = missing else { return true };
    let need = if language == PYTHON2 { &skips::PYTHON2 } else { &skips::TOOLS };
    skips::skip(need, tool);
    false
}

/// Ends the test here if this machine cannot run programs in the language.
macro_rules! require {
    ($language:expr) => {
        if !crate::toolbox::has($language) {
            return;
        }
    };
}
pub(crate) use require;
