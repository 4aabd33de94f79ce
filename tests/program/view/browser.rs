//! A real browser, driven as the W3C's WebDriver says.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A headless Chromium with one window.
pub struct Browser {
    driver: Child,
    /// Kept open, for a driver that nobody hears may end.
    _said: BufReader<ChildStdout>,
    /// Address of the session.
    session: String,
    _profile: TempDir,
}

/// The program of one of these names, on the PATH.
fn program(names: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    names.iter().flat_map(|name| folders.iter().map(move |f| f.join(name))).find(|p| p.is_file())
}

/// The port of a driver, as it says once it is ready.
fn port_in(said: &mut impl BufRead) -> u16 {
    let port = said.lines().map_while(Result::ok).find_map(|line| {
        let (_, port) = line.split_once("successfully on port ")?;
        port.trim_end_matches('.').parse().ok()
    });
    port.expect("chromedriver tells its port")
}

impl Browser {
    /// A browser with an empty profile. `None` where there is none, which is told, and where `CI` is
    /// set fails.
    pub fn start() -> Option<Self> {
        let found = (
            program(&["chromedriver"]),
            program(&["chromium", "chromium-browser", "google-chrome"]),
        );
        let (Some(driver), Some(chromium)) = found else {
            assert!(std::env::var_os("CI").is_none(), "no chromium and chromedriver on the PATH");
            eprintln!("skipped: no chromium and chromedriver on the PATH");
            return None;
        };
        let mut driver = Command::new(driver)
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver starts");
        let mut said = BufReader::new(driver.stdout.take().expect("piped"));
        let port = port_in(&mut said);
        let profile = TempDir::new().expect("a folder");
        let args = [
            "--headless",
            "--no-sandbox",
            // Graphics without a graphics card, and without words about it in the page's console.
            "--use-angle=swiftshader",
            "--enable-unsafe-swiftshader",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--window-size=1400,1500",
            &format!("--user-data-dir={}", profile.path().display()),
        ];
        let wanted = json!({"capabilities": {"alwaysMatch": {
            "goog:chromeOptions": {"binary": chromium, "args": args},
            "goog:loggingPrefs": {"browser": "ALL"},
        }}});
        let server = format!("http://127.0.0.1:{port}/session");
        let mut browser = Self { driver, _said: said, session: server, _profile: profile };
        let id = browser.post("", wanted)["sessionId"].as_str().expect("a session").to_owned();
        browser.session = format!("{}/{id}", browser.session);
        Some(browser)
    }

    fn post(&self, what: &str, body: Value) -> Value {
        let agent: ureq::Agent =
            ureq::Agent::config_builder().http_status_as_error(false).build().into();
        let url = format!("{}{what}", self.session);
        let mut answer = agent.post(&url).send_json(&body).expect("chromedriver answers");
        let ok = answer.status().is_success();
        let reported: Value = answer.body_mut().read_json().expect("JSON");
        assert!(ok, "{what} {body}: {reported}");
        reported["value"].clone()
    }

    pub fn open(&self, page: &Path) {
        self.post("/url", json!({"url": format!("file://{}", page.display())}));
    }

    /// What a script returns.
    pub fn run(&self, script: &str) -> Value {
        self.post("/execute/sync", json!({"script": script, "args": []}))
    }

    /// Clicks as a hand does: into the middle of the element, which must not be covered.
    pub fn click(&self, css: &str) {
        let id = self.element(css);
        self.post(&format!("/element/{id}/click"), json!({}));
    }

    /// Presses keys one after the other; WebDriver's own letters stand for those without a sign.
    pub fn press(&self, keys: &[char]) {
        let moves: Vec<Value> = keys
            .iter()
            .flat_map(|key| ["keyDown", "keyUp"].map(|t| json!({"type": t, "value": key})))
            .collect();
        self.post(
            "/actions",
            json!({"actions": [{"type": "key", "id": "keyboard", "actions": moves}]}),
        );
    }

    fn element(&self, css: &str) -> String {
        let found = self.post("/element", json!({"using": "css selector", "value": css}));
        let id = found.as_object().and_then(|o| o.values().next()?.as_str());
        id.expect("an element").to_owned()
    }

    /// Makes the page believe that its reader likes it `light` or `dark`.
    pub fn prefer(&self, scheme: &str) {
        let feature = json!([{"name": "prefers-color-scheme", "value": scheme}]);
        let params = json!({"features": feature});
        self.post(
            "/goog/cdp/execute",
            json!({"cmd": "Emulation.setEmulatedMedia", "params": params}),
        );
    }

    /// What the page had to complain about.
    pub fn complaints(&self) -> Vec<String> {
        let log = self.post("/se/log", json!({"type": "browser"}));
        let lines = log.as_array().expect("a list").iter();
        lines.map(|line| line["message"].to_string()).collect()
    }

    /// Waits until a script returns true.
    #[track_caller]
    pub fn until(&self, script: &str) {
        let start = Instant::now();
        while self.run(script) != Value::Bool(true) {
            assert!(start.elapsed() < Duration::from_secs(30), "never: {script}");
            std::thread::sleep(Duration::from_millis(30));
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The driver ends the browser with the session; both end with the test in any case.
        let _ = ureq::delete(&self.session).call();
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}
