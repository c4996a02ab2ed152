//! Serves the pages that contain the rules, as `judge/browser/README.md` requires.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::support::root;

/// The content security policy of the pages.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
                      connect-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'";

/// The address of a server for the files of the repository, which runs until this process ends.
pub(crate) fn start() -> String {
    serve(file)
}

/// The address of a server for a written site.
pub(crate) fn start_in(site: &Path) -> String {
    let site = site.to_owned();
    serve(move |path| site.join(if path.is_empty() { "index.html" } else { path }))
}

fn serve(find: impl Fn(&str) -> PathBuf + Send + Sync + 'static) -> String {
    let find = Arc::new(find);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            // A browser opens spare connections and sends nothing on them.
            let find = Arc::clone(&find);
            std::thread::spawn(move || answer(&stream, find.as_ref()));
        }
    });
    address
}

fn answer(mut stream: &TcpStream, find: &dyn Fn(&str) -> PathBuf) -> Option<()> {
    let mut lines = BufReader::new(stream).lines();
    let first = lines.next()?.ok()?;
    while !lines.next()?.ok()?.is_empty() {}
    let path = first.split(' ').nth(1)?.split('?').next()?.trim_start_matches('/');
    let (status, content) = match std::fs::read(find(path)) {
        Ok(content) => ("200 OK", content),
        Err(_) => ("404 Not Found", Vec::new()),
    };
    let kind = match path.rsplit('.').next()? {
        "" | "html" => "text/html; charset=utf-8",
        "js" => "text/javascript",
        "css" => "text/css",
        "json" => "application/json",
        "wasm" => "application/wasm",
        _ => "application/octet-stream",
    };
    let length = content.len();
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n\
         Content-Security-Policy: {POLICY}\r\nX-Content-Type-Options: nosniff\r\n\
         Connection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).ok()?;
    stream.write_all(&content).ok()
}

/// The file behind a path.
fn file(path: &str) -> PathBuf {
    match path {
        "judge-browser.wasm" => root().join("judge/browser/prebuilt").join(path),
        "style.css" => root().join("judge/report/src/page").join(path),
        _ => root().join("judge/browser/page").join(path),
    }
}
