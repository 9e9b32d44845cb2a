//! What was built once is not built again, unless there is a reason to.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use referee_submissions::agents::{Agent, AgentBuilder, AgentError, AgentSpec, Toolchain};
use referee_time::WallTime;

use crate::builder::builder;
use crate::toolbox::{PYTHON3, require};

/// An agent builder whose compiler is a script: it makes programs of what follows `//` in the first line.
struct FakeCompiler {
    place: tempfile::TempDir,
    builder: AgentBuilder,
}

/// Fails if the source says so; each program that it makes is another one, so that one can be told from another.
const COMPILER: &str = r##"#!/bin/sh
[ "$1" = --version ] && { cat "${0%/*}/version"; exit; }
for word; do last=$word; done
read -r _ first < "$last"
echo "said of $first"
[ "$first" = bad ] && exit 1
[ "$first" = slow ] && sleep 600
while [ "$1" != -o ]; do shift; done
{ echo "#!/bin/sh"; echo "printf '$first' > output.txt"; echo "# $$"
  head -c 16 /dev/urandom | od -An -tx1 | sed 's/^/#/'; } > "$2"
"##;

impl FakeCompiler {
    fn new() -> Self {
        let place = tempfile::tempdir().unwrap();
        let bin = place.path().join("bin");
        fs::create_dir_all(&bin).unwrap();
        fs::write(bin.join("g++"), COMPILER).unwrap();
        fs::set_permissions(bin.join("g++"), fs::Permissions::from_mode(0o755)).unwrap();
        fs::write(bin.join("version"), "1").unwrap();
        let mut builder = builder();
        builder.toolchain = Toolchain::in_folders(vec![bin]);
        builder.cache = Some(place.path().join("cache"));
        Self { place, builder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.place.path().join(name)
    }

    fn submission(&self, first: &str) -> PathBuf {
        let folder = self.path(&format!("submission-{first}"));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("homework.cpp"), format!("// {first}\n")).unwrap();
        folder
    }

    fn prepare(&self, path: &Path) -> Result<(Agent, Vec<u8>), AgentError> {
        let build = tempfile::tempdir_in(self.place.path()).unwrap();
        let agent = self.builder.prepare(&AgentSpec::of_path(path), build.path())?;
        let program = PathBuf::from(&agent.program_for(referee_games::checkers::ID, 0).command[0]);
        let content = fs::read(program).unwrap();
        Ok((agent, content))
    }

    /// What is made of it: no two runs of the compiler make the same.
    fn made(&self, path: &Path) -> Vec<u8> {
        self.prepare(path).unwrap().1
    }

    fn entries(&self) -> Vec<PathBuf> {
        let Ok(entries) = fs::read_dir(self.path("cache")) else {
            return vec![];
        };
        entries.map(|entry| entry.unwrap().path()).collect()
    }
}

#[test]
fn the_same_sources_are_compiled_once() {
    let fake = FakeCompiler::new();
    let ada = fake.submission("ada");
    let (agent, first) = fake.prepare(&ada).unwrap();
    assert_eq!(agent.compiler_output.as_deref(), Some("said of ada"));
    let (again, second) = fake.prepare(&ada).unwrap();
    assert!(first == second, "it was compiled again");
    assert_eq!(
        (&again.digest, &again.remarks, &again.compiler_output),
        (&agent.digest, &agent.remarks, &agent.compiler_output)
    );
    // The same sources of another student; and what an editor has left among them.
    let copy = fake.path("copy");
    fs::create_dir_all(copy.join("__pycache__")).unwrap();
    fs::copy(ada.join("homework.cpp"), copy.join("homework.cpp")).unwrap();
    fs::write(copy.join(".DS_Store"), "x").unwrap();
    assert!(fake.made(&copy) == first);
    assert!(fake.made(&fake.submission("bob")) != first);
}

#[test]
fn without_a_cache_everything_is_compiled_each_time() {
    let mut fake = FakeCompiler::new();
    fake.builder.cache = None;
    let ada = fake.submission("ada");
    assert!(fake.made(&ada) != fake.made(&ada));
    assert!(fake.entries().is_empty());
}

