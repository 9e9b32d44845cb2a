//! What makes the same program cost more CPU time at one moment than at another.

use std::fs;
use std::num::NonZero;

use super::{Check, Finding};

/// Looks at the processor's clock, its threads and what else it is doing.
pub fn fairness() -> Vec<Check> {
    vec![governor(), simultaneous_threads(), load()]
}

fn governor() -> Check {
    let read = |cpu: usize| {
        let path = format!("/sys/devices/system/cpu/cpu{cpu}/cpufreq/scaling_governor");
        fs::read_to_string(path).ok().map(|text| text.trim().to_owned())
    };
    let mut governors: Vec<String> = (0..processors()).filter_map(read).collect();
    governors.sort();
    governors.dedup();
    let (finding, detail) = match governors.as_slice() {
        [] => (
            Finding::Good,
            "the system changes no frequency that can be seen from here".to_owned(),
        ),
        [one] if one == "performance" => (Finding::Good, "performance".to_owned()),
        several => (
            Finding::Doubtful,
            format!(
                "{}: a start at a low frequency costs more; `performance` is fair",
                several.join(", ")
            ),
        ),
    };
    Check {
        name: "frequency governor".to_owned(),
        finding,
        detail,
    }
}

fn simultaneous_threads() -> Check {
    let active = fs::read_to_string("/sys/devices/system/cpu/smt/active").is_ok_and(|text| text.trim() == "1");
    let (finding, detail) = if active {
        let detail = "two games on one core slow each other down: play no more than one a physical core";
        (Finding::Doubtful, detail.to_owned())
    } else {
        (Finding::Good, "off".to_owned())
    };
    Check {
        name: "simultaneous multithreading".to_owned(),
        finding,
        detail,
    }
}

fn load() -> Check {
    let loads = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load: f64 = loads
        .split(' ')
        .next()
        .and_then(|text| text.parse().ok())
        .unwrap_or(0.0);
    let processors = processors();
    #[expect(clippy::cast_precision_loss, reason = "a number of processors")]
    let busy = load > processors as f64 / 2.0;
    let finding = if busy { Finding::Doubtful } else { Finding::Good };
    let detail = format!("{load:.2} on {processors} processors in the last minute");
    Check {
        name: "load".to_owned(),
        finding,
        detail,
    }
}

fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, NonZero::get)
}
