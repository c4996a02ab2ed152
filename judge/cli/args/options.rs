//! Rule switches on the command line.

/// Parses `KEY=VALUE`.
pub(crate) fn option(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or("expected KEY=VALUE")?;
    Ok((key.to_owned(), value.to_owned()))
}