#[test]
fn other_sources_and_another_compiler_are_another_build() {
    let mut fake = FakeCompiler::new();
    let ada = fake.submission("ada");
    let first = fake.made(&ada);
    fs::write(ada.join("data.txt"), "1").unwrap();
    let second = fake.made(&ada);
    assert!(first != second);
    fs::write(fake.path("bin/version"), "2").unwrap();
    fake.builder.toolchain = Toolchain::in_folders(vec![fake.path("bin")]);
    let third = fake.made(&ada);
    assert!(second != third);
    assert_eq!(fake.entries().len(), 3);
}

#[test]
fn a_torn_entry_is_built_anew_and_mended() {
    let fake = FakeCompiler::new();
    let ada = fake.submission("ada");
    let first = fake.made(&ada);
    let [entry] = fake.entries().try_into().unwrap();
    let whole = fs::read(&entry).unwrap();
    for torn in [&whole[..whole.len() - 7], b"", b"garbage"] {
        fs::write(&entry, torn).unwrap();
        let mended = fake.made(&ada);
        assert!(mended != first);
        assert!(fake.made(&ada) == mended);
    }
}

#[test]
fn a_fault_of_the_program_is_kept_and_a_time_out_is_not() {
    let mut fake = FakeCompiler::new();
    let bad = fake.submission("bad");
    let text = |error: AgentError| error.to_string();
    let first = text(fake.prepare(&bad).unwrap_err());
    assert!(first.ends_with("said of bad"), "{first}");
    assert_eq!(fake.entries().len(), 1);
    // A compiler that would take it now.
    let mild = COMPILER.replace("= bad", "= never");
    fs::write(fake.path("bin/g++"), mild).unwrap();
    assert_eq!(text(fake.prepare(&bad).unwrap_err()), first);

    fake.builder.compile_limit.waiting = WallTime::from_millis(200);
    let slow = fake.submission("slow");
    let error = fake.prepare(&slow).unwrap_err();
    assert_eq!(error.finding().unwrap().code, "build-too-slow");
    assert_eq!(fake.entries().len(), 1);
}

#[test]
fn many_at_once_do_not_disturb_each_other() {
    let fake = FakeCompiler::new();
    let ada = fake.submission("ada");
    let made: Vec<Vec<u8>> = std::thread::scope(|scope| {
        let builders: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| {
                    let mut builder = builder();
                    builder.toolchain = Toolchain::in_folders(vec![fake.path("bin")]);
                    builder.cache = Some(fake.path("cache"));
                    let build = tempfile::tempdir().unwrap();
                    let agent = builder.prepare(&AgentSpec::of_path(&ada), build.path()).unwrap();
                    fs::read(&agent.program_for(referee_games::checkers::ID, 0).command[0]).unwrap()
                })
            })
            .collect();
        builders.into_iter().map(|builder| builder.join().unwrap()).collect()
    });
    assert_eq!(fake.entries().len(), 1);
    assert!(made.contains(&fake.made(&ada)), "the last one to finish is kept");
}

#[test]
fn the_modules_of_python_are_kept_compiled() {
    require!(PYTHON3);
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("ada");
    fs::create_dir_all(folder.join("deep")).unwrap();
    fs::write(folder.join("homework.py"), "import game, deep.tree\n").unwrap();
    fs::write(folder.join("game.py"), "X = 1\n").unwrap();
    fs::write(folder.join("deep/tree.py"), "Y = 1\n").unwrap();
    let mut builder = builder();
    builder.cache = Some(place.path().join("cache"));
    let modules = |build: &str| {
        let build = place.path().join(build);
        builder.prepare(&AgentSpec::of_path(&folder), &build).unwrap();
        ["sources/__pycache__", "sources/deep/__pycache__"].map(|cache| {
            let [module] = fs::read_dir(build.join(cache))
                .unwrap()
                .map(|entry| entry.unwrap().path())
                .collect::<Vec<_>>()
                .try_into()
                .unwrap();
            fs::read(module).unwrap()
        })
    };
    let first = modules("one");
    assert!(first == modules("two"));
    // Python believes a compiled module that names the time and the length of its source.
    let source = place.path().join("two/sources/game.py");
    let changed = fs::metadata(&source).unwrap().modified().unwrap();
    let seconds = changed.duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
    assert_eq!(first[0][8..12], u32::try_from(seconds).unwrap().to_le_bytes());
    assert_eq!(first[0][12..16], 6_u32.to_le_bytes());
}
