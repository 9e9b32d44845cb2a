//! Links of README, docs and the other pages lead to files and headings that exist, as do paths in backticks, and the
//! site has every page.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

/// The table of contents of the site.
const SUMMARY: &str = "docs/SUMMARY.md";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The directories with pages.
const FOLDERS: [&str; 9] =
    ["", "docs", "agents", "benches", "fuzz", "results", "tournaments", "tournaments/practice", "tournaments/samples"];

/// The directories whose files are all in the repository.
const SOURCES: [&str; 9] =
    [".ci/", "benches/", "crates/", "docs/", "examples/", "packaging/", "src/", "tests/", "tournaments/"];

/// A page, without its blocks of code.
struct Page {
    lines: Vec<String>,
}

impl Page {
    fn of(text: &str) -> Self {
        let mut in_block = false;
        let mut lines = Vec::new();
        for line in text.lines() {
            if line.trim_start().starts_with("```") {
                in_block = !in_block;
            } else if !in_block {
                lines.push(line.to_owned());
            }
        }
        Self { lines }
    }

    /// What `[...](...)` names, with the number of the line, not counting blocks of code.
    fn links(&self) -> Vec<String> {
        let of_line = |line: &String| {
            let parts: Vec<&str> = line.split("](").collect();
            let targets = parts.iter().skip(1).filter_map(|rest| rest.split(')').next());
            targets.map(str::to_owned).collect::<Vec<_>>()
        };
        self.lines.iter().flat_map(of_line).collect()
    }

    /// The paths in backticks that begin with one of [`SOURCES`], without those with a placeholder such as `NAME`.
    fn paths(&self) -> Vec<String> {
        let is_placeholder = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_uppercase());
        let is_path = |word: &&str| {
            let is_ours = SOURCES.iter().any(|folder| word.starts_with(folder));
            is_ours && !word.contains(['<', '*', '…']) && !word.contains("...") && !word.split('/').any(is_placeholder)
        };
        let words = self.codes().flat_map(str::split_whitespace).filter(is_path);
        words.map(str::to_owned).collect()
    }

    /// What is in backticks.
    fn codes(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().flat_map(|line| line.split('`').skip(1).step_by(2))
    }

    /// The anchors of its headings, as GitHub and mdbook make them.
    fn anchors(&self) -> BTreeSet<String> {
        let mut anchors = BTreeSet::new();
        for line in &self.lines {
            let hashes = line.chars().take_while(|&c| c == '#').count();
            let heading = line.get(hashes..).and_then(|rest| rest.strip_prefix(' '));
            let Some(heading) = heading.filter(|_| hashes > 0) else {
                continue;
            };
            let anchor = anchor_of(heading);
            let numbered = (1..).map(|number| format!("{anchor}-{number}"));
            let free = std::iter::once(anchor.clone()).chain(numbered).find(|name| !anchors.contains(name));
            anchors.extend(free);
        }
        anchors
    }
}

