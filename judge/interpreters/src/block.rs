//! A script's files in one block of memory: see `script.h`, which reads it.

/// A file of a script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Its name, for imports and stack traces.
    pub name: String,
    /// Its text.
    pub text: Vec<u8>,
}

impl File {
    /// A file.
    pub fn new(name: impl Into<String>, text: impl Into<Vec<u8>>) -> File {
        File { name: name.into(), text: text.into() }
    }
}

/// The block of these files.
pub(crate) fn write(magic: [u8; 4], files: &[File]) -> Vec<u8> {
    let mut content = Vec::new();
    for file in files {
        write_text(file.name.as_bytes(), 1, &mut content);
        write_text(&file.text, 0, &mut content);
    }
    let mut block = Vec::from(magic);
    write_size(content.len(), &mut block);
    block.extend(content);
    block
}

/// A text with its size before it and a zero byte after it, which the size counts if `zero` is 1.
fn write_text(text: &[u8], zero: usize, to: &mut Vec<u8>) {
    write_size(text.len() + zero, to);
    to.extend(text);
    to.push(0);
}

fn write_size(size: usize, to: &mut Vec<u8>) {
    // No accepted module has room for a larger text.
    to.extend(u32::try_from(size).unwrap_or(u32::MAX).to_le_bytes());
}

/// The first file of a block.
pub(crate) fn first(block: &[u8]) -> Option<File> {
    let (name, rest) = read_text(block.get(8..)?, 0)?;
    let (text, _) = read_text(rest, 1)?;
    let name = name.strip_suffix(b"\0")?;
    Some(File::new(String::from_utf8_lossy(name), text))
}

/// A text with its size before it, and the bytes after it without the first `more` ones.
fn read_text(bytes: &[u8], more: usize) -> Option<(&[u8], &[u8])> {
    let (size, rest) = bytes.split_first_chunk()?;
    let size = u32::from_le_bytes(*size) as usize;
    Some((rest.get(..size)?, rest.get(size.checked_add(more)?..)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_matches_the_c_header() {
        let block = write(*b"JS\x01\0", &[File::new("a.js", "x"), File::new("b", "")]);
        let content = b"\x05\0\0\0a.js\0\x01\0\0\0x\0\x02\0\0\0b\0\0\0\0\0\0";
        assert_eq!(block, [&b"JS\x01\0\x1a\0\0\0"[..], content].concat());
        assert_eq!(first(&block), Some(File::new("a.js", "x")));
        assert_eq!(first(&block[..10]), None);
    }
}
