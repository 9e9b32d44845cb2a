//! The documents that follow from the list of columns of the standings: the schema of an agent, and the table in
//! `docs/competitions.md`. `SNAPSHOTS=overwrite` writes them anew.

use std::collections::BTreeSet;

use referee_matches::tournament::{ColumnValue, Crosstable, Standings, StandingsColumn, TieBreak};
use referee_records::GameSummary;
use serde_json::{Map, Value, json};
use snapbox::assert_data_eq;

use crate::games_of::result;

/// A circle, so that every criterion is needed, with plausible ranks.
fn sample() -> Standings {
    let games: Vec<GameSummary> =
        [("a", "b"), ("b", "c"), ("c", "a")].iter().map(|(winner, loser)| result(1, winner, loser, '+')).collect();
    let table = Crosstable::of([], &games);
    Standings::of(&table, &TieBreak::ALL).with_certainty(&table)
}

/// A bare value; times in microseconds.
fn bare(value: ColumnValue) -> Value {
    match value {
        ColumnValue::Name(name) => json!(name),
        ColumnValue::Rank { rank: count, .. } | ColumnValue::Count(count) => json!(count),
        ColumnValue::Ranks(ranks) => json!(ranks),
        ColumnValue::Flag(flag) => json!(flag),
        ColumnValue::Number(number) | ColumnValue::Percent(number) => json!(number),
        ColumnValue::Time { time, .. } => json!(time),
    }
}

#[test]
fn json_has_the_value_of_each_column_in_its_place() {
    let standings = sample();
    let written = serde_json::to_value(&standings).unwrap();
    for column in standings.columns() {
        let Some(place) = &column.json else { continue };
        let pointer = format!("/{}", place.replace('.', "/"));
        for (agent, fields) in standings.agents.iter().zip(written["agents"].as_array().unwrap()) {
            assert_eq!(fields.pointer(&pointer), Some(&bare(column.value(agent))), "{pointer} in {fields}");
        }
    }
}

#[test]
fn no_two_columns_have_one_name() {
    let columns = sample().columns();
    let assert_distinct = |names: Vec<&str>| {
        assert_eq!(names.len(), names.iter().collect::<BTreeSet<_>>().len(), "{names:?}");
    };
    assert_distinct(columns.iter().filter_map(|column| column.title).collect());
    assert_distinct(columns.iter().filter_map(|column| column.csv.as_deref()).collect());
    assert_distinct(columns.iter().filter_map(|column| column.json.as_deref()).collect());
}

#[test]
fn the_schema_of_an_agent_has_its_columns() {
    let count = json!({"type": "integer", "minimum": 0});
    let criterion = json!({"$ref": "definitions.schema.json#/$defs/ranking_criterion"});
    let mut agent = Map::new();
    // Fields that no column shows.
    insert(&mut agent, "ahead_by", json!({"oneOf": [criterion, {"type": "null"}]}));
    insert(&mut agent, "values", list_of(&json!({"type": ["number", "null"]}), "the values of `order`"));
    insert(&mut agent, "played_black", count.clone());
    let mut results = Map::new();
    for key in ["won", "drawn", "lost"] {
        insert(&mut results, key, count.clone());
    }
    let against = "against every agent, in the order of `agents`";
    insert(&mut agent, "against", list_of(&Value::Object(results), against));
    for column in sample().columns() {
        if let Some(place) = &column.json {
            insert(&mut agent, place, value_schema(&column));
        }
    }
    // Absent without games.
    let is_required = |key: &Value| key != "plausible_ranks";
    agent["required"].as_array_mut().unwrap().retain(is_required);
    let forfeits =
        json!({"type": "object", "additionalProperties": count, "description": "number of forfeits by code"});
    agent["properties"]["forfeits"] = forfeits;
    agent.insert("$schema".to_owned(), json!("https://json-schema.org/draft/2020-12/schema"));
    agent.insert("$id".to_owned(), json!("standing.schema.json"));
    agent.insert("title".to_owned(), json!("An agent of `standings --json`"));
    let text = serde_json::to_string_pretty(&agent).unwrap() + "\n";
    assert_data_eq!(text, snapbox::file!["../../docs/schemas/standing.schema.json": Text].raw());
}

fn list_of(items: &Value, description: &str) -> Value {
    json!({"type": "array", "items": items, "description": description})
}

/// Puts a property into the schema of an object, at a path with dots, as a required one.
fn insert(object: &mut Map<String, Value>, path: &str, schema: Value) {
    let (key, rest) = path.split_once('.').map_or((path, None), |(key, rest)| (key, Some(rest)));
    object.insert("type".to_owned(), json!("object"));
    object.insert("additionalProperties".to_owned(), json!(false));
    let properties = object.entry("properties").or_insert_with(|| json!({}));
    match rest {
        None => properties[key] = schema,
        Some(rest) => {
            let inner = properties.as_object_mut().unwrap().entry(key).or_insert_with(|| json!({}));
            insert(inner.as_object_mut().unwrap(), rest, schema);
        }
    }
    let required = object.entry("required").or_insert_with(|| json!([])).as_array_mut().unwrap();
    if !required.contains(&json!(key)) {
        required.push(json!(key));
    }
}

fn value_schema(column: &StandingsColumn) -> Value {
    let mut schema = match column.value(&sample().agents[0]) {
        ColumnValue::Name(_) => json!({"type": "string"}),
        ColumnValue::Flag(_) => json!({"type": "boolean"}),
        ColumnValue::Rank { .. } => json!({"type": ["integer", "null"], "minimum": 1}),
        ColumnValue::Count(_) => json!({"type": "integer", "minimum": 0}),
        ColumnValue::Number(_) | ColumnValue::Percent(_) => json!({"type": ["number", "null"]}),
        ColumnValue::Time { .. } => json!({"type": ["integer", "null"], "minimum": 0}),
        ColumnValue::Ranks(_) => panic!("its ends have columns of their own"),
    };
    schema["description"] = json!(column.meaning);
    schema
}

#[test]
fn the_documentation_has_all_columns() {
    let document = include_str!("../../docs/competitions.md");
    let mark = "<!-- columns -->\n";
    let (before, after) = document.split_once(mark).unwrap();
    let (_, after) = after.split_once("\n\n").unwrap();
    let rows = sample().columns().into_iter().map(|column| {
        let code = |name: Option<&str>| name.map_or_else(String::new, |name| format!("`{name}`"));
        let page = column.page_title.map(|title| format!(", on the page `{title}`")).unwrap_or_default();
        let title = code(column.title) + &page;
        let json = code(column.json.as_deref());
        format!("| {title} | {} | {json} | {} |\n", code(column.csv.as_deref()), column.meaning)
    });
    let head = "| in tables | in CSV | in JSON | what it shows |\n| --- | --- | --- | --- |\n";
    let expected = [before, mark, head, &rows.collect::<String>(), "\n", after].concat();
    assert_data_eq!(expected, snapbox::file!["../../docs/competitions.md": Text].raw());
}
