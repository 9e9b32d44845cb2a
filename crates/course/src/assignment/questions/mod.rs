//! The questions of a criterion: reads and checks the positions or cases of a folder. It asks nothing; reading an
//! assignment and `grading` call it.
//!
//! A folder of positions contains an `input.txt` in every `*.txt`. A folder of cases pairs inputs with answers by name,
//! in any of the usual schemes; letter case matters in names of cases, but not in these words:
//!
//! | input | answer | name of the case |
//! | --- | --- | --- |
//! | `NAME.input.txt` | `NAME.expected.txt` or `NAME.output.txt` | `NAME` |
//! | `INPUT7.txt`, `input-07.txt`, `input.txt` | `OUTPUT7.txt`, `expected-07.txt`, `output.txt` | `7`, `07`, `case` |
//! | `input/NAME.txt` | `expected/NAME.txt` or `output/NAME.txt` | `NAME` |
//!
//! If the answers are computed, answers in the folder are ignored, and any other `NAME.txt` is an input too. Files with
//! another extension, hidden files and other folders are ignored.

mod folder;
mod naming;
mod texts;

use std::path::Path;

use super::{AssignmentError, AssignmentErrors, CriterionKind, QuestionFolder, QuestionText, RightAnswers};
use folder::{Files, files_in, only};
use naming::natural_order;
use referee_games::GameRef;
use referee_games::protocol::plain;

/// The maximum number of questions in a folder.
const MAX_QUESTIONS: usize = 9999;

impl CriterionKind {
    /// Reads its questions, as [`QuestionFolder::read`] does; none if it has games.
    ///
    /// # Errors
    ///
    /// All faults of the folder.
    pub fn read_questions(&self, game: GameRef) -> Result<Vec<QuestionText>, AssignmentErrors> {
        match self {
            Self::Questions(asked) => asked.read(game),
            Self::Games { .. } => Ok(Vec::new()),
        }
    }
}

impl QuestionFolder {
    /// Reads the questions, in the natural order of their names (`7` before `10`).
    ///
    /// # Errors
    ///
    /// All faults of the folder: missing or empty, inputs that are not of `game`, positions without a legal move,
    /// inputs without answers and answers without inputs.
    pub fn read(&self, game: GameRef) -> Result<Vec<QuestionText>, AssignmentErrors> {
        let (mut questions, faults) = self.read_texts(Some(game));
        if self.answers == RightAnswers::LegalMoves {
            for question in &mut questions {
                texts::set_time(&mut question.text, game, self.time);
            }
        }
        AssignmentErrors::of(faults, &self.folder).map_or(Ok(questions), Err)
    }

    /// Everything readable, and all faults. Checks inputs against the rules of `game` if it is known.
    pub(super) fn read_texts(&self, game: Option<GameRef>) -> (Vec<QuestionText>, Vec<AssignmentError>) {
        let (files, mut faults) = match files_in(&self.folder, self.answers) {
            Ok(found) => found,
            Err(fault) => return (Vec::new(), vec![fault]),
        };
        if let Some(fault) = self.miscounted(files.len(), &faults) {
            faults.push(fault);
            return (Vec::new(), faults);
        }
        let mut questions = Vec::new();
        for (name, files) in &files {
            match self.answers.question(name, files, game) {
                Ok(question) => questions.push(question),
                Err(found) => faults.extend(found),
            }
        }
        questions.sort_by(|a, b| natural_order(&a.name, &b.name));
        (questions, faults)
    }

    fn miscounted(&self, questions: usize, faults: &[AssignmentError]) -> Option<AssignmentError> {
        let folder = shown(&self.folder);
        if questions == 0 && faults.is_empty() {
            let (what, names) = match self.answers {
                RightAnswers::LegalMoves => ("position", "`NAME.txt`"),
                RightAnswers::Files => ("case", "`NAME.input.txt` and `NAME.expected.txt`"),
                RightAnswers::Solver => ("input", "`NAME.txt`"),
            };
            let message = format!("no {what} in {folder}");
            return Some(fault(&self.folder, message, format!("add files named {names}")));
        }
        (questions > MAX_QUESTIONS).then(|| {
            let message = format!("{folder} contains {questions} questions");
            fault(&self.folder, message, format!("use at most {MAX_QUESTIONS}"))
        })
    }
}

impl RightAnswers {
    /// The question `name`, from `files`.
    fn question(self, name: &str, files: &Files, game: Option<GameRef>) -> Result<QuestionText, Vec<AssignmentError>> {
        let Files { inputs, answers } = files;
        let input = only(name, inputs, "input", answers)?;
        let answer = match self {
            Self::Files => Some(only(name, answers, "answer", inputs)?),
            Self::LegalMoves | Self::Solver => None,
        };
        let text = texts::read_input(input, game, self);
        let expected = answer.map(texts::read_answer).transpose();
        match (text, expected) {
            (Ok(text), Ok(expected)) => Ok(QuestionText { name: name.to_owned(), text, expected }),
            (text, expected) => Err(text.err().into_iter().chain(expected.err()).collect()),
        }
    }
}

fn shown(path: &Path) -> String {
    format!("`{}`", plain(&path.to_string_lossy()))
}

fn fault(file: &Path, message: String, remedy: impl Into<String>) -> AssignmentError {
    AssignmentError { file: file.to_owned(), place: None, message, remedy: remedy.into() }
}
