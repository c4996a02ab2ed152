//! A list of people as a CSV file, in the variants and encodings that spreadsheets write. Each row
//! has its line number.

use judge_core::printable;
use judge_report::{BYTE_ORDER_MARK, composed};

use crate::base::encodings::{self, Guess};
use crate::base::list_layout::{self, ListLayout};

/// Maximum length of a name in a remark.
const LONGEST: usize = 60;

/// A list with column names and a row per person.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ListFile {
    /// Names of the columns.
    pub header: Vec<String>,
    /// The rows, without empty ones.
    pub rows: Vec<ListRow>,
    /// A remark on the encoding, if it is a guess.
    pub remark: Option<String>,
    /// The name of the encoding.
    pub encoding: &'static str,
    /// The name of the character between two fields.
    pub separator: &'static str,
}

/// A row of a list. Its fields are in composed Unicode (NFC).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListRow {
    /// The first line of the row, counted from 1.
    pub line: u64,
    fields: Vec<String>,
}

/// The reason why a file is not a list.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ListError {
    /// The encoding is recognized, but not supported.
    #[error("the text is in {0}: save the list as `CSV UTF-8`")]
    Encoding(&'static str),
    /// The encoding is unknown.
    #[error(
        "the text is not in UTF-8, and its encoding is not known: save the list as `CSV UTF-8`"
    )]
    UnknownEncoding,
    /// The file is not a text.
    #[error("expected a text, found {0}: save the list as `CSV UTF-8`")]
    Binary(&'static str),
    /// A line is malformed.
    #[error("line {line}: {what}")]
    Line {
        /// Its number.
        line: u64,
        /// The mistake in it.
        what: String,
    },
}

impl ListFile {
    /// Parses a list.
    ///
    /// # Errors
    /// If the encoding is not supported, or a line has a different number of fields from the first.
    pub fn parse(bytes: &[u8]) -> Result<ListFile, ListError> {
        let (list, wrong) = ListFile::parse_all(bytes)?;
        wrong.into_iter().next().map_or(Ok(list), Err)
    }

    /// Parses the rows that are well-formed, and returns an error for each other line.
    ///
    /// # Errors
    /// If the file is not a text, or its encoding is not supported.
    pub fn parse_all(bytes: &[u8]) -> Result<(ListFile, Vec<ListError>), ListError> {
        if let Some(kind) = list_layout::binary(bytes) {
            return Err(ListError::Binary(kind));
        }
        let (text, encoding, guess) = decoded(bytes)?;
        let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&text);
        if text.contains(list_layout::is_binary) {
            return Err(ListError::Binary("control characters"));
        }
        let (mut list, wrong) = rows(text);
        list.encoding = encoding;
        list.remark = guess.and_then(|guess| list.remark_on(guess));
        Ok((list, wrong))
    }

    /// The first column with one of these names.
    pub fn column(&self, names: &[&str]) -> Option<usize> {
        let is_one = |title: &String| names.iter().any(|name| title.eq_ignore_ascii_case(name));
        self.header.iter().position(is_one)
    }

    /// Adds a row, or the header if there is none yet. Empty rows do not count.
    fn take(&mut self, line: u64, mut fields: Vec<String>) -> Result<(), String> {
        let filled = fields.iter().rposition(|field| !field.is_empty()).map_or(0, |at| at + 1);
        if filled == 0 {
            return Ok(());
        }
        if self.header.is_empty() {
            fields.truncate(filled);
            self.header = fields;
            return Ok(());
        }
        check_count(fields.len(), filled, self.header.len())?;
        self.rows.push(ListRow { line, fields });
        Ok(())
    }

    /// A remark with the first name that shows whether the guess is right.
    fn remark_on(&self, guess: Guess) -> Option<String> {
        let fields = self.rows.iter().flat_map(|row| &row.fields).chain(&self.header);
        let sample = fields.into_iter().find(|field| !field.is_ascii())?;
        Some(format!(
            "the list is not in UTF-8 and was read as {}: `{}`; if that is wrong, save it as `CSV \
             UTF-8`",
            guess.title()?,
            printable(sample, LONGEST)
        ))
    }
}

impl ListRow {
    /// A field; none if it is empty.
    pub fn field(&self, column: Option<usize>) -> Option<String> {
        let text = self.fields.get(column?)?;
        // A cell with several lines is read as one text.
        let words: Vec<&str> = text.split(['\r', '\n']).map(str::trim).collect();
        Some(words.join(" ").trim().to_owned()).filter(|text| !text.is_empty())
    }
}

/// The text of a file, with the name of its encoding.
fn decoded(bytes: &[u8]) -> Result<(String, &'static str, Option<Guess>), ListError> {
    if let Some(read) = encodings::utf16(bytes) {
        return read.map(|text| (text, "UTF-16", None)).map_err(ListError::Encoding);
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Ok((text.to_owned(), "UTF-8", None));
    }
    match Guess::new(bytes) {
        // A name in the wrong encoding could match another student.
        Guess::Windows1252 => {
            let text = Guess::Windows1252.decode(bytes).ok_or(ListError::UnknownEncoding)?;
            Ok((text, "Windows-1252", Some(Guess::Windows1252)))
        }
        guess => Err(guess.title().map_or(ListError::UnknownEncoding, ListError::Encoding)),
    }
}

