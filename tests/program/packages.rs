//! What `dist.sh` packs, with the binary under test instead of one of its own, which takes minutes to build.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::invocation::{assert_contains, stderr, stdout, words};
use crate::skips::{TOOLS, skip};

/// Packs into a new directory under this umask; `None` if the machine lacks a tool.
fn packed(umask: &str) -> Option<TempDir> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    if !root.join(".git").exists() || Command::new("python3").arg("--version").output().is_err() {
        skip(&TOOLS, "dist.sh packs a clone of the repository and needs git and Python 3");
        return None;
    }
    let out = TempDir::new().unwrap();
    let binary = out.path().join("small");
    fs::write(&binary, format!("#!/bin/bash\nexec -a referee '{}' \"$@\"\n", env!("CARGO_BIN_EXE_referee"))).unwrap();
    fs::set_permissions(&binary, fs::Permissions::from_mode(0o700)).unwrap();
    let output = Command::new("sh")
        .args(["-c", &format!("umask {umask}; exec packaging/dist.sh --without-site")])
        .env("OUT", out.path().join("dist"))
        .env("REFEREE_BINARY", &binary)
        .current_dir(root)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}{}", stdout(&output), stderr(&output));
    Some(out)
}

fn archive(out: &TempDir) -> PathBuf {
    let entries = fs::read_dir(out.path().join("dist")).unwrap();
    let mut paths = entries.map(|entry| entry.unwrap().path());
    paths.find(|path| path.extension().is_some_and(|ending| ending == "gz")).unwrap()
}

fn sums(out: &TempDir) -> String {
    let host = Command::new("rustc").arg("-vV").output().unwrap();
    let host = stdout(&host);
    let host = host.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
    fs::read_to_string(out.path().join("dist/SHA256SUMS-".to_owned() + host)).unwrap()
}

/// The files below a directory, as paths from it.
fn files(root: &Path) -> BTreeSet<PathBuf> {
    let mut files = BTreeSet::new();
    let mut open = vec![root.to_owned()];
    while let Some(folder) = open.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() && !path.is_symlink() {
                open.push(path);
            } else {
                files.insert(path.strip_prefix(root).unwrap().to_owned());
            }
        }
    }
    files
}

/// The links of the pages below `root` that lead nowhere.
fn dead_links(root: &Path) -> Vec<String> {
    let mut dead = Vec::new();
    let is_page = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "md");
    for page in files(root).into_iter().filter(is_page) {
        let text = fs::read_to_string(root.join(&page)).unwrap();
        let links = text.split("```").step_by(2).flat_map(|outside_code| outside_code.split("](").skip(1));
        for link in links.filter_map(|rest| rest.split([')', '#']).next()) {
            if !link.contains("://") && !root.join(&page).parent().unwrap().join(link).exists() {
                dead.push(format!("{}: {link}", page.display()));
            }
        }
    }
    dead
}

#[test]
#[ignore = "long: packs a release"]
fn a_package_has_what_a_user_needs_and_is_the_same_each_time() {
    let (Some(first), Some(second)) = (packed("022"), packed("077")) else {
        return;
    };
    assert_eq!(sums(&first), sums(&second));
    let archive = archive(&first);
    let version = env!("CARGO_PKG_VERSION");
    let name = archive.file_name().unwrap().to_str().unwrap();
    assert!(name.starts_with(&format!("referee-{version}-")), "{name}");
    let unpacked = TempDir::new().unwrap();
    let tar = Command::new("tar").arg("-xzf").arg(&archive).current_dir(unpacked.path()).status().unwrap();
    assert!(tar.success());
    let tree = fs::read_dir(unpacked.path()).unwrap().next().unwrap().unwrap().path();
    let contents = files(&tree);
    let needed = words(
        "referee man/man1/referee.1 man/man1/referee-grade.1 completions/_referee completions/referee.bash \
         completions/referee.fish LICENSE-APACHE LICENSE-MIT THIRD-PARTY.txt containers/Containerfile.student \
         .devcontainer/devcontainer.json \
         tournaments/samples/star-circle-2018/good/homework3.py agents/checkers-python/homework.py \
         examples/rules/referee_rules.py examples/rules/kalah.py docs/grading.md",
        &[],
    );
    let missing: Vec<&str> = needed.into_iter().filter(|path| !contents.contains(Path::new(path))).collect();
    assert!(missing.is_empty(), "{missing:?} of {contents:?}");
    assert_eq!(dead_links(&tree), Vec::<String>::new());
    let build = fs::read_to_string(tree.join("BUILD.txt")).unwrap();
    assert!(build.starts_with("commit: ") && build.contains("\nLLVM version: "), "{build}");

    let script = fs::read_to_string(tree.join("completions/referee.bash")).unwrap();
    assert_contains(&script, "            referee -- ");
    let licenses = fs::read_to_string(tree.join("THIRD-PARTY.txt")).unwrap();
    assert!(licenses.contains("\nserde ") && !licenses.contains("\ncriterion "), "{licenses}");
    let mode = fs::metadata(tree.join("referee")).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode, 0o755);

    // Only a machine with `dpkg-deb` makes this package.
    if let Some(deb) = files(&first.path().join("dist"))
        .into_iter()
        .find(|path| path.extension().is_some_and(|ending| ending == "deb"))
    {
        let installed = TempDir::new().unwrap();
        let dpkg = Command::new("dpkg-deb")
            .arg("--extract")
            .arg(first.path().join("dist").join(deb))
            .arg(installed.path())
            .status()
            .unwrap();
        assert!(dpkg.success());
        let doc = installed.path().join("usr/share/doc/referee");
        assert!(doc.join("docs/grading.md").exists());
        assert_eq!(dead_links(&doc), Vec::<String>::new());
    }
}