fn anchor_of(heading: &str) -> String {
    let kept = heading.trim().to_lowercase();
    let kept = kept.chars().filter(|&c| c.is_alphanumeric() || "-_ ".contains(c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// Every page by its path from the root.
fn pages() -> BTreeMap<String, Page> {
    let mut pages = BTreeMap::new();
    for folder in FOLDERS {
        for entry in fs::read_dir(root().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|ending| ending == "md") {
                let name = path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned();
                pages.insert(name, Page::of(&fs::read_to_string(path).unwrap()));
            }
        }
    }
    pages
}

/// `target` as a link of `page` means it: a path from the root, without `..`, and an anchor.
fn resolved(page: &str, target: &str) -> (String, Option<String>) {
    let (path, anchor) = target.split_once('#').map_or((target, None), |(path, anchor)| (path, Some(anchor)));
    if path.is_empty() {
        return (page.to_owned(), anchor.map(str::to_owned));
    }
    let mut place = PathBuf::new();
    for component in Path::new(page).parent().unwrap().join(path).components() {
        match component {
            Component::ParentDir => assert!(place.pop(), "`{target}` in {page} leads out of the repository"),
            other => place.push(other),
        }
    }
    (place.to_str().unwrap().to_owned(), anchor.map(str::to_owned))
}

fn is_ours(target: &str) -> bool {
    !target.contains("://") && !target.starts_with("mailto:")
}

/// What is wrong with `target`, a link of `page`.
fn fault(pages: &BTreeMap<String, Page>, page: &str, target: &str) -> Option<String> {
    let (path, anchor) = resolved(page, target);
    if !root().join(&path).exists() {
        return Some(format!("{page}: `{target}` does not exist"));
    }
    let anchor = anchor?;
    let has_it = pages.get(&path).is_some_and(|page| page.anchors().contains(&anchor));
    (!has_it).then(|| format!("{page}: `{target}` names no heading"))
}

#[test]
fn every_link_leads_somewhere() {
    let pages = pages();
    let links: Vec<(&str, String)> = pages
        .iter()
        .flat_map(|(name, page)| page.links().into_iter().map(|link| (name.as_str(), link)))
        .filter(|(_, link)| is_ours(link))
        .collect();
    assert!(links.len() > 150, "{} links were read", links.len());
    let faults: Vec<String> = links.iter().filter_map(|(page, link)| fault(&pages, page, link)).collect();
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn every_path_in_backticks_exists() {
    let pages = pages();
    let paths: Vec<(&str, String)> =
        pages.iter().flat_map(|(name, page)| page.paths().into_iter().map(|path| (name.as_str(), path))).collect();
    assert!(paths.len() > 100, "{} paths were read", paths.len());
    let missing: Vec<_> = paths.iter().filter(|(_, path)| !root().join(path).exists()).collect();
    assert!(missing.is_empty(), "{missing:#?}");
}

/// Pages that only name files of this repository, each with its full path.
const MAPS: [&str; 2] = ["ARCHITECTURE.md", "docs/decisions.md"];

/// The files of a run, which are no files of this repository.
const OF_RUNS: [&str; 6] = ["agents/<digest>/", "built/", "calibrations/", "claims/", "rules/<digest>/", "voids/"];

#[test]
fn maps_name_files_by_their_full_paths() {
    let pages = pages();
    let mut count = 0;
    for name in MAPS {
        for path in pages[name].codes().filter(|code| code.contains('/') && !code.contains(' ')) {
            count += 1;
            assert!(OF_RUNS.contains(&path) || root().join(path).exists(), "{name}: `{path}` does not exist");
        }
    }
    assert!(count > 120, "{count} paths were read");
}

#[test]
fn links_that_lead_nowhere_are_found() {
    let pages = pages();
    let cases = [
        ("docs/grading.md", "no-page.md", true),
        ("docs/grading.md", "security.md#no-heading", true),
        ("docs/grading.md", "#no-heading", true),
        ("docs/grading.md", "security.md#threat-model", false),
        ("docs/security.md", "#threat-model", false),
        ("README.md", "docs/gallery", false),
    ];
    for (page, link, is_fault) in cases {
        assert_eq!(fault(&pages, page, link).is_some(), is_fault, "{page}: {link}");
    }
    let page = Page::of("# A `b`: c\n```\n# no\n[x](y)\n```\n## A b c\n[p](q.md#r) and [s](t)\n");
    assert_eq!(page.anchors(), BTreeSet::from(["a-b-c".to_owned(), "a-b-c-1".to_owned()]));
    assert_eq!(page.links(), ["q.md#r", "t"]);
    let page = Page::of("`src/no.rs` src/a `x docs/b.md` `src/<x>/y`, `src/games/NAME/` and `results/run`\n");
    assert_eq!(page.paths(), ["src/no.rs", "docs/b.md"]);
}

/// A page that is not in the table of contents is not in the site, and links to it are dead there.
#[test]
fn the_site_has_every_page_that_a_page_links_to() {
    let pages = pages();
    let listed: BTreeSet<String> = pages[SUMMARY].links().iter().map(|link| resolved(SUMMARY, link).0).collect();
    let mut missing = BTreeSet::new();
    for name in pages.keys().filter(|name| name.starts_with("docs/") && *name != SUMMARY) {
        if !listed.contains(name) {
            missing.insert(format!("{name} is not listed"));
        }
    }
    for name in &listed {
        for link in pages[name].links().iter().filter(|link| is_ours(link)) {
            let (path, _) = resolved(name, link);
            if pages.contains_key(&path) && !listed.contains(&path) {
                missing.insert(format!("{path}, to which {name} links, is not listed"));
            }
        }
    }
    assert!(missing.is_empty(), "{SUMMARY}: {missing:#?}");
}
