//! The promises of the pages, tested in a real browser.
#![expect(clippy::unwrap_used, reason = "a test fails by a panic, in its helpers too")]

mod accessibility;
#[path = "../analyses/mod.rs"]
mod analyses;
#[path = "../chromium/mod.rs"]
mod chromium;
#[path = "../invocation/mod.rs"]
mod invocation;
mod oblong_boards;
mod play_browser;
mod report_browser;
#[path = "../report_pages/mod.rs"]
mod report_pages;
mod serve_browser;
#[path = "../served/mod.rs"]
mod served;
#[path = "../skips/mod.rs"]
mod skips;
#[path = "../toolbox/mod.rs"]
mod toolbox;
