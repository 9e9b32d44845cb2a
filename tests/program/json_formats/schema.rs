//! JSON Schema (draft 2020-12), as far as `docs/schemas` uses it. A keyword that is not known here is an error, so that
//! no schema can promise what nothing checks. The crates for it would add thirty packages to every build of the tests.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use serde_json::{Map, Value};

/// The schemas of a folder, by file name.
pub(super) struct Schemas(BTreeMap<String, Value>);

/// Why a value does not follow a schema: the place in the value, and the reason.
type Refusal = String;

impl Schemas {
    pub(super) fn load(folder: &Path) -> Self {
        let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let read = |path: &Path| serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
        Self(files.map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), read(&path))).collect())
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    pub(super) fn check(&self, file: &str, value: &Value) -> Result<(), Refusal> {
        let schema = self.0.get(file).unwrap_or_else(|| panic!("there is no schema `{file}`"));
        self.follows(file, schema, value, "$")
    }

    /// Whether `value` follows a definition of a schema.
    pub(super) fn check_part(&self, file: &str, part: &str, value: &Value) -> Result<(), Refusal> {
        let pointer = format!("#/$defs/{part}");
        let (file, definition) = self.definition(file, &pointer);
        self.follows(file, definition, value, "$")
    }

    /// Whether `value`, which stands at `place`, follows a `schema` of `file`.
    fn follows(&self, file: &str, schema: &Value, value: &Value, place: &str) -> Result<(), Refusal> {
        let keywords = match schema {
            Value::Bool(true) => return Ok(()),
            Value::Object(keywords) => keywords,
            other => return Err(format!("{place}: `{other}` allows nothing here")),
        };
        for (keyword, wanted) in keywords {
            let holds = match keyword.as_str() {
                "$schema" | "$id" | "$defs" | "title" | "description" => true,
                "type" => is_of_type(wanted, value),
                "const" => wanted == value,
                "enum" => list(wanted).contains(value),
                "minimum" => number(value).is_none_or(|value| value >= wanted.as_f64().unwrap()),
                "maximum" => number(value).is_none_or(|value| value <= wanted.as_f64().unwrap()),
                "multipleOf" => number(value).is_none_or(|value| (value / wanted.as_f64().unwrap()).fract() == 0.0),
                "exclusiveMinimum" => number(value).is_none_or(|value| value > wanted.as_f64().unwrap()),
                "exclusiveMaximum" => number(value).is_none_or(|value| value < wanted.as_f64().unwrap()),
                "minItems" => items(value).len() >= count(wanted),
                "maxItems" => items(value).len() <= count(wanted),
                "required" => list(wanted).iter().all(|key| keys(value).contains_key(key.as_str().unwrap())),
                "$ref" => {
                    let (file, definition) = self.definition(file, wanted.as_str().unwrap());
                    self.follows(file, definition, value, place)?;
                    true
                }
                "oneOf" => {
                    self.follows_one(file, wanted, value, place)?;
                    true
                }
                "anyOf" => {
                    let cases = list(wanted).iter().map(|case| self.follows(file, case, value, place));
                    let refusals: Vec<Refusal> = cases.filter_map(Result::err).collect();
                    if refusals.len() == list(wanted).len() {
                        return Err(format!("no case fits:\n{}", refusals.join("\n")));
                    }
                    true
                }
                "allOf" => {
                    list(wanted).iter().try_for_each(|part| self.follows(file, part, value, place))?;
                    true
                }
                "properties" | "additionalProperties" => {
                    self.follow_members(file, keywords, value, place)?;
                    true
                }
                "prefixItems" | "items" => {
                    self.follow_items(file, keywords, value, place)?;
                    true
                }
                other => panic!("`{file}` uses `{other}`, which nothing checks"),
            };
            if !holds {
                return Err(format!("{place}: `{value}` is not of {keyword} {wanted}"));
            }
        }
        Ok(())
    }

    fn definition<'a>(&'a self, file: &'a str, reference: &'a str) -> (&'a str, &'a Value) {
        let (name, pointer) = reference.split_once('#').unwrap_or((reference, ""));
        let file = if name.is_empty() { file } else { name };
        let found = self.0.get(file).and_then(|schema| schema.pointer(pointer));
        (file, found.unwrap_or_else(|| panic!("`{reference}` leads nowhere")))
    }

    fn follows_one(&self, file: &str, cases: &Value, value: &Value, place: &str) -> Result<(), Refusal> {
        let refusals: Vec<Refusal> =
            list(cases).iter().filter_map(|case| self.follows(file, case, value, place).err()).collect();
        match list(cases).len() - refusals.len() {
            1 => Ok(()),
            0 => Err(format!("no case fits:\n{}", refusals.join("\n"))),
            more => Err(format!("{place}: {more} cases fit `{value}`")),
        }
    }

    fn follow_members(
        &self,
        file: &str,
        keywords: &Map<String, Value>,
        value: &Value,
        place: &str,
    ) -> Result<(), Refusal> {
        let known = keywords.get("properties").map(keys);
        let others = keywords.get("additionalProperties").unwrap_or(&Value::Bool(true));
        for (key, member) in keys(value) {
            let schema = known.and_then(|known| known.get(key)).unwrap_or(others);
            self.follows(file, schema, member, &format!("{place}.{key}"))?;
        }
        Ok(())
    }

    fn follow_items(
        &self,
        file: &str,
        keywords: &Map<String, Value>,
        value: &Value,
        place: &str,
    ) -> Result<(), Refusal> {
        let first = keywords.get("prefixItems").map(list).unwrap_or_default();
        let others = keywords.get("items").unwrap_or(&Value::Bool(true));
        for (index, item) in items(value).iter().enumerate() {
            let schema = first.get(index).unwrap_or(others);
            self.follows(file, schema, item, &format!("{place}[{index}]"))?;
        }
        Ok(())
    }
}

fn is_of_type(wanted: &Value, value: &Value) -> bool {
    let is = |name: &Value| match name.as_str().unwrap() {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        other => panic!("`{other}` is not a type"),
    };
    match wanted {
        Value::Array(names) => names.iter().any(is),
        name => is(name),
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("the keyword takes a list")
}

fn count(value: &Value) -> usize {
    usize::try_from(value.as_u64().unwrap()).unwrap()
}

fn number(value: &Value) -> Option<f64> {
    value.as_f64()
}

/// The items of an array; what is none has none to be checked.
fn items(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

/// The members of an object; what is none has none to be checked.
fn keys(value: &Value) -> &Map<String, Value> {
    static NONE: LazyLock<Map<String, Value>> = LazyLock::new(Map::new);
    value.as_object().unwrap_or(&NONE)
}