/// Parses all rows, and returns the malformed lines separately. Parsing stops at an open quote.
fn rows(text: &str) -> (ListFile, Vec<ListError>) {
    let ListLayout { separator, start } = ListLayout::new(text);
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .delimiter(separator)
        .from_reader(text.get(start..).unwrap_or_default().as_bytes());
    let (mut list, mut lines) = (ListFile::default(), Lines { text, at: 0, line: 1 });
    list.separator = list_layout::name(separator);
    let (mut wrong, mut record) = (Vec::new(), csv::StringRecord::new());
    loop {
        let begin = start + offset(reader.position());
        let is_one = reader.read_record(&mut record);
        let raw = text.get(begin..start + offset(reader.position())).unwrap_or_default();
        let line = lines.line_of(begin + raw.len() - raw.trim_start_matches(['\r', '\n']).len());
        match is_one.map_err(|error| error.to_string()) {
            Ok(true) => {}
            Ok(false) => return (list, wrong),
            Err(what) => return (list, end(wrong, line, what)),
        }
        let fields = record.iter().map(|field| composed(field).into_owned()).collect::<Vec<_>>();
        let is_broken = fields.iter().any(|field| field.contains(['\r', '\n']));
        if is_broken && !is_well_quoted(raw, char::from(separator)) {
            let what = "a field continues on the next line: is a quote open?".to_owned();
            return (list, end(wrong, line, what));
        }
        if let Err(what) = list.take(line, fields) {
            wrong.push(ListError::Line { line, what });
        }
    }
}

/// Adds the error at which parsing stops.
fn end(mut wrong: Vec<ListError>, line: u64, what: String) -> Vec<ListError> {
    wrong.push(ListError::Line { line, what });
    wrong
}

fn offset(position: &csv::Position) -> usize {
    usize::try_from(position.byte()).unwrap_or(usize::MAX)
}

/// Refuses a row with a different number of fields from the first line. Empty fields at the end do
/// not count, because spreadsheets add them.
fn check_count(fields: usize, filled: usize, columns: usize) -> Result<(), String> {
    if fields >= columns && filled <= columns {
        return Ok(());
    }
    let found = if fields < columns { fields } else { filled };
    Err(format!(
        "expected {columns} fields as in the first line, found {found}: put a field with a separator \
         in quotes, and keep the separator of an empty one"
    ))
}

/// Counts line numbers from one row to the next.
struct Lines<'a> {
    text: &'a str,
    at: usize,
    line: u64,
}

impl Lines<'_> {
    /// The line number of a byte. Calls must be in increasing order of bytes.
    fn line_of(&mut self, byte: usize) -> u64 {
        let bytes = self.text.as_bytes();
        while self.at < byte.min(bytes.len()) {
            let is_end = match bytes[self.at] {
                b'\n' => true,
                b'\r' => bytes.get(self.at + 1) != Some(&b'\n'),
                _ => false,
            };
            self.line += u64::from(is_end);
            self.at += 1;
        }
        self.line
    }
}

