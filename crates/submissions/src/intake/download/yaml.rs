//! Reads YAML into a tree, as far as the metadata of a platform need it. `granit_parser` parses it.
//!
//! An alias shares the node that it names, so no tree is larger than its text; the parser limits how deeply
//! nodes are nested.

use std::collections::BTreeMap;
use std::rc::Rc;

use granit_parser::{Event, Parser, ScalarStyle, StrInput};

/// A node and all below it.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum YamlNode {
    /// A scalar, as written; empty for `~`, `null` and no text at all.
    Text(String),
    List(Vec<Rc<Self>>),
    Mapping(BTreeMap<String, Rc<Self>>),
}

impl YamlNode {
    /// The only document of `text`.
    ///
    /// # Errors
    ///
    /// What is wrong and where, in half a sentence.
    pub(super) fn read(text: &str) -> Result<Rc<Self>, String> {
        let mut reader = YamlReader { events: Parser::new_from_str(text), finished: BTreeMap::new() };
        let mut root = None;
        loop {
            match reader.next_event()? {
                Event::StreamStart | Event::DocumentStart(..) | Event::DocumentEnd => {}
                Event::StreamEnd => return Ok(root.unwrap_or_else(|| Rc::new(Self::Text(String::new())))),
                _ if root.is_some() => return Err("expected one document, found a second one".to_owned()),
                first => root = Some(reader.node(first)?),
            }
        }
    }

    /// The text; empty for a null.
    pub(super) fn text(&self) -> Result<&str, String> {
        match self {
            Self::Text(text) => Ok(text),
            Self::List(_) | Self::Mapping(_) => Err(format!("expected a text, found {}", self.kind())),
        }
    }

    /// The nodes of a list; none for a null.
    pub(super) fn list(&self) -> Result<&[Rc<Self>], String> {
        match self {
            Self::List(nodes) => Ok(nodes),
            Self::Text(text) if text.is_empty() => Ok(&[]),
            Self::Text(_) | Self::Mapping(_) => Err(format!("expected a list, found {}", self.kind())),
        }
    }

    /// The entries of a mapping; `None` for a null.
    pub(super) fn mapping(&self) -> Result<Option<&BTreeMap<String, Rc<Self>>>, String> {
        match self {
            Self::Mapping(entries) => Ok(Some(entries)),
            Self::Text(text) if text.is_empty() => Ok(None),
            Self::Text(_) | Self::List(_) => Err(format!("expected a mapping, found {}", self.kind())),
        }
    }

    /// The value of `key` in a mapping that has it.
    pub(super) fn value(&self, key: &str) -> Result<Option<&Self>, String> {
        Ok(self.mapping()?.and_then(|entries| entries.get(key)).map(Rc::as_ref))
    }

    const fn kind(&self) -> &'static str {
        match self {
            Self::Text(_) => "a text",
            Self::List(_) => "a list",
            Self::Mapping(_) => "a mapping",
        }
    }
}

struct YamlReader<'a> {
    events: Parser<'a, StrInput<'a>>,
    /// The nodes that an alias may name.
    finished: BTreeMap<usize, Rc<YamlNode>>,
}

impl<'a> YamlReader<'a> {
    fn next_event(&mut self) -> Result<Event<'a>, String> {
        let event = self.events.next_event().ok_or("it ends too early")?;
        event.map(|(event, _)| event).map_err(|fault| fault.to_string())
    }

    /// The node that begins with `first`.
    fn node(&mut self, first: Event<'a>) -> Result<Rc<YamlNode>, String> {
        let (node, anchor) = match first {
            Event::Scalar(text, style, anchor, _) => {
                let is_null = style == ScalarStyle::Plain && ["", "~", "null", "Null", "NULL"].contains(&text.as_ref());
                (YamlNode::Text(if is_null { String::new() } else { text.into_owned() }), anchor)
            }
            Event::SequenceStart(_, anchor, _) => (self.list()?, anchor),
            Event::MappingStart(_, anchor, _) => (self.mapping()?, anchor),
            Event::Alias(anchor) => {
                return self
                    .finished
                    .get(&anchor)
                    .cloned()
                    .ok_or_else(|| "an alias stands for a node that contains it".to_owned());
            }
            _ => return Err("expected a text, a list or a mapping".to_owned()),
        };
        let node = Rc::new(node);
        // A node without an anchor has the number 0, which no alias names.
        self.finished.insert(anchor, node.clone());
        Ok(node)
    }

    fn list(&mut self) -> Result<YamlNode, String> {
        let mut nodes = Vec::new();
        loop {
            match self.next_event()? {
                Event::SequenceEnd => return Ok(YamlNode::List(nodes)),
                first => nodes.push(self.node(first)?),
            }
        }
    }

    fn mapping(&mut self) -> Result<YamlNode, String> {
        let mut entries = BTreeMap::new();
        loop {
            let key = match self.next_event()? {
                Event::MappingEnd => return Ok(YamlNode::Mapping(entries)),
                first => self.node(first)?,
            };
            let first = self.next_event()?;
            let value = self.node(first)?;
            let key = key.text()?.to_owned();
            if entries.insert(key.clone(), value).is_some() {
                return Err(format!("the key `{key}` occurs twice"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_is_no_larger_than_its_text() {
        let levels = (1..60).map(|level| format!("- &a{level} [*a{0}, *a{0}]", level - 1));
        let bomb: Vec<String> = std::iter::once("- &a0 x".to_owned()).chain(levels).collect();
        let read = YamlNode::read(&bomb.join("\n")).unwrap();
        assert_eq!(read.list().unwrap().len(), 60);
        assert!(YamlNode::read("&a [*a]").unwrap_err().contains("alias"));
    }

    #[test]
    fn what_means_nothing_is_refused() {
        let deep = "[".repeat(100_000);
        for text in ["a: b: c", "a: 1\na: 2", "? [x]\n: y", "*nobody", "--- a\n--- b", "'open", "a:\n\t- b", &deep] {
            assert!(YamlNode::read(text).is_err(), "{text:.20}");
        }
        assert_eq!(YamlNode::read("- a").unwrap().value("a"), Err("expected a mapping, found a list".to_owned()));
    }
}
