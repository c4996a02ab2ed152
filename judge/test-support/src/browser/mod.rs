//! A headless Chromium, controlled over its debugging socket, or a headless Firefox.

mod firefox;

use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Value, json};
use tempfile::TempDir;
use tungstenite::{Message, WebSocket};

pub use firefox::has_firefox;

/// Longest wait for anything.
const PATIENCE: Duration = Duration::from_secs(60);

/// Names of Chromium.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// Chromium on this machine, if there is one.
pub fn find() -> Option<PathBuf> {
    program(&NAMES)
}

/// The first program with one of these names on this machine.
fn program(names: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name))).find(|file| {
        // An entry may point to a missing file.
        file.is_file()
    })
}

/// One browser with one page.
pub struct Browser {
    child: Child,
    socket: WebSocket<TcpStream>,
    /// Chromium's session with the page.
    session: Option<String>,
    /// Firefox's name of the page.
    context: Option<String>,
    sent: u64,
    /// Events received in the meantime.
    events: Vec<Value>,
    _profile: TempDir,
}

impl Browser {
    /// Starts a separate browser with an empty page.
    pub fn start() -> Browser {
        let profile = tempfile::tempdir().unwrap();
        let child = Command::new(find().expect("looked for before"))
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"])
            .args(["--disable-dev-shm-usage", "--disable-extensions", "--hide-scrollbars"])
            .args(["--remote-debugging-port=0", "about:blank"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let socket = connect(profile.path());
        let mut browser = Browser::new(child, socket, profile);
        let target = browser.ask("Target.createTarget", &json!({ "url": "about:blank" }));
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let attached = browser.ask("Target.attachToTarget", &attach);
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.ask(&format!("{domain}.enable"), &json!({}));
        }
        browser.ask("Performance.enable", &json!({ "timeDomain": "threadTicks" }));
        browser.screen(1280, 900);
        browser
    }

    fn new(child: Child, socket: WebSocket<TcpStream>, profile: TempDir) -> Browser {
        let (session, context) = (None, None);
        Browser { child, socket, session, context, sent: 0, events: vec![], _profile: profile }
    }

    /// Opens a file and waits until it is loaded.
    pub fn open(&mut self, file: &Path) {
        self.visit(&address(file));
    }

    /// Opens an address and waits until it is loaded.
    pub fn visit(&mut self, url: &str) {
        self.events.clear();
        if let Some(context) = self.context.clone() {
            return self.navigate(&context, url);
        }
        self.ask("Page.navigate", &json!({ "url": url }));
        self.wait();
    }

    /// Waits until a script returns true.
    pub fn until(&mut self, script: &str) {
        let begun = Instant::now();
        while !self.says(script) {
            assert!(begun.elapsed() < PATIENCE, "never true: {script}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Clicks on a link that saves a file, and reads the file.
    pub fn download(&mut self, selector: &str, folder: &Path) -> String {
        match self.context {
            Some(_) => self.save_to(folder),
            None => {
                let allow = json!({ "behavior": "allow", "downloadPath": folder });
                self.ask("Page.setDownloadBehavior", &allow);
            }
        }
        self.until(&format!("document.querySelector({}).href !== ''", json!(selector)));
        let name = self.value(&format!("document.querySelector({}).download", json!(selector)));
        let before = self.events.len();
        self.click(selector);
        // The file has its name before all of its bytes are in it.
        self.wait_for(before, |event| match event["method"].as_str() {
            Some("Page.downloadProgress") => event["params"]["state"] == "completed",
            Some("browsingContext.downloadEnd") => event["params"]["status"] == "complete",
            _ => false,
        });
        let file = folder.join(name.as_str().unwrap());
        std::fs::read_to_string(file).unwrap()
    }

    /// Clicks on a link and waits until its target is loaded.
    pub fn follow(&mut self, selector: &str) {
        self.events.clear();
        self.click(selector);
        self.wait();
    }

    fn wait(&mut self) {
        self.wait_for(0, |event| event["method"] == "Page.loadEventFired");
    }

    /// Waits for an event after the first `before` ones.
    fn wait_for(&mut self, before: usize, is_awaited: impl Fn(&Value) -> bool) {
        while !self.events[before..].iter().any(&is_awaited) {
            let event = self.receive();
            self.events.push(event);
        }
    }

    /// The result of a script in the page.
    pub fn value(&mut self, script: &str) -> Value {
        let (reply, value) = self.run_script(script);
        let fails = reply.get("error").is_some() || has_exception(&reply);
        assert!(!fails, "{script}: {reply}");
        value
    }

    /// True if a script returns true; false also while the page is replaced by another.
    pub fn says(&mut self, script: &str) -> bool {
        let (reply, value) = self.run_script(script);
        let gone = reply.get("error").is_some();
        assert!(gone || !has_exception(&reply), "{script}: {reply}");
        value == true
    }

    /// The reply to a script, and the value of its result.
    fn run_script(&mut self, script: &str) -> (Value, Value) {
        if let Some(context) = self.context.clone() {
            return self.run_in(&context, script);
        }
        let ask = json!({ "expression": script, "returnByValue": true, "awaitPromise": true });
        let reply = self.send("Runtime.evaluate", &ask);
        let value = reply["result"]["result"]["value"].clone();
        (reply, value)
    }

    /// The text of an element.
    pub fn text(&mut self, selector: &str) -> String {
        let script = format!("document.querySelector({}).textContent", json!(selector));
        self.value(&script).as_str().unwrap().to_owned()
    }

    /// Types a text into an element.
    pub fn type_into(&mut self, selector: &str, text: &str) {
        self.value(&format!("document.querySelector({}).focus()", json!(selector)));
        self.ask("Input.insertText", &json!({ "text": text }));
    }

    /// Chooses a file in a form.
    pub fn choose_file(&mut self, selector: &str, file: &Path) {
        if let Some(context) = self.context.clone() {
            return self.set_file(&context, selector, file);
        }
        let script = format!("document.querySelector({})", json!(selector));
        let found = self.ask("Runtime.evaluate", &json!({ "expression": script }));
        let input = &found["result"]["objectId"];
        self.ask("DOM.setFileInputFiles", &json!({ "files": [file], "objectId": input }));
    }

    /// Runs a script in every page from now on, before the page's scripts.
    pub fn begin_with(&mut self, script: &str) {
        self.ask("Page.addScriptToEvaluateOnNewDocument", &json!({ "source": script }));
    }

    /// The address of the page.
    pub fn location(&mut self) -> String {
        self.value("location.href").as_str().unwrap().to_owned()
    }

    /// Presses a key, by its name in `KeyboardEvent.key`.
    pub fn press(&mut self, key: &str) {
        let code = match key {
            " " => 32,
            "Tab" => 9,
            "End" => 35,
            "Home" => 36,
            "ArrowLeft" => 37,
            "ArrowUp" => 38,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            other => panic!("no key `{other}`"),
        };
        let mut event = json!({ "type": "keyDown", "key": key, "windowsVirtualKeyCode": code });
        if key == " " {
            event["text"] = json!(" ");
        }
        self.ask("Input.dispatchKeyEvent", &event);
        let event = json!({ "type": "keyUp", "key": key, "windowsVirtualKeyCode": code });
        self.ask("Input.dispatchKeyEvent", &event);
    }

    /// Clicks on an element at a position in hundredths of its width.
    pub fn click_at(&mut self, selector: &str, hundredths: f64) {
        let script = format!(
            "(() => {{ const found = document.querySelector({});
               found.scrollIntoView({{ block: 'center' }});
               // A link over several lines has a box for each.
               const box = found.getClientRects()[0];
               return [box.left + box.width * {hundredths} / 100, box.top + box.height / 2]; }})()",
            json!(selector)
        );
        let place = self.value(&script);
        if let Some(context) = self.context.clone() {
            let place = [&place[0], &place[1]].map(|number| number.as_f64().unwrap());
            return self.click_on(&context, place);
        }
        for kind in ["mousePressed", "mouseReleased"] {
            let event = json!({ "type": kind, "x": place[0], "y": place[1], "button": "left",
                                "clickCount": 1 });
            self.ask("Input.dispatchMouseEvent", &event);
        }
    }

    /// Clicks on an element.
    pub fn click(&mut self, selector: &str) {
        self.click_at(selector, 50.0);
    }

    /// Sets the size of the window.
    pub fn screen(&mut self, width: u32, height: u32) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1,
                           "mobile": width < 500 });
        self.ask("Emulation.setDeviceMetricsOverride", &size);
    }

    /// Sets the reader's preference: `dark` or `light`.
    pub fn prefer(&mut self, scheme: &str) {
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        self.ask("Emulation.setEmulatedMedia", &json!({ "features": features }));
    }

    /// All errors of the page, and all addresses outside it that it requested.
    pub fn complaints(&mut self) -> Vec<String> {
        // Pending events arrive before the reply to this.
        self.value("1");
        let complaint = |event: &Value| match event["method"].as_str()? {
            "Runtime.exceptionThrown" | "Log.entryAdded" => Some(event["params"].to_string()),
            "Runtime.consoleAPICalled" => Some(event["params"].to_string()),
            "Page.javascriptDialogOpening" | "log.entryAdded" => Some(event["params"].to_string()),
            "network.beforeRequestSent" => {
                let asked = event["params"]["request"]["url"].as_str()?;
                event["params"]["navigation"].is_null().then(|| asked.to_owned())
            }
            "Network.requestWillBeSent" => {
                let asked = event["params"]["request"]["url"].as_str()?;
                (asked != event["params"]["documentURL"]).then(|| asked.to_owned())
            }
            _ => None,
        };
        self.events.iter().filter_map(complaint).collect()
    }

    /// Processor time of the page's thread so far, in milliseconds.
    pub fn spent(&mut self) -> f64 {
        let metrics = self.ask("Performance.getMetrics", &json!({}));
        let metrics = metrics["metrics"].as_array().unwrap();
        let tasks = metrics.iter().find(|metric| metric["name"] == "TaskDuration").unwrap();
        tasks["value"].as_f64().unwrap() * 1000.0
    }

    /// Saves the window, or the whole page, as a PNG.
    pub fn shoot(&mut self, file: &Path, whole: bool) {
        let ask = json!({ "format": "png", "captureBeyondViewport": whole });
        let shot = self.ask("Page.captureScreenshot", &ask);
        let bytes = BASE64.decode(shot["data"].as_str().unwrap());
        std::fs::write(file, bytes.unwrap()).unwrap();
    }

    /// Sends a command and waits for its result.
    fn ask(&mut self, method: &str, parameters: &Value) -> Value {
        let mut message = self.send(method, parameters);
        assert!(message.get("error").is_none(), "{method}: {message}");
        message["result"].take()
    }

    /// Sends a command and waits for its reply.
    fn send(&mut self, method: &str, parameters: &Value) -> Value {
        self.sent += 1;
        let mut command = json!({ "id": self.sent, "method": method, "params": parameters });
        if let Some(session) = &self.session {
            command["sessionId"] = json!(session);
        }
        self.socket.send(Message::text(command.to_string())).unwrap();
        loop {
            let message = self.receive();
            if message["id"] == self.sent {
                return message;
            }
            self.events.push(message);
        }
    }

    fn receive(&mut self) -> Value {
        loop {
            if let Message::Text(text) = self.socket.read().unwrap() {
                return serde_json::from_str(&text).unwrap();
            }
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Its helper processes end with it.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn address(file: &Path) -> String {
    format!("file://{}", file.display())
}

/// Waits until the browser reports its address.
fn connect(profile: &Path) -> WebSocket<TcpStream> {
    let begun = Instant::now();
    loop {
        let told = std::fs::read_to_string(profile.join("DevToolsActivePort")).unwrap_or_default();
        if let Some((port, path)) = told.split_once('\n') {
            return dial(port.parse().unwrap(), path.trim_end());
        }
        assert!(begun.elapsed() < PATIENCE, "Chromium did not start");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Connects to a debugging socket of this machine.
fn dial(port: u64, path: &str) -> WebSocket<TcpStream> {
    let stream = TcpStream::connect(format!("127.0.0.1:{port}")).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    tungstenite::client(format!("ws://127.0.0.1:{port}{path}"), stream).unwrap().0
}

/// True if a script threw an exception.
fn has_exception(reply: &Value) -> bool {
    reply["result"].get("exceptionDetails").is_some()
}
