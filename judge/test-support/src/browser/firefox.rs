//! A headless Firefox, controlled over WebDriver BiDi, which needs no driver between.

use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use serde_json::{Value, json};
use tungstenite::WebSocket;

use super::{Browser, PATIENCE, dial, program};

/// Names of Firefox; Debian's comes first.
const NAMES: [&str; 2] = ["firefox-esr", "firefox"];

/// Events for waits and complaints.
const EVENTS: [&str; 3] =
    ["log.entryAdded", "network.beforeRequestSent", "browsingContext.downloadEnd"];

/// True if this machine has Firefox.
pub fn has_firefox() -> bool {
    program(&NAMES).is_some()
}

impl Browser {
    /// Starts a separate Firefox with an empty page. It can visit pages, run scripts, click, choose
    /// files and download.
    pub fn start_firefox() -> Browser {
        let profile = tempfile::tempdir().unwrap();
        let child = Command::new(program(&NAMES).expect("looked for before"))
            .args(["--headless", "--no-remote", "--remote-debugging-port=0", "--profile"])
            .args([profile.path().as_os_str(), "about:blank".as_ref()])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let socket = connect(profile.path());
        let mut browser = Browser::new(child, socket, profile);
        browser.ask("session.new", &json!({ "capabilities": {} }));
        browser.ask("session.subscribe", &json!({ "events": EVENTS }));
        let tree = browser.ask("browsingContext.getTree", &json!({}));
        let context = tree["contexts"][0]["context"].as_str().unwrap();
        browser.context = Some(context.to_owned());
        browser
    }

    /// Opens an address and waits until it is loaded.
    pub(super) fn navigate(&mut self, context: &str, url: &str) {
        let ask = json!({ "context": context, "url": url, "wait": "complete" });
        self.ask("browsingContext.navigate", &ask);
    }

    /// The reply to a script, and the value of its result.
    pub(super) fn run_in(&mut self, context: &str, script: &str) -> (Value, Value) {
        let text = format!("(async () => JSON.stringify(await ({script})))()");
        let ask = json!({ "expression": text, "awaitPromise": true,
                          "target": { "context": context } });
        let reply = self.send("script.evaluate", &ask);
        let value = reply["result"]["result"]["value"].as_str();
        let value = value.map_or(Value::Null, |text| serde_json::from_str(text).unwrap());
        (reply, value)
    }

    /// An element, as commands name it.
    fn element(&mut self, context: &str, selector: &str) -> Value {
        let script = format!("document.querySelector({})", json!(selector));
        let ask = json!({ "expression": script, "awaitPromise": false,
                          "target": { "context": context } });
        let found = self.ask("script.evaluate", &ask);
        json!({ "sharedId": found["result"]["sharedId"] })
    }

    /// Chooses a file in a form.
    pub(super) fn set_file(&mut self, context: &str, selector: &str, file: &Path) {
        let element = self.element(context, selector);
        let ask = json!({ "context": context, "element": element, "files": [file] });
        self.ask("input.setFiles", &ask);
    }

    /// Clicks on a place of the window.
    pub(super) fn click_on(&mut self, context: &str, [x, y]: [f64; 2]) {
        let actions = json!([
            { "type": "pointerMove", "x": x.round(), "y": y.round() },
            { "type": "pointerDown", "button": 0 },
            { "type": "pointerUp", "button": 0 },
        ]);
        let mouse = json!({ "type": "pointer", "id": "mouse", "actions": actions });
        self.ask("input.performActions", &json!({ "context": context, "actions": [mouse] }));
    }

    /// Lets the page save files to a folder.
    pub(super) fn save_to(&mut self, folder: &Path) {
        let behaviour = json!({ "type": "allowed", "destinationFolder": folder });
        self.ask("browser.setDownloadBehavior", &json!({ "downloadBehavior": behaviour }));
    }
}

/// Waits until the browser reports its address.
fn connect(profile: &Path) -> WebSocket<TcpStream> {
    let begun = Instant::now();
    loop {
        let told = std::fs::read(profile.join("WebDriverBiDiServer.json")).unwrap_or_default();
        let told: Value = serde_json::from_slice(&told).unwrap_or_default();
        if let Some(port) = told["ws_port"].as_u64() {
            return dial(port, "/session");
        }
        assert!(begun.elapsed() < PATIENCE, "Firefox did not start");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}
