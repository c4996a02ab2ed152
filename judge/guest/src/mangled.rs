//! Names of functions as their sources have them. Compilers for Rust and C++ encode ("mangle") the
//! path and the types of a function in its name.

use std::fmt;

use cpp_demangle::{DemangleOptions, DemangleWrite, Symbol};
use judge_core::printable;

/// Longest name that is decoded, in bytes.
const NAME_BYTES: usize = 2000;

/// The name of a function in the source, for names that a compiler for Rust or C++ encoded.
pub fn shown_name(name: &str, letters: usize) -> String {
    if name.len() > NAME_BYTES {
        return printable(name, letters);
    }
    match rustc_demangle::try_demangle(name) {
        // `{:#}` leaves out the hash at the end.
        Ok(plain) => printable(&format!("{plain:#}"), letters),
        Err(_) => printable(cpp_name(name).as_deref().unwrap_or(name), letters),
    }
}

/// The name of a function in C++, with its parameters.
fn cpp_name(name: &str) -> Option<String> {
    let symbol = Symbol::new(name.strip_prefix("_Z").map(|_| name)?).ok()?;
    let mut decoded = Decoded::default();
    let done = symbol.structured_demangle(&mut decoded, &DemangleOptions::new());
    (done.is_ok() || decoded.is_full()).then_some(decoded.text)
}

/// The beginning of a decoded name. A short name can encode a very long one, so decoding stops
/// when there is more than a message shows.
#[derive(Default)]
struct Decoded {
    text: String,
    parts: usize,
}

impl Decoded {
    fn is_full(&self) -> bool {
        self.text.len() > NAME_BYTES || self.parts > NAME_BYTES
    }
}

impl DemangleWrite for Decoded {
    fn write_string(&mut self, part: &str) -> fmt::Result {
        self.parts += 1;
        self.text.push_str(part);
        if self.is_full() { Err(fmt::Error) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_decoded() {
        for (name, shown) in [
            ("_ZN6my_bot5think17h0123456789abcdefE", "my_bot::think"),
            ("_RNvC6my_bot5think", "my_bot::think"),
            ("_ZN5board5thinkERK5Statei", "board::think(State const&, int)"),
            ("_ZZ4mainENKUlvE_clEv", "main::{lambda()#1}::operator()() const"),
            (
                "_ZNSt6vectorIiSaIiEE9push_backEi",
                "std::vector<int, std::allocator<int> >::push_back(int)",
            ),
            ("think", "think"),
            ("_Zebra", "_Zebra"),
            ("_ZN5board", "_ZN5board"),
        ] {
            assert_eq!(shown_name(name, 80), shown, "{name}");
        }
    }

    /// A name in C++ that encodes one of more than 2^18 letters.
    fn doubled() -> String {
        let digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
        let last = digits.chars().step_by(2);
        last.fold("_Z1f1AIiE".to_owned(), |name, at| format!("{name}1BIS{at}_S{at}_E"))
    }

    #[test]
    fn a_short_name_that_encodes_a_long_one_is_shortened() {
        let name = doubled();
        let decoded = cpp_name(&name).expect("a name");
        assert!(decoded.len() < 2 * NAME_BYTES, "{}", decoded.len());
        let shown = shown_name(&name, 80);
        assert!(shown.starts_with("f(A<int>, B<A<int>, A<int> >, B<B<A<int>"), "{shown}");
        assert!(shown.chars().count() <= 81, "{shown}");
    }

    #[test]
    fn deeply_nested_names_are_not_decoded() {
        for part in ["P", "I", "N", "1aI", "DpT_", "F", "XL_Z", "cvT_"] {
            let name = format!("_Z1f{}", part.repeat(NAME_BYTES / part.len() - 2));
            assert!(shown_name(&name, 80).starts_with("_Z1f"), "{part}");
        }
    }
}
