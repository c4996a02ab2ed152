//! The first difference between two reports, by its path: `bots[0].testcases[2].score`.

use serde::Serialize;
use serde_json::{Map, Value};

/// A value that differs between two reports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonDifference {
    /// The path.
    pub path: String,
    /// The value in each, as JSON; none if it is missing.
    pub sides: [Option<String>; 2],
}

/// The first difference, with parts before wholes and hashes last, so that a sum is only named if
/// its summands are equal.
pub fn first_difference(one: &impl Serialize, other: &impl Serialize) -> Option<JsonDifference> {
    let value = |report: Result<Value, serde_json::Error>| {
        report.expect("reports hold nothing that JSON cannot")
    };
    let (one, other) = (value(serde_json::to_value(one)), value(serde_json::to_value(other)));
    differ("", Some(&one), Some(&other))
}

fn differ(path: &str, one: Option<&Value>, other: Option<&Value>) -> Option<JsonDifference> {
    match (one, other) {
        (Some(Value::Object(one)), Some(Value::Object(other))) => {
            let at =
                |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
            let mut keys = keys(one, other);
            keys.find_map(|key| differ(&at(key), one.get(key), other.get(key)))
        }
        (Some(Value::Array(one)), Some(Value::Array(other))) => {
            let mut places = 0..one.len().max(other.len());
            places.find_map(|at| differ(&format!("{path}[{at}]"), one.get(at), other.get(at)))
        }
        _ if one == other => None,
        _ => Some(JsonDifference {
            path: path.to_owned(),
            sides: [one, other].map(|value| value.map(Value::to_string)),
        }),
    }
}

/// The keys of both: first those with parts, then plain values, then hashes.
fn keys<'a>(
    one: &'a Map<String, Value>,
    other: &'a Map<String, Value>,
) -> impl Iterator<Item = &'a str> {
    let added = other.iter().filter(|(key, _)| !one.contains_key(*key));
    let mut keys: Vec<(u8, &str)> = one
        .iter()
        .chain(added)
        .map(|(key, value)| match value {
            _ if key == "digest" => (2, key.as_str()),
            _ if key == "seal" => (3, key.as_str()),
            Value::Object(_) | Value::Array(_) => (0, key.as_str()),
            _ => (1, key.as_str()),
        })
        .collect();
    keys.sort_unstable();
    keys.into_iter().map(|(_, key)| key)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn parts_come_before_wholes_and_hashes_come_last() {
        let report = |score, sum, digest: &str| json!({"digest": digest, "score": sum, "rounds": [{"score": 1}, {"score": score}]});
        let path = |one: &Value, other: &Value| {
            let found = first_difference(one, other)?;
            Some((found.path, found.sides.map(Option::unwrap_or_default)))
        };
        let told = |path: &str, one: &str, other: &str| {
            Some((path.to_owned(), [one.to_owned(), other.to_owned()]))
        };
        let honest = report(2, 3, "x");
        assert_eq!(path(&honest, &honest), None);
        assert_eq!(path(&honest, &report(4, 5, "y")), told("rounds[1].score", "2", "4"));
        assert_eq!(path(&honest, &report(2, 5, "y")), told("score", "3", "5"));
        assert_eq!(path(&honest, &report(2, 3, "y")), told("digest", "\"x\"", "\"y\""));
        assert_eq!(path(&json!([]), &json!([1])), told("[0]", "", "1"));
        assert_eq!(path(&json!({}), &json!({"a": {"b": 1}})), told("a", "", "{\"b\":1}"));
    }
}