/// True if all quotes of a row open and close fields. An unclosed quote would turn the next people
/// into part of a field.
fn is_well_quoted(row: &str, delimiter: char) -> bool {
    let mut letters = row.trim_matches(['\r', '\n']).chars().peekable();
    let (mut quoted, mut begins) = (false, true);
    while let Some(letter) = letters.next() {
        match (letter, quoted) {
            ('"', true) if letters.next_if_eq(&'"').is_some() => {}
            ('"', true) => {
                quoted = false;
                if letters.peek().is_some_and(|next| *next != delimiter) {
                    return false;
                }
            }
            ('"', false) if begins => quoted = true,
            ('"', false) => return false,
            _ => {}
        }
        begins = letter == delimiter && !quoted;
    }
    !quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &[u8]) -> Vec<(u64, String)> {
        let list = ListFile::parse(text).expect("a list");
        list.rows.iter().map(|row| (row.line, row.field(Some(0)).unwrap_or_default())).collect()
    }

    #[test]
    fn rows_have_line_numbers_with_any_line_ending() {
        let expected = [(2, "ada"), (3, "bob"), (6, "cy"), (9, "dan")]
            .map(|(line, name)| (line, name.to_owned()));
        let text = "name,note\nada,\nbob,\n\n\ncy,\"two\nlines\"\n,\ndan,\n";
        for ending in ["\n", "\r\n", "\r"] {
            let text = text.replace('\n', ending);
            assert_eq!(lines(text.as_bytes()), expected, "{ending:?}");
            assert_eq!(lines(format!("\u{feff}{text}").as_bytes()), expected, "{ending:?}");
        }
        let later: Vec<u64> =
            lines(b"\r\n\r\n\"na\r\nme\",x\r\nada,\r\n").iter().map(|row| row.0).collect();
        assert_eq!(later, [5], "after empty lines and a name of two");
    }

    #[test]
    fn trailing_empty_rows_and_columns_are_ignored() {
        let list = ListFile::parse(b"name,id,,\nada,7,,\nbob,8,,,,\n,,,\ncy,9\n").expect("a list");
        assert_eq!((list.header.len(), list.rows.len()), (2, 3));
        let error = ListFile::parse(b"name,id,,\nada,7,x,\n").expect_err("a third").to_string();
        assert!(
            error.starts_with("line 2: expected 2 fields as in the first line, found 3"),
            "{error}"
        );
        let error = ListFile::parse(b"name,id\r\n\r\nada\r\n").expect_err("one").to_string();
        assert!(
            error.starts_with("line 3: expected 2 fields as in the first line, found 1"),
            "{error}"
        );
    }

    #[test]
    fn an_open_quote_spoils_only_its_row() {
        for text in [
            "name,note\nada,x\nbob,\"open\ncy,y\n",
            "name,note\nada,x\nbob,\"open\ncy,\"y\"\n",
            "name,note\nada,x\nbob,\"open\ncy,y\",z\n",
        ] {
            let error = ListFile::parse(text.as_bytes()).expect_err(text).to_string();
            assert!(error.starts_with("line 3: "), "{error}");
        }
        let list =
            ListFile::parse(b"name,note\n\"King,\nAda\",\"say \"\"hi\"\"\n\"\n").expect("a list");
        assert_eq!(list.rows[0].field(Some(0)).as_deref(), Some("King, Ada"));
    }

    #[test]
    fn encodings_of_spreadsheets_are_read_or_reported() {
        let text = "name\tid\r\nJürgen Müller\t0017\r\n";
        let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let western: Vec<u8> =
            text.chars().map(|letter| u8::try_from(letter).expect("western")).collect();
        let combining = text.replace('ü', "u\u{308}");
        for bytes in
            [text.as_bytes(), combining.as_bytes(), &[&[0xff, 0xfe], &utf16[..]].concat(), &western]
        {
            let list = ListFile::parse(bytes).expect("a list");
            assert_eq!(
                list.rows[0].field(list.column(&["NAME"])).as_deref(),
                Some("Jürgen Müller")
            );
            assert_eq!(list.rows[0].field(list.column(&["id"])).as_deref(), Some("0017"));
            assert_eq!(list.remark.is_some(), bytes == western);
        }
        let remark = ListFile::parse(&western).expect("a list").remark.expect("it was a guess");
        assert!(remark.contains("was read as Windows-1252: `Jürgen Müller`; if"), "{remark}");
        let gbk = b"name,id\n\xcd\xf5\xb7\xbc,7\n";
        let error = ListFile::parse(gbk).expect_err("not read").to_string();
        assert_eq!(error, "the text is in GBK: save the list as `CSV UTF-8`");
        assert_eq!(ListFile::parse(b"name\n\x81\x82\x83\n"), Err(ListError::UnknownEncoding));
    }

    #[test]
    fn every_malformed_line_has_an_error_and_the_others_are_read() {
        let text = b"name,id\nada,7\nbob\ncy,9\ndan,1,2\neve,\"3\nfay,4\n";
        let (list, wrong) = ListFile::parse_all(text).expect("a text");
        let names: Vec<Option<String>> = list.rows.iter().map(|row| row.field(Some(0))).collect();
        assert_eq!(names, [Some("ada".to_owned()), Some("cy".to_owned())]);
        let wrong: Vec<String> = wrong.iter().map(ToString::to_string).collect();
        for (error, line) in std::iter::zip(&wrong, ["line 3: ", "line 5: ", "line 6: "]) {
            assert!(error.starts_with(line), "{wrong:?}");
        }
        assert_eq!(wrong.len(), 3, "nothing after an open quote: {wrong:?}");
    }

    #[test]
    fn the_separator_line_of_a_spreadsheet_is_skipped() {
        let list = ListFile::parse(b"sep=;\r\nname;id\r\nKing, Ada;7\r\n").expect("a list");
        assert_eq!((list.header.len(), list.rows[0].line), (2, 3));
        assert_eq!(list.rows[0].field(Some(0)).as_deref(), Some("King, Ada"));
    }

    #[test]
    fn binary_files_are_reported() {
        for (bytes, kind) in [
            (&b"PK\x03\x04\x14\0\x06\0"[..], "a workbook or an archive"),
            (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old workbook"),
            (b"%PDF-1.7\n", "a PDF"),
            (b"\0asm\x01\0\0\0", "a module"),
            (b"name,id\nada,\0\n", "control characters"),
        ] {
            assert_eq!(ListFile::parse(bytes), Err(ListError::Binary(kind)));
        }
    }
}
