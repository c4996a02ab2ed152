//! Slow clients, over a real socket. They are dropped, and do not delay other clients.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use crate::support::running::{Server, bearer, set_up};

/// Opens a connection and sends the beginning of a request.
fn begun(server: &Server, text: &str) -> TcpStream {
    let mut stream = TcpStream::connect(&server.host).unwrap();
    stream.write_all(text.as_bytes()).unwrap();
    // Far longer than the server's timeouts; after it, the test fails.
    stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
    stream
}

/// Reads until the server closes the connection.
fn rest(mut stream: TcpStream) -> String {
    let mut answer = Vec::new();
    match stream.read_to_end(&mut answer) {
        Ok(_) => {}
        Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => {}
        Err(error) => panic!("it was not closed: {error}"),
    }
    String::from_utf8_lossy(&answer).into_owned()
}

#[test]
fn g14_slow_requests_are_ended_while_others_are_served() {
    let place = tempfile::tempdir().unwrap();
    let data = place.path().join("data");
    let server = Server::start(&data);
    let token = set_up(&server);
    let head = "GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ";
    let path = "/api/v1/courses/ai/suites/mahjong/submissions";
    let body = format!(
        "POST {path} HTTP/1.1\r\nHost: {}\r\n{}\r\nContent-Length: 100000\r\n\r\n\0asm",
        server.host,
        bearer(&token)
    );
    let heads: Vec<TcpStream> = (0..200).map(|_| begun(&server, head)).collect();
    // The uploads of one person at a time are bounded; further ones have to wait.
    let bodies: Vec<TcpStream> = (0..20).map(|_| begun(&server, &body)).collect();
    for _ in 0..200 {
        server.api(&token, "GET", "/api/v1/whoami", b"");
    }
    for stream in heads {
        let answer = rest(stream);
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 408"), "{answer}");
    }
    let answers: Vec<String> = bodies.into_iter().map(rest).collect();
    let count = |status: &str| answers.iter().filter(|one| one.contains(status)).count();
    assert_eq!(count("HTTP/1.1 4"), 20, "{answers:?}");
    assert!(count("429 ") >= 10, "{answers:?}");
    // Their permits are free again, and no files are left.
    let module = std::fs::read(crate::program::bot("mahjong-distance")).unwrap();
    server.api(&token, "POST", path, &module);
    let left = std::fs::read_dir(data.join("uploads")).unwrap().count();
    assert_eq!(left, 0);
}
