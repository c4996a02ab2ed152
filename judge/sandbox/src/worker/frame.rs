//! Length-framed messages on a pipe: four bytes of length, little endian, then the message. Bulk
//! data follows its message as separate bytes with the same framing.

use std::io::{self, Read, Write};

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Longest message in either direction, in bytes. The longest honest one is the transcript of a
/// long round.
pub(super) const MAX_FRAME: usize = 16 << 20;

const HEADER: usize = 4;

/// An error of reading a message.
#[derive(Debug, thiserror::Error)]
pub(super) enum FrameError {
    /// The pipe ended or broke.
    #[error("the pipe broke: {0}")]
    Pipe(#[from] io::Error),
    /// The announced length exceeds any honest message.
    #[error("a message of {0} bytes was announced")]
    TooLong(usize),
    /// The bytes are not a message.
    #[error("unreadable message: {0}")]
    Unreadable(#[from] postcard::Error),
}

/// Writes one message with a single write: each write to a pipe wakes the reader.
pub(super) fn write(pipe: &mut impl Write, message: &impl Serialize) -> Result<(), FrameError> {
    let mut bytes = postcard::to_extend(message, vec![0; HEADER])?;
    let length = bytes.len() - HEADER;
    if length > MAX_FRAME {
        return Err(FrameError::TooLong(length));
    }
    bytes[..HEADER].copy_from_slice(&(length as u32).to_le_bytes());
    pipe.write_all(&bytes)?;
    pipe.flush()?;
    Ok(())
}

/// Writes the bytes that follow a message.
pub(super) fn write_bytes(pipe: &mut impl Write, bytes: &[u8]) -> Result<(), FrameError> {
    let length = u32::try_from(bytes.len()).map_err(|_| FrameError::TooLong(bytes.len()))?;
    pipe.write_all(&length.to_le_bytes())?;
    pipe.write_all(bytes)?;
    pipe.flush()?;
    Ok(())
}

/// Reads the bytes that follow a message, at most `most`.
pub(super) fn read_bytes(pipe: &mut impl Read, most: usize) -> Result<Vec<u8>, FrameError> {
    let mut length = [0; HEADER];
    pipe.read_exact(&mut length)?;
    read_body(pipe, u32::from_le_bytes(length) as usize, most)
}

/// Reads one message; `None` when the pipe ended between messages.
pub(super) fn read<T: DeserializeOwned>(pipe: &mut impl Read) -> Result<Option<T>, FrameError> {
    let mut length = [0; HEADER];
    match pipe.read_exact(&mut length) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        other => other?,
    }
    let bytes = read_body(pipe, u32::from_le_bytes(length) as usize, MAX_FRAME)?;
    let (message, rest) = postcard::take_from_bytes(&bytes)?;
    if rest.is_empty() { Ok(Some(message)) } else { Err(postcard::Error::SerdeDeCustom.into()) }
}

fn read_body(pipe: &mut impl Read, length: usize, most: usize) -> Result<Vec<u8>, FrameError> {
    if length > most {
        return Err(FrameError::TooLong(length));
    }
    let mut bytes = Vec::new();
    // `take` grows the buffer with the bytes that arrive, not with the announced length.
    pipe.take(length as u64).read_to_end(&mut bytes)?;
    if bytes.len() < length {
        return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_received_up_to_the_end_of_the_stream() {
        let mut pipe = Vec::new();
        write(&mut pipe, &"one".to_owned()).unwrap();
        write(&mut pipe, &"two".to_owned()).unwrap();
        let mut pipe = pipe.as_slice();
        assert_eq!(read::<String>(&mut pipe).unwrap().as_deref(), Some("one"));
        assert_eq!(read::<String>(&mut pipe).unwrap().as_deref(), Some("two"));
        assert_eq!(read::<String>(&mut pipe).unwrap(), None);
    }

    #[test]
    fn bytes_are_received_up_to_their_limit() {
        let mut pipe = Vec::new();
        write_bytes(&mut pipe, b"four").unwrap();
        assert_eq!(read_bytes(&mut pipe.as_slice(), 4).unwrap(), b"four");
        assert!(matches!(read_bytes(&mut pipe.as_slice(), 3), Err(FrameError::TooLong(4))));
        pipe.pop();
        assert!(matches!(read_bytes(&mut pipe.as_slice(), 4), Err(FrameError::Pipe(_))));
    }

    #[test]
    fn a_forged_length_is_refused_without_allocating() {
        let announced = (MAX_FRAME as u32 + 1).to_le_bytes();
        assert!(matches!(read::<String>(&mut announced.as_slice()), Err(FrameError::TooLong(_))));
        let cut = [9, 0, 0, 0, 1, 2];
        assert!(matches!(read::<String>(&mut cut.as_slice()), Err(FrameError::Pipe(_))));
    }

    #[test]
    fn leftover_bytes_in_a_frame_are_refused() {
        let mut pipe = vec![3, 0, 0, 0, 1, b'x', 0];
        assert!(matches!(read::<String>(&mut pipe.as_slice()), Err(FrameError::Unreadable(_))));
        pipe[0] = 2;
        pipe.pop();
        assert_eq!(read::<String>(&mut pipe.as_slice()).unwrap().as_deref(), Some("x"));
    }
}
