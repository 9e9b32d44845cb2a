//! What the rules answer when they are asked to judge the answer of an agent.

use std::borrow::Cow;

use super::{CustomState, LONGEST_MOVE};
use crate::rules_program::fault::RulesFault;
use crate::rules_program::protocol::{FindingAnswer, JudgeAnswer, RefusalAnswer, RefusalKind, RulesQuestion};
use referee_games::protocol::{Finding, Location, Refusal, Tolerance, plain};
use referee_games::{BrokenRule, GameState, Judged, State};

impl CustomState {
    pub(super) fn judged(&self, answer: JudgeAnswer) -> Result<Result<Judged, Refusal>, String> {
        match (answer.mv, answer.next, answer.refusal) {
            (Some(mv), Some(next), None) => {
                if !is_move(&mv) {
                    return Err(format!("`{}` is no text of a move", plain(&mv)));
                }
                Ok(Ok(Judged {
                    next: State::new(self.next(next)?),
                    mv,
                    warnings: answer.warnings.into_iter().map(|found| self.finding(found)).collect(),
                    is_progress: answer.progress,
                }))
            }
            (None, None, Some(refusal)) => self.refusal(refusal).map(Err),
            (_, _, _) => Err("expected `move` and `next`, or `refusal`".to_owned()),
        }
    }

    pub(super) fn judge_question(&self, output: &[u8], tolerance: Tolerance) -> RulesQuestion<'_> {
        RulesQuestion::Judge {
            state: &self.told.state,
            output: output.iter().copied().map(char::from).collect(),
            exact: tolerance == Tolerance::Exact,
        }
    }

    /// A fault of the rules, where they refuse as illegal what they list as a legal move: no agent may lose by that.
    pub(super) fn contradicts_the_list(
        &self,
        output: &[u8],
        judged: Result<Judged, Refusal>,
    ) -> Result<Result<Judged, Refusal>, Box<RulesFault>> {
        let Err(Refusal::Illegal(finding)) = &judged else {
            return Ok(judged);
        };
        let is_same = |mv: &String| {
            let written = output.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
            written.eq(mv.split_ascii_whitespace().map(str::as_bytes))
        };
        let Some(listed) = self.moves().into_iter().find(is_same) else {
            return Ok(judged);
        };
        let what = format!(
            "`moves` lists `{}`, and `judge` refuses it: {}",
            plain(&listed.replace('\n', "; ")),
            finding.message
        );
        Err(self.game.client.fault("judge", what))
    }

    fn refusal(&self, refusal: RefusalAnswer) -> Result<Refusal, String> {
        let finding = refusal.finding.map(|found| self.finding(found));
        match (refusal.kind, finding) {
            (RefusalKind::Empty, _) => Ok(Refusal::Empty),
            (RefusalKind::Format, Some(finding)) => Ok(Refusal::Format(finding)),
            (RefusalKind::Illegal, Some(finding)) => Ok(Refusal::Illegal(finding)),
            (RefusalKind::Format | RefusalKind::Illegal, None) => {
                Err("a refusal needs a `code` and a `message`".to_owned())
            }
        }
    }

    fn finding(&self, found: FindingAnswer) -> Finding {
        let FindingAnswer { code, message, line, column, length, hint, more } = found;
        let rule = self.game.described.rules.get(&code).copied();
        Finding {
            code: Cow::Owned(plain(&code)),
            place: line.map(|line| Location {
                line: line.max(1),
                column: column.unwrap_or(1).max(1),
                length: length.unwrap_or(0),
            }),
            hint: hint.map(|hint| plain(&hint)),
            more,
            rule: BrokenRule(rule),
            ..Finding::new("rules", message)
        }
    }
}

/// Whether it can stand in `output.txt` and be shown.
pub(super) fn is_move(text: &str) -> bool {
    let is_sign = |c: char| c.is_ascii_graphic() || matches!(c, ' ' | '\n');
    !text.trim().is_empty() && text.len() <= LONGEST_MOVE && text.chars().all(is_sign) && !text.ends_with('\n')
}
