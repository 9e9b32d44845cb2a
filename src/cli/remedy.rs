//! What the user can do about a failed run, in the options of this command line. It decides nothing.

use crate::runs::{Remedy, RunProblem};
use crate::shell::{shell_path, shell_word};
use referee_messages::plain;
use referee_records::RunKind;

/// The message for the user: what failed, and what helps.
pub(super) fn with_remedy(RunProblem { what, remedy }: RunProblem) -> String {
    let Some(remedy) = remedy else { return what };
    let separator = if matches!(remedy, Remedy::InstallTools { .. }) {
        "\n"
    } else if matches!(remedy, Remedy::AcceptIsolation(_) | Remedy::StartRun(_)) || what.contains(": ") {
        "; "
    } else {
        ": "
    };
    format!("{what}{separator}{}", words(&remedy))
}

/// What to do, as a clause.
pub(super) fn words(remedy: &Remedy) -> String {
    let withdraw = |name: &str| format!("withdraw it with `--withdraw '{}'`", plain(name));
    match remedy {
        Remedy::OtherFolder => "choose another directory with `--out`".to_owned(),
        Remedy::OtherFolderOrWritable => "choose another directory with `--out`, or make it writable".to_owned(),
        Remedy::WaitOrOtherFolder => "wait until it ends, or choose another directory with `--out`".to_owned(),
        Remedy::NewFolder(path) => {
            format!("choose a new directory in it, such as `--out {}`", plain(&path.display().to_string()))
        }
        Remedy::RenameAgent => "rename one with `NAME=`".to_owned(),
        Remedy::RestoreOrWithdraw(name) => {
            format!("restore them, or {} and enter the new version under another name", withdraw(name))
        }
        Remedy::NameOrWithdraw(name) => format!("name it, or {}", withdraw(name)),
        Remedy::AcceptIsolation(available) => {
            format!("add `--isolation {available}` to accept it; `referee doctor` lists what submissions can then do")
        }
        Remedy::InstallTools { python2 } => {
            let python2 = if *python2 { ", run Python 2 programs with Python 3 by `--python2-by-python3`" } else { "" };
            format!("install the missing tools{python2}, or exclude the students with `--without STUDENT`")
        }
        Remedy::ByPython3 => "or run it with Python 3: `--python2-by-python3`".to_owned(),
        Remedy::GradeAgain => {
            "rerun `referee grade` with the changed file, the submissions and the same `--out`: it plays only these"
                .to_owned()
        }
        Remedy::TakeOut(name) => format!(
            "take out the earlier one with `--without {}`, or give the submission its earlier name",
            shell_word(name)
        ),
        Remedy::LeaveOut(name) => format!("leave one out, for example by `--without {}`", shell_word(name)),
        Remedy::Regrade(names) => {
            let regrade: Vec<String> = names.iter().map(|name| format!("--regrade {}", shell_word(name))).collect();
            format!(
                "remove the old results and grade again with `{}`, or keep both with another `--out`",
                regrade.join(" ")
            )
        }
        Remedy::NameRun(kind) => format!("name one made by `{}`", kind.command()),
        Remedy::StartRun(Some(assignment)) => {
            let path = shell_path(assignment);
            format!("start a run with `referee grade {path}` or `referee compete {path}`, and name its run directory")
        }
        Remedy::BeginAnew(RunKind::Ladder) => {
            "then begin a new ladder with `referee ladder new`, because a ladder keeps its rules".to_owned()
        }
        Remedy::BeginAnew(RunKind::Games | RunKind::Grading | RunKind::Competition) => {
            "then begin a new run with a new `--out`, because a run keeps its rules".to_owned()
        }
        Remedy::StartRun(None) => "`referee play`, `compete` and `grade` make one with `--out`".to_owned(),
        Remedy::PlanCompetition => "start one with `referee plan ASSIGNMENT --out RUN`".to_owned(),
        Remedy::PlanForShards => {
            "plan a competition with `referee plan ASSIGNMENT --out RUN`; to upgrade a run of an older `referee`, \
             rerun its command with `--out`"
                .to_owned()
        }
        Remedy::FitCurve => "fit one to games of built-in agents with `referee analyze RUN --fit`".to_owned(),
        Remedy::ExplainAnswer => "see it with `referee explain`".to_owned(),
    }
}
