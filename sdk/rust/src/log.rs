//! The bot's log: shown with the round, up to a byte budget. Costs fuel.

/// Appends a line to the log. Outside of the judge it goes to standard error.
pub fn log(text: &str) {
    crate::export::write_log(&format!("{text}\n"));
}
