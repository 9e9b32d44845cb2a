//! Strict schemas of each platform's format: refuse fields missing from its documentation, and points that are not
//! exact decimals.

use referee_course::assignment::Points;
use serde::Deserialize;
use serde::de::DeserializeOwned;

fn read<T: DeserializeOwned>(json: &str) -> T {
    serde_json::from_str(json).unwrap_or_else(|error| panic!("{error}: {json}"))
}

/// Foreign texts are shown by the platform: nothing in them may steer a terminal.
fn assert_plain(text: &str) {
    assert!(text.chars().all(|character| !character.is_control() || character == '\n'), "{text:?}");
}

/// <https://gradescope-autograders.readthedocs.io/en/latest/specs/>
pub(crate) mod gradescope {
    use super::{Deserialize, Points, assert_plain, read};

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    pub(crate) struct Results {
        pub(crate) score: Points,
        execution_time: f64,
        output: String,
        output_format: Format,
        test_output_format: Format,
        test_name_format: Format,
        #[serde(rename = "visibility")]
        _visibility: Visibility,
        #[serde(rename = "stdout_visibility")]
        _stdout_visibility: Visibility,
        pub(crate) tests: Vec<Test>,
        leaderboard: Vec<Standing>,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    pub(crate) struct Test {
        pub(crate) score: Points,
        max_score: Points,
        status: Status,
        name: String,
        number: String,
        output: String,
        tags: Vec<String>,
        #[serde(rename = "visibility")]
        _visibility: Visibility,
    }

    #[derive(Deserialize, PartialEq, Eq, Debug)]
    #[serde(rename_all = "lowercase")]
    enum Format {
        Text,
        #[serde(rename = "simple_format")]
        Simple,
        Html,
        Md,
        Ansi,
    }

    #[derive(Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Visibility {
        Hidden,
        AfterDueDate,
        AfterPublished,
        Visible,
    }

    #[derive(Deserialize, PartialEq, Eq)]
    #[serde(rename_all = "lowercase")]
    enum Status {
        Passed,
        Failed,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Standing {
        name: String,
        value: f64,
        #[serde(default)]
        order: Option<Order>,
    }

    #[derive(Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Order {
        Asc,
        Desc,
    }

    pub(crate) fn check(json: &str) -> Results {
        let results: Results = read(json);
        assert!(results.execution_time >= 0.0);
        assert_plain(&results.output);
        // The default for the top level is read as HTML.
        for format in [&results.output_format, &results.test_output_format, &results.test_name_format] {
            assert_eq!(*format, Format::Text);
        }
        for test in &results.tests {
            assert!(test.score <= test.max_score);
            // A game that counts only for a win rate has no points of its own, and is passed if it is won.
            let has_points = test.max_score > Points::default();
            assert!(!has_points || (test.status == Status::Passed) == (test.score == test.max_score));
            assert!(test.number.split('.').all(|part| part.parse::<u32>().is_ok()));
            for text in [&test.name, &test.output, &test.tags[0]] {
                assert_plain(text);
            }
        }
        for standing in &results.leaderboard {
            assert!(!standing.name.is_empty() && standing.value.is_finite());
            assert!(matches!(standing.order, None | Some(Order::Asc | Order::Desc)));
        }
        results
    }
}

/// <https://help.vocareum.com/en/articles/6499658-autograding-in-vs-code-labs>
pub(crate) mod vocareum {
    use super::{Points, assert_plain};

    pub(crate) fn check_grades(grades: &str) -> Vec<(String, Points)> {
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(grades.as_bytes());
        let rows = reader.deserialize();
        let rows: Vec<(String, String)> = rows.map(Result::unwrap).collect();
        rows.into_iter().map(|(name, score)| (name, score.parse().unwrap())).collect()
    }

    pub(crate) fn check_report(report: &str) {
        assert!(report.starts_with("VOC_NO_REPORT_OUTPUT\n"));
        assert!(!report.contains('<'), "{report}");
        assert_plain(report);
    }
}