/// Whoever reads only the last line of a log must not take what was not tried for what works.
#[test]
fn releases_of_debian_that_cannot_be_had_fail_in_ci() {
    let scratch = TempDir::new().unwrap();
    let folder = scratch.path();
    fs::create_dir_all(folder.join("dist/referee-0-any")).unwrap();
    fs::write(folder.join("mmdebstrap"), "#!/bin/sh\necho 'no such release' >&2\nexit 1\n").unwrap();
    fs::set_permissions(folder.join("mmdebstrap"), fs::Permissions::from_mode(0o700)).unwrap();
    let tar = "tar -czf dist/referee-0-any.tar.gz -C dist referee-0-any";
    let tar = Command::new("sh").args(["-c", tar]).current_dir(folder).status().unwrap();
    assert!(tar.success());
    let tried = |ci: &str, may_skip: &str| {
        let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
        let output = Command::new("packaging/try.sh")
            .arg(folder.join("dist"))
            .arg("roots")
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .envs([("PATH", &*path), ("CI", ci), ("REFEREE_MAY_SKIP", may_skip), ("RELEASES", "potato")])
            .output()
            .unwrap();
        (output.status.code(), stdout(&output) + &stderr(&output))
    };
    let why = "bare root folders of potato: mmdebstrap cannot make one (no such release); name others in RELEASES";
    let skipped = (Some(0), format!("skipped: {why}\n").repeat(2));
    assert_eq!(tried("", ""), skipped);
    assert_eq!(tried("true", "corpora potato"), skipped);
    let refused = format!("nothing may be skipped with CI set, but {why}, or put `potato` into REFEREE_MAY_SKIP\n");
    assert_eq!(tried("true", "corpora"), (Some(1), refused));
}

/// One function knows what may be skipped.
#[test]
fn scripts_skip_only_as_ci_allows() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut scripts = 0;
    for folder in [".ci", "packaging"] {
        for path in fs::read_dir(root.join(folder)).unwrap().map(|entry| entry.unwrap().path()) {
            let Ok(text) = fs::read_to_string(&path) else { continue };
            scripts += 1;
            let says_so = text.lines().any(|line| line.contains("echo \"skipped"));
            assert_eq!(says_so, path.ends_with(".ci/skip"), "{}", path.display());
        }
    }
    assert!(scripts > 5, "{scripts}");
}

#[test]
fn what_cannot_be_released_is_refused_before_it_is_packed() {
    let refused = |arguments: &[&str], bytes: u64| {
        let out = TempDir::new().unwrap();
        let binary = out.path().join("referee");
        // A shell takes it for no script.
        fs::write(&binary, b"\x7fELF").unwrap();
        fs::OpenOptions::new().write(true).open(&binary).unwrap().set_len(bytes).unwrap();
        let output = Command::new("packaging/dist.sh")
            .arg("--without-site")
            .args(arguments)
            .env("OUT", out.path().join("dist"))
            .env("REFEREE_BINARY", &binary)
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
        let written = fs::read_dir(out.path().join("dist")).map_or(0, Iterator::count);
        assert_eq!(written, 0);
        stderr(&output)
    };
    assert_contains(refused(&[], 9_000_000), "has 9000000 bytes, but must have fewer than 9,000,000");
    // Not for its size: it is no program.
    assert_contains(refused(&["aarch64-unknown-linux-gnu"], 8_999_999), "does not run here");
    assert_contains(
        refused(&["riscv64gc-unknown-linux-gnu"], 1),
        "the target riscv64gc-unknown-linux-gnu is not supported",
    );
}
