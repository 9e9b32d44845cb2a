//! Fills in the texts that are written whole, with places for what differs.

/// `template` with each `{{name}}` replaced by its value, which is not searched again.
pub fn filled<'a>(template: &str, value: impl Fn(&str) -> &'a str) -> String {
    let mut parts = template.split("{{");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once("}}").expect("the template closes what it opens");
        text += value(name);
        text += rest;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_filled_in_is_not_looked_at_again() {
        let value = |name: &str| if name == "a" { "{{b}}" } else { "never" };
        assert_eq!(filled("<{{a}}>", value), "<{{b}}>");
    }
}
