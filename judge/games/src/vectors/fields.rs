//! Typed access to the fields of a vector. Fields of only one game are read by an extension trait
//! in its own `vectors/fields.rs`.

use std::fmt::Display;
use std::str::FromStr;

use judge_core::Seat;
use serde_json::Value;

use super::VectorError;

/// The fields of one vector, or of an object in it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fields<'a>(pub(crate) &'a Value);

/// The error for a field of the wrong type.
pub(crate) fn wrong(name: &str, expected: &str) -> VectorError {
    VectorError::Malformed(format!("field `{name}`: expected {expected}"))
}

/// A text in a notation of the game.
pub(crate) fn parse<T: FromStr<Err: Display>>(name: &str, text: &str) -> Result<T, VectorError> {
    text.parse().map_err(|error| wrong_text(name, &error))
}

/// The error for a field that does not parse.
pub(crate) fn wrong_text(name: &str, error: &dyn Display) -> VectorError {
    VectorError::Malformed(format!("field `{name}`: {error}"))
}

impl<'a> Fields<'a> {
    /// The field, of any type.
    pub(crate) fn field(self, name: &str) -> Result<&'a Value, VectorError> {
        let missing = || VectorError::Malformed(format!("field `{name}` is missing"));
        self.0.get(name).ok_or_else(missing)
    }

    /// True if there is such a field.
    pub(crate) fn has(self, name: &str) -> bool {
        self.0.get(name).is_some()
    }

    /// The fields of an object.
    pub(crate) fn object(self, name: &str) -> Result<Fields<'a>, VectorError> {
        let value = self.field(name)?;
        value.is_object().then_some(Fields(value)).ok_or_else(|| wrong(name, "an object"))
    }

    /// The keys of an object, in their own order.
    pub(crate) fn keys(self, name: &str) -> Result<Vec<&'a str>, VectorError> {
        let object = self.field(name)?.as_object().ok_or_else(|| wrong(name, "an object"))?;
        Ok(object.keys().map(String::as_str).collect())
    }

    pub(crate) fn text(self, name: &str) -> Result<&'a str, VectorError> {
        self.field(name)?.as_str().ok_or_else(|| wrong(name, "a text"))
    }

    pub(crate) fn text_or_null(self, name: &str) -> Result<Option<&'a str>, VectorError> {
        if self.field(name)?.is_null() { Ok(None) } else { self.text(name).map(Some) }
    }

    /// One of the given texts.
    pub(crate) fn choice(self, name: &str, choices: &[&str]) -> Result<&'a str, VectorError> {
        let text = self.text(name)?;
        let known = choices.contains(&text);
        known.then_some(text).ok_or_else(|| wrong(name, &format!("one of {choices:?}")))
    }

    pub(crate) fn flag(self, name: &str) -> Result<bool, VectorError> {
        self.field(name)?.as_bool().ok_or_else(|| wrong(name, "true or false"))
    }

    pub(crate) fn number(self, name: &str) -> Result<u64, VectorError> {
        self.field(name)?.as_u64().ok_or_else(|| wrong(name, "a number from 0"))
    }

    pub(crate) fn signed(self, name: &str) -> Result<i64, VectorError> {
        self.field(name)?.as_i64().ok_or_else(|| wrong(name, "an integer"))
    }

    /// A player, 1 or 2, or null.
    pub(crate) fn seat_or_null(self, name: &str) -> Result<Option<Seat>, VectorError> {
        let value = self.field(name)?;
        let number = value.as_u64().and_then(|number| u8::try_from(number).ok());
        match number.map(Seat::try_from) {
            Some(Ok(seat)) => Ok(Some(seat)),
            None if value.is_null() => Ok(None),
            _ => Err(wrong(name, "1, 2 or null")),
        }
    }

    /// A player, 1 or 2.
    pub(crate) fn seat(self, name: &str) -> Result<Seat, VectorError> {
        self.seat_or_null(name)?.ok_or_else(|| wrong(name, "1 or 2"))
    }

    pub(crate) fn list(self, name: &str) -> Result<&'a [Value], VectorError> {
        self.field(name)?.as_array().map(Vec::as_slice).ok_or_else(|| wrong(name, "a list"))
    }

    pub(crate) fn texts(self, name: &str) -> Result<Vec<&'a str>, VectorError> {
        let texts = self.list(name)?.iter().map(Value::as_str).collect::<Option<_>>();
        texts.ok_or_else(|| wrong(name, "a list of texts"))
    }

    pub(crate) fn numbers(self, name: &str) -> Result<Vec<u64>, VectorError> {
        let numbers = self.list(name)?.iter().map(Value::as_u64).collect::<Option<_>>();
        numbers.ok_or_else(|| wrong(name, "a list of numbers"))
    }

    pub(crate) fn integers(self, name: &str) -> Result<Vec<i64>, VectorError> {
        let integers = self.list(name)?.iter().map(Value::as_i64).collect::<Option<_>>();
        integers.ok_or_else(|| wrong(name, "a list of integers"))
    }

    /// A text in a notation of the game.
    pub(crate) fn parsed<T: FromStr<Err: Display>>(self, name: &str) -> Result<T, VectorError> {
        parse(name, self.text(name)?)
    }

    /// Texts in a notation of the game.
    pub(crate) fn all_parsed<T: FromStr<Err: Display>>(
        self,
        name: &str,
    ) -> Result<Vec<T>, VectorError> {
        self.texts(name)?.into_iter().map(|text| parse(name, text)).collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn reason<T>(result: Result<T, VectorError>) -> String {
        result.err().expect("no such value").to_string()
    }

    #[test]
    fn fields_of_each_type_are_read() {
        let value = json!({"t": "x", "n": 3, "i": -3, "f": true, "s": 2, "z": null,
            "l": ["1", "2"], "o": {"b": 1, "a": 2}});
        let fields = Fields(&value);
        assert_eq!(fields.text("t"), Ok("x"));
        assert_eq!(fields.text_or_null("z"), Ok(None));
        assert_eq!((fields.number("n"), fields.signed("i")), (Ok(3), Ok(-3)));
        assert_eq!((fields.seat("s"), fields.seat_or_null("z")), (Ok(Seat::Two), Ok(None)));
        assert_eq!(fields.all_parsed::<u8>("l"), Ok(vec![1, 2]));
        assert_eq!(fields.object("o").and_then(|inner| inner.number("a")), Ok(2));
        assert!(fields.has("z") && !fields.has("y"));
    }

    #[test]
    fn a_wrong_field_is_named() {
        let value = json!({"t": "x", "i": -3, "s": 3, "z": null, "l": ["1", 2]});
        let fields = Fields(&value);
        insta::assert_snapshot!(reason(fields.text("gone")), @"malformed vector: field `gone` is missing");
        insta::assert_snapshot!(reason(fields.number("i")), @"malformed vector: field `i`: expected a number from 0");
        insta::assert_snapshot!(reason(fields.seat("s")), @"malformed vector: field `s`: expected 1, 2 or null");
        insta::assert_snapshot!(reason(fields.seat("z")), @"malformed vector: field `z`: expected 1 or 2");
        insta::assert_snapshot!(reason(fields.texts("l")), @"malformed vector: field `l`: expected a list of texts");
        insta::assert_snapshot!(reason(fields.parsed::<u8>("t")), @"malformed vector: field `t`: invalid digit found in string");
        insta::assert_snapshot!(reason(fields.choice("t", &["a"])), @r#"malformed vector: field `t`: expected one of ["a"]"#);
    }
}
