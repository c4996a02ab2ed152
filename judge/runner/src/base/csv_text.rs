//! Rows as the text of a CSV file.

use crate::Error;

/// Formats a CSV file with these headings and rows.
///
/// # Errors
/// If a row has more or fewer fields than there are headings, which is a bug in the judge.
pub(crate) fn csv_text<H, R>(
    headings: H,
    rows: impl IntoIterator<Item = R>,
) -> Result<String, Error>
where
    H: IntoIterator<Item: AsRef<[u8]>>,
    R: IntoIterator<Item: AsRef<[u8]>>,
{
    let failed = |error: &dyn std::fmt::Display| Error::Judge(error.to_string());
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(headings).map_err(|error| failed(&error))?;
    for row in rows {
        writer.write_record(row).map_err(|error| failed(&error))?;
    }
    let bytes = writer.into_inner().map_err(|error| failed(&error))?;
    String::from_utf8(bytes).map_err(|error| failed(&error))
}
