//! The time of day, as records state it. It measures no durations; all code that makes records calls it.

use std::time::{SystemTime, UNIX_EPOCH};

/// Milliseconds since 1970.
pub fn unix_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// Seconds since 1970.
pub fn unix_s() -> u64 {
    unix_ms() / 1000
}
