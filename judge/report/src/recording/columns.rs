//! A Parquet file from a list of columns.

use std::fmt::Write as _;
use std::io;
use std::sync::Arc;

use parquet::basic::{Compression, Encoding, GzipLevel};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, Int32Type, Int64Type};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::ColumnPath;

/// As fast as Snappy, and 20 to 35 % smaller. Higher levels take several times as long.
const GZIP_LEVEL: u32 = 2;

/// A column and the source of its values.
pub(super) struct Column<R> {
    pub(super) name: &'static str,
    pub(super) values: Values<R>,
}

/// Reads a column's value from a row.
pub(super) enum Values<R> {
    /// Whole numbers from 0, 64 bits.
    Unsigned(fn(&R) -> u64),
    /// Whole numbers, 64 bits.
    Long(fn(&R) -> i64),
    /// Optional whole numbers, 64 bits.
    MaybeLong(fn(&R) -> Option<i64>),
    /// Whole numbers, 32 bits.
    Int(fn(&R) -> i32),
    /// Small whole numbers, 8 bits.
    Tiny(fn(&R) -> i32),
    /// Optional small whole numbers, 8 bits.
    MaybeTiny(fn(&R) -> Option<i32>),
    /// True or false.
    Flag(fn(&R) -> bool),
    /// Text with few distinct values.
    Text(fn(&R) -> &str),
    /// Text that starts like the row before it.
    Growing(fn(&R) -> &str),
    /// Optional text.
    MaybeText(fn(&R) -> Option<&str>),
}

impl<R> Values<R> {
    /// The type in Parquet's schema language, as the parts before and after the name.
    fn kind(&self) -> [&'static str; 2] {
        match self {
            Values::Unsigned(_) => ["required int64", "(integer(64,false))"],
            Values::Long(_) => ["required int64", "(integer(64,true))"],
            Values::MaybeLong(_) => ["optional int64", "(integer(64,true))"],
            Values::Int(_) => ["required int32", "(integer(32,true))"],
            Values::Tiny(_) => ["required int32", "(integer(8,true))"],
            Values::MaybeTiny(_) => ["optional int32", "(integer(8,true))"],
            Values::Flag(_) => ["required boolean", ""],
            Values::Text(_) | Values::Growing(_) => ["required binary", "(string)"],
            Values::MaybeText(_) => ["optional binary", "(string)"],
        }
    }

    fn write(&self, rows: &[R], out: &mut SerializedColumnWriter<'_>) -> Result<()> {
        match self {
            // Parquet keeps unsigned numbers in the bits of signed ones.
            Values::Unsigned(of) => all::<Int64Type, _>(rows, out, |row| of(row).cast_signed()),
            Values::Long(of) => all::<Int64Type, _>(rows, out, of),
            Values::MaybeLong(of) => some::<Int64Type, _>(rows, out, of),
            Values::Int(of) | Values::Tiny(of) => all::<Int32Type, _>(rows, out, of),
            Values::MaybeTiny(of) => some::<Int32Type, _>(rows, out, of),
            Values::Flag(of) => all::<BoolType, _>(rows, out, of),
            Values::Text(of) | Values::Growing(of) => {
                all::<ByteArrayType, _>(rows, out, |row| bytes(of(row)))
            }
            Values::MaybeText(of) => some::<ByteArrayType, _>(rows, out, |row| of(row).map(bytes)),
        }
    }
}

fn bytes(text: &str) -> ByteArray {
    text.as_bytes().to_vec().into()
}

/// Writes a column in which every row has a value.
fn all<T: DataType, R>(
    rows: &[R],
    out: &mut SerializedColumnWriter<'_>,
    of: impl Fn(&R) -> T::T,
) -> Result<()> {
    let values: Vec<T::T> = rows.iter().map(of).collect();
    out.typed::<T>().write_batch(&values, None, None).map(|_| ())
}

/// Writes a column in which rows may have no value.
fn some<T: DataType, R>(
    rows: &[R],
    out: &mut SerializedColumnWriter<'_>,
    of: impl Fn(&R) -> Option<T::T>,
) -> Result<()> {
    let values: Vec<Option<T::T>> = rows.iter().map(of).collect();
    let there: Vec<i16> = values.iter().map(|value| value.is_some().into()).collect();
    let values: Vec<T::T> = values.into_iter().flatten().collect();
    out.typed::<T>().write_batch(&values, Some(&there), None).map(|_| ())
}

/// Returns a file with these rows; `about` becomes part of its metadata.
pub(super) fn file<R>(
    name: &str,
    columns: &[Column<R>],
    rows: &[R],
    about: &[(&str, String)],
) -> io::Result<Vec<u8>> {
    write(name, columns, rows, about).map_err(|error| io::Error::other(error.to_string()))
}

fn write<R>(
    name: &str,
    columns: &[Column<R>],
    rows: &[R],
    about: &[(&str, String)],
) -> Result<Vec<u8>> {
    let schema = Arc::new(parse_message_type(&schema(name, columns))?);
    let properties = Arc::new(properties(columns, about)?);
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, properties)?;
    if !rows.is_empty() {
        let mut group = writer.next_row_group()?;
        for column in columns {
            let next = group.next_column()?;
            let mut out =
                next.ok_or_else(|| ParquetError::General("too few columns".to_owned()))?;
            column.values.write(rows, &mut out)?;
            out.close()?;
        }
        group.close()?;
    }
    writer.into_inner()
}

fn schema<R>(name: &str, columns: &[Column<R>]) -> String {
    let mut schema = format!("message {name} {{\n");
    for column in columns {
        let [kind, meaning] = column.values.kind();
        // Writing to a string cannot fail.
        let _ = writeln!(schema, "  {kind} {} {meaning};", column.name);
    }
    schema + "}"
}

/// The properties of a file. The same games must give the same bytes, so nothing depends on time or
/// machine.
fn properties<R>(columns: &[Column<R>], about: &[(&str, String)]) -> Result<WriterProperties> {
    let about = about.iter().map(|(key, value)| KeyValue::new((*key).to_owned(), value.clone()));
    let mut properties = WriterProperties::builder()
        .set_created_by("judge".to_owned())
        .set_compression(Compression::GZIP(GzipLevel::try_new(GZIP_LEVEL)?))
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_offset_index_disabled(true)
        .set_key_value_metadata(Some(about.collect()));
    for column in columns.iter().filter(|one| matches!(one.values, Values::Growing(_))) {
        let path = ColumnPath::from(column.name);
        properties = properties
            .set_column_dictionary_enabled(path.clone(), false)
            .set_column_encoding(path.clone(), Encoding::DELTA_BYTE_ARRAY)
            .set_column_statistics_enabled(path, EnabledStatistics::None);
    }
    Ok(properties.build())
}
