//! Addresses of databases.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The address of a database: a file or a server.
#[derive(Clone, PartialEq, Eq)]
pub enum Address {
    /// An SQLite file.
    Sqlite(PathBuf),
    /// A PostgreSQL server's address: `postgres://USER:PASSWORD@HOST/DATABASE`.
    Postgres(String),
}

/// The address is of an unknown kind.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "not the address of a database\n\nhint: `postgres://USER@HOST/DATABASE`, \
     `sqlite:PATH`, or the path of a file"
)]
pub struct NotAnAddress;

impl FromStr for Address {
    type Err = NotAnAddress;

    fn from_str(text: &str) -> Result<Address, NotAnAddress> {
        match text.split_once(':') {
            Some(("postgres" | "postgresql", rest)) if rest.starts_with("//") => {
                Ok(Address::Postgres(text.to_owned()))
            }
            Some(("sqlite", rest)) => {
                let path = rest.strip_prefix("//").unwrap_or(rest);
                Ok(Address::Sqlite(PathBuf::from(path)))
            }
            Some((scheme, rest)) if rest.starts_with("//") && scheme.len() > 1 => Err(NotAnAddress),
            _ if text.is_empty() => Err(NotAnAddress),
            _ => Ok(Address::Sqlite(PathBuf::from(text))),
        }
    }
}

/// Writes the address without a password, for messages.
impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Address::Sqlite(path) => write!(f, "{}", path.display()),
            Address::Postgres(url) => match url.split_once('@') {
                Some((_, rest)) => {
                    write!(f, "postgres://{}", rest.split('?').next().unwrap_or(rest))
                }
                None => f.write_str(url.split('?').next().unwrap_or(url)),
            },
        }
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The driver's URL of a file. With `create`, the driver creates a missing file.
pub(crate) fn sqlite_url(path: &Path, create: bool) -> String {
    let mode = if create { "rwc" } else { "rw" };
    let path = path.to_string_lossy().replace('\\', "/");
    let mut url = String::from("sqlite://");
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' | b':' => {
                url.push(char::from(byte));
            }
            _ => {
                let digit = |value: u8| char::from_digit(u32::from(value), 16).unwrap_or('0');
                url.extend(['%', digit(byte >> 4), digit(byte & 15)]);
            }
        }
    }
    url + "?mode=" + mode
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_a_kind_and_hide_their_password() {
        let file = |path: &str| Ok(Address::Sqlite(PathBuf::from(path)));
        assert_eq!("data/judge.db".parse(), file("data/judge.db"));
        assert_eq!("sqlite:///var/judge.db".parse(), file("/var/judge.db"));
        assert_eq!("sqlite:judge.db".parse(), file("judge.db"));
        assert_eq!("mysql://x/y".parse::<Address>(), Err(NotAnAddress));
        assert_eq!("".parse::<Address>(), Err(NotAnAddress));
        let url = "postgres://ada:secret@db.example/judge?password=secret";
        let address: Address = url.parse().expect("an address");
        assert_eq!(address, Address::Postgres(url.to_owned()));
        assert_eq!(format!("{address} {address:?}").matches("secret").count(), 0, "{address}");
    }

    #[test]
    fn paths_with_special_characters_are_passed_unchanged() {
        let url = sqlite_url(Path::new("/a b/100%?/x#y.db"), true);
        assert_eq!(url, "sqlite:///a%20b/100%25%3f/x%23y.db?mode=rwc");
    }
}
