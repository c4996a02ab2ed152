//! Forwards connections, and delays data like a slow line with losses: a lost piece comes later,
//! with everything after it.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// Delay of data in each direction.
const DELAY: Duration = Duration::from_millis(100);

/// Additional delay of a lost piece: until TCP sends it again.
const AGAIN: Duration = Duration::from_millis(300);

/// One in this many pieces is lost at first.
const LOSS: usize = 20;

/// Listens until the test ends.
pub(crate) struct Forwarder(u16);

impl Forwarder {
    /// Starts a forwarder that listens at an address, and passes data on to a port there.
    pub(crate) fn new(address: String, port: u16) -> Forwarder {
        let listener = TcpListener::bind((address.as_str(), 0)).unwrap();
        let own = listener.local_addr().unwrap().port();
        std::thread::spawn(move || {
            for near in listener.incoming().map_while(Result::ok) {
                let Ok(far) = TcpStream::connect((address.as_str(), port)) else { continue };
                for (from, to) in [(&near, &far), (&far, &near)] {
                    pass_on(from.try_clone().unwrap(), to.try_clone().unwrap());
                }
            }
        });
        Forwarder(own)
    }

    /// Its port.
    pub(crate) fn port(&self) -> u16 {
        self.0
    }
}

/// Forwards data, each piece with a delay.
fn pass_on(mut from: TcpStream, mut to: TcpStream) {
    let (send, receive) = mpsc::channel::<(Instant, Vec<u8>)>();
    std::thread::spawn(move || {
        let mut bytes = [0; 16_384];
        for piece in 1.. {
            let read = from.read(&mut bytes).unwrap_or(0);
            let late = if piece % LOSS == 0 { AGAIN } else { Duration::ZERO };
            let at = Instant::now() + DELAY + late;
            if send.send((at, bytes[..read].to_vec())).is_err() || read == 0 {
                return;
            }
        }
    });
    std::thread::spawn(move || {
        for (at, bytes) in receive {
            std::thread::sleep(at.saturating_duration_since(Instant::now()));
            if bytes.is_empty() || to.write_all(&bytes).is_err() {
                break;
            }
        }
        let _ = to.shutdown(Shutdown::Both);
    });
}