/// What both schemas ask: <https://github.com/pytest-dev/pytest/blob/main/testing/example_scripts/junit-10.xsd> and the
/// strict <https://github.com/windyroad/JUnit-Schema/blob/master/JUnit.xsd>, where `testsuites` has no attributes, and
/// a suite has all of its own and its parts in a fixed order.
pub(crate) mod junit {
    use roxmltree::{Document, Node};

    /// A suite: its name, and how many cases, failures, errors and skipped ones it has.
    pub(crate) type Suite = (String, [usize; 4]);

    fn assert_attributes(node: Node<'_, '_>, required: &[&str], optional: &[&str]) {
        for name in required {
            assert!(node.has_attribute(*name), "{name} is missing");
        }
        for attribute in node.attributes() {
            assert!(required.contains(&attribute.name()) || optional.contains(&attribute.name()));
        }
    }

    fn assert_time(node: Node<'_, '_>) {
        let (whole, decimals) = node.attribute("time").unwrap().split_once('.').unwrap();
        assert!(whole.parse::<u64>().is_ok() && decimals.len() == 3 && decimals.parse::<u32>().is_ok());
    }

    fn elements<'a, 'input>(node: Node<'a, 'input>) -> impl Iterator<Item = Node<'a, 'input>> {
        node.children().filter(Node::is_element)
    }

    pub(crate) fn check(xml: &str) -> Vec<Suite> {
        let document = Document::parse(xml).unwrap_or_else(|error| panic!("{error}: {xml}"));
        let root = document.root_element();
        assert_eq!(root.tag_name().name(), "testsuites");
        assert_attributes(root, &[], &[]);
        for (number, node) in elements(root).enumerate() {
            assert_eq!(node.attribute("id").unwrap(), number.to_string());
        }
        elements(root).map(suite).collect()
    }

    fn suite(node: Node<'_, '_>) -> Suite {
        assert_eq!(node.tag_name().name(), "testsuite");
        let required = ["id", "package", "name", "tests", "failures", "errors", "time", "timestamp", "hostname"];
        assert_attributes(node, &required, &["skipped"]);
        // The names and titles of a run are never blank, unlike those of arbitrary gradebooks.
        assert!(!node.attribute("hostname").unwrap().trim().is_empty());
        // `[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}`, without a zone.
        let timestamp = node.attribute("timestamp").unwrap();
        let shape: String = timestamp.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
        assert_eq!(shape, "0000-00-00T00:00:00");
        assert_time(node);
        let parts: Vec<&str> = elements(node).map(|part| part.tag_name().name()).collect();
        let (first, cases, last) = (parts[0], &parts[1..parts.len() - 2], &parts[parts.len() - 2..]);
        assert_eq!((first, last), ("properties", &["system-out", "system-err"][..]));
        assert!(cases.iter().all(|name| *name == "testcase"), "{cases:?}");
        let mut counts = [0; 4];
        for child in elements(node) {
            match child.tag_name().name() {
                "properties" | "system-out" | "system-err" => assert!(elements(child).next().is_none()),
                "testcase" => count(child, &mut counts),
                other => panic!("<{other}> in a suite"),
            }
        }
        for (count, name) in counts.iter().zip(["tests", "failures", "errors", "skipped"]) {
            assert_eq!(node.attribute(name).unwrap(), count.to_string());
        }
        (node.attribute("name").unwrap().to_owned(), counts)
    }

    fn count(case: Node<'_, '_>, counts: &mut [usize; 4]) {
        assert_attributes(case, &["name", "time", "classname"], &[]);
        assert_time(case);
        counts[0] += 1;
        let children: Vec<_> = elements(case).collect();
        assert!(children.len() <= 1);
        for child in children {
            let name = child.tag_name().name();
            // The strict one asks what kind of failure it is.
            let required: &[&str] = if name == "skipped" { &["message"] } else { &["message", "type"] };
            assert_attributes(child, required, &[]);
            let column = match name {
                "failure" => 1,
                "error" => 2,
                "skipped" => 3,
                other => panic!("<{other}> in a case"),
            };
            counts[column] += 1;
        }
    }
}
