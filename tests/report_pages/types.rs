//! Whether JSON is what the types of the pages' scripts say: `crates/pages/src/report/assets/view.d.ts`, read here.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

const TYPES: &str = include_str!("../../crates/pages/src/report/assets/view.d.ts");

/// The types, and which members of interfaces were seen in some JSON.
pub(crate) struct Types {
    interfaces: BTreeMap<&'static str, Vec<Member>>,
    aliases: BTreeMap<&'static str, &'static str>,
    seen: BTreeSet<(&'static str, &'static str)>,
}

/// `name?: kind;`
struct Member {
    name: &'static str,
    is_optional: bool,
    kind: &'static str,
}

/// Members of interfaces that are there.
type Found = BTreeSet<(&'static str, &'static str)>;

impl Types {
    pub(crate) fn read() -> Self {
        let (mut interfaces, mut aliases) = (BTreeMap::new(), BTreeMap::new());
        let mut lines = TYPES.lines();
        while let Some(line) = lines.next() {
            if let Some(alias) = line.strip_prefix("export type ") {
                let (name, kind) = alias.trim_end_matches(';').split_once(" = ").unwrap();
                aliases.insert(name, kind);
            } else if let Some(name) = line.strip_prefix("export interface ") {
                let members = lines.by_ref().take_while(|line| *line != "}").map(member);
                interfaces.insert(name.trim_end_matches(" {"), members.collect());
            }
        }
        Self { interfaces, aliases, seen: BTreeSet::new() }
    }

    /// Fails where `value` is no `kind`: a member that is not declared or not there, or another type.
    pub(crate) fn assert_is(&mut self, kind: &'static str, value: &Value) {
        match self.check(kind, value) {
            Ok(found) => self.seen.extend(found),
            Err(why) => panic!("{kind}: {why}"),
        }
    }

    /// The members of these interfaces that no JSON had.
    pub(crate) fn unseen(&self, interfaces: &[&'static str]) -> Vec<String> {
        let declared =
            interfaces.iter().flat_map(|name| self.interfaces[name].iter().map(|member| (*name, member.name)));
        let unseen = declared.filter(|member| !self.seen.contains(member));
        unseen.map(|(name, member)| format!("{name}.{member}")).collect()
    }

    fn check(&self, kind: &'static str, value: &Value) -> Result<Found, String> {
        let choices = split(kind, " | ");
        if choices.len() > 1 {
            let results: Vec<_> = choices.iter().map(|choice| self.check(choice, value)).collect();
            let whys: Vec<String> = results.iter().filter_map(|result| result.clone().err()).collect();
            return results.into_iter().find_map(Result::ok).ok_or_else(|| whys.join(", and "));
        }
        if let Some(inner) = kind.strip_suffix("[]") {
            return self.check_all(value.as_array().into_iter().flatten(), inner, value.is_array());
        }
        if let Some(inner) = inside(kind, "Record<string, ") {
            return self.check_all(
                value.as_object().into_iter().flat_map(serde_json::Map::values),
                inner,
                value.is_object(),
            );
        }
        if let Some(inner) = inside(kind, "PerSide<") {
            let is_per_side =
                value.as_object().is_some_and(|sides| sides.keys().map(String::as_str).eq(["black", "white"]));
            return self.check_all([&value["black"], &value["white"]].into_iter(), inner, is_per_side);
        }
        if let Some(inner) = kind.strip_prefix('[') {
            let kinds = split(inner.trim_end_matches(']'), ", ");
            let values = value.as_array().filter(|values| values.len() == kinds.len());
            let values = values.ok_or_else(|| format!("{value} is no {kind}"))?;
            return merged(kinds.iter().zip(values).map(|(kind, value)| self.check(kind, value)));
        }
        if let Some(alias) = self.aliases.get(kind) {
            return self.check(alias, value);
        }
        if self.interfaces.contains_key(kind) {
            return self.check_interface(kind, value);
        }
        let fits = match kind {
            "string" => value.is_string(),
            "number" => value.is_number(),
            "boolean" => value.is_boolean(),
            "null" => value.is_null(),
            "undefined" => false,
            text => value.as_str() == Some(text.trim_matches('"')),
        };
        if fits { Ok(Found::new()) } else { Err(format!("{value} is no {kind}")) }
    }

    fn check_all<'a>(
        &self,
        values: impl Iterator<Item = &'a Value>,
        kind: &'static str,
        is_container: bool,
    ) -> Result<Found, String> {
        if !is_container {
            return Err(format!("there are no {kind} in one another"));
        }
        merged(values.map(|value| self.check(kind, value)))
    }

    fn check_interface(&self, name: &'static str, value: &Value) -> Result<Found, String> {
        let object = value.as_object().ok_or_else(|| format!("{value} is no {name}"))?;
        let members = &self.interfaces[name];
        if let Some(key) = object.keys().find(|key| !members.iter().any(|member| member.name == *key)) {
            return Err(format!("`{name}` does not declare `{key}`"));
        }
        let checked = members.iter().map(|member| match object.get(member.name) {
            None if member.is_optional => Ok(Found::new()),
            None => Err(format!("`{name}` has no `{}`", member.name)),
            Some(value) => {
                let inner = self.check(member.kind, value);
                let mut found = inner.map_err(|why| format!("`{}` of `{name}`: {why}", member.name))?;
                found.insert((name, member.name));
                Ok(found)
            }
        });
        merged(checked)
    }
}

fn member(line: &'static str) -> Member {
    let (name, kind) = line.trim().trim_end_matches(';').split_once(": ").unwrap();
    Member { name: name.trim_end_matches('?'), is_optional: name.ends_with('?'), kind }
}

fn inside(kind: &'static str, generic: &str) -> Option<&'static str> {
    kind.strip_prefix(generic)?.strip_suffix('>')
}

/// The parts of `text` between `separator`, but for those within brackets.
fn split(text: &'static str, separator: &str) -> Vec<&'static str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0);
    for (at, letter) in text.char_indices() {
        match letter {
            '<' | '[' => depth += 1,
            '>' | ']' => depth -= 1,
            _ if depth == 0 && text[at..].starts_with(separator) => {
                parts.push(&text[start..at]);
                start = at + separator.len();
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

fn merged(results: impl Iterator<Item = Result<Found, String>>) -> Result<Found, String> {
    let mut all = Found::new();
    for result in results {
        all.extend(result?);
    }
    Ok(all)
}
