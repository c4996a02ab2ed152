//! A pipe to or from a worker. It never blocks longer than the process may live, even if another
//! process keeps the other end open.

use std::io::{self, Read, Write};
use std::sync::Arc;

use super::watchdog::Watched;

pub(super) struct Pipe<P> {
    pipe: P,
    #[cfg_attr(not(unix), expect(dead_code, reason = "pipes block there"))]
    process: Arc<Watched>,
}

#[cfg(unix)]
impl<P: std::os::fd::AsFd> Pipe<P> {
    /// Wraps the end of a pipe to `process`.
    pub(super) fn new(pipe: P, process: &Arc<Watched>) -> io::Result<Pipe<P>> {
        rustix::io::ioctl_fionbio(&pipe, true)?;
        Ok(Pipe { pipe, process: Arc::clone(process) })
    }

    /// Waits until the pipe is ready.
    ///
    /// # Errors
    /// When the process was killed meanwhile.
    fn wait(&self, wanted: rustix::event::PollFlags) -> io::Result<()> {
        use rustix::event::{PollFd, Timespec, poll};

        let while_waiting = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };
        while !self.process.is_killed() {
            match poll(&mut [PollFd::new(&self.pipe, wanted)], Some(&while_waiting)) {
                Ok(0) | Err(rustix::io::Errno::INTR) => {}
                Ok(_) => return Ok(()),
                Err(error) => return Err(error.into()),
            }
        }
        Err(io::ErrorKind::BrokenPipe.into())
    }
}

#[cfg(unix)]
impl<P: Read + std::os::fd::AsFd> Read for Pipe<P> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.pipe.read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    self.wait(rustix::event::PollFlags::IN)?;
                }
                read => return read,
            }
        }
    }
}

#[cfg(unix)]
impl<P: Write + std::os::fd::AsFd> Write for Pipe<P> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        loop {
            match self.pipe.write(bytes) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    self.wait(rustix::event::PollFlags::OUT)?;
                }
                written => return written,
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.pipe.flush()
    }
}

#[cfg(not(unix))]
impl<P> Pipe<P> {
    /// Wraps the end of a pipe to `process`.
    pub(super) fn new(pipe: P, process: &Arc<Watched>) -> io::Result<Pipe<P>> {
        Ok(Pipe { pipe, process: Arc::clone(process) })
    }
}

#[cfg(not(unix))]
impl<P: Read> Read for Pipe<P> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.pipe.read(buffer)
    }
}

#[cfg(not(unix))]
impl<P: Write> Write for Pipe<P> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.pipe.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.pipe.flush()
    }
}
