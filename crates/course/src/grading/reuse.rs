//! What the records of a grading are worth after a change of its assignment: those that still hold are kept, whatever
//! their names; the others are set aside. It plays nothing; `runs` calls it.
//!
//! A record holds if the new manifest plans the same game between the same files, and if its runs tell how it is judged
//! now ([`rejudged_game`]). No record may count twice, and none may be removed.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::recheck::{is_again, repeated};
use referee_games::Side;
use referee_matches::referee::{rejudged_answer, rejudged_game};
use referee_records::{
    AnswerRecord, AnswerRequest, Conditions, GameRecord, Manifest, Pairing, PlayerKind, PlayerRecord, Question,
    RecordError, RunFolder,
};
use referee_seat::Isolation;

/// What becomes of the records of a run.
#[derive(Debug)]
pub struct Reuse {
    /// The number of records that count, under the new assignment.
    pub kept: usize,
    /// What is played again, although there was a record.
    pub replays: Vec<Replay>,
    /// The criterion of each item that the plan did not have before, and that no record fits.
    pub added: Vec<String>,
    /// The names of records to move away.
    aside: Vec<String>,
    adopted: Vec<Adopted>,
    /// Repetitions that repeat nothing any more.
    pub dropped: HashSet<String>,
}

/// Games or answers of a criterion that must be played again, for one reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replay {
    /// The name of the criterion.
    pub criterion: String,
    /// What has changed: `another play time`.
    pub reason: &'static str,
    /// How many.
    pub items: usize,
}

/// A record to write under its new name.
#[derive(Debug)]
struct Adopted {
    record: ItemRecord,
    /// Where the same game lay, if not in the run's folder, and its name there. It must not be found again.
    moved_from: Option<(RunFolder, String)>,
}

#[derive(Clone, Debug, PartialEq)]
enum ItemRecord {
    Game(Box<GameRecord>),
    Answer(Box<AnswerRecord>),
}

#[derive(Clone, Copy)]
enum PlannedItem<'a> {
    Game(&'a Pairing),
    Answer(&'a AnswerRequest),
}

/// A folder with records that may be kept.
struct Source {
    folder: RunFolder,
    manifest: Manifest,
    recorded: HashSet<String>,
}

/// A record of a source.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Candidate {
    source: usize,
    id: String,
}

impl Reuse {
    /// What becomes of the records in `folder`, made for the manifest `before`, and of those set aside earlier, under
    /// the manifest `now`; `at_least` is the lowest isolation of the programs, if more is asked for than before.
    ///
    /// # Errors
    ///
    /// [`RecordError`] if a record cannot be read.
    pub fn of(
        folder: &RunFolder,
        before: &Manifest,
        now: &Manifest,
        at_least: Option<Isolation>,
    ) -> Result<Self, RecordError> {
        let own = Source::of(folder.clone(), before.clone());
        let aside = folder.set_aside()?.into_iter().map(|(folder, manifest)| Source::of(folder, manifest));
        let sources: Vec<Source> = std::iter::once(own).chain(aside).collect();
        let planned_before = planned_items(before).into_iter().map(|item| (item.id(), item)).collect();
        let (used, adopted) = (HashSet::new(), vec![]);
        let mut search = RecordSearch { sources: &sources, planned_before, now, at_least, used, adopted };
        let planned = planned_items(now);
        let mut kept = HashSet::new();
        for item in &planned {
            if search.keeps_own(*item)? {
                kept.insert(item.id().to_owned());
            }
        }
        let is_open = |item: &&PlannedItem<'_>| !kept.contains(item.id()) && !is_again(item.id());
        let candidates = search.candidates(&kept);
        let mut unplayed = sources[0].unplayed();
        let (mut lost, mut added) = (vec![], vec![]);
        for item in planned.iter().filter(is_open) {
            if search.finds(*item, &candidates)? {
                continue;
            }
            if sources[0].recorded.contains(item.id()) {
                lost.push((item.criterion(), search.reason(*item)?));
            } else if let Some(left) = unplayed.get_mut(&item.key(now)).filter(|left| **left > 0) {
                *left -= 1;
            } else {
                added.push(item.criterion());
            }
        }
        let is_orphan = |id: &str| repeated(id).is_some_and(|item| !kept.contains(item) || !kept.contains(id));
        let dropped = planned.iter().map(PlannedItem::id).filter(|id| is_orphan(id)).map(str::to_owned).collect();
        let aside = sources[0].recorded.iter().filter(|id| !kept.contains(*id) || is_orphan(id)).cloned();
        let aside = aside.collect();
        let is_item = |id: &&String| !is_again(id);
        let kept = kept.iter().filter(is_item).count() + search.adopted.len();
        Ok(Self { kept, replays: replays(lost), added, aside, adopted: search.adopted, dropped })
    }

    /// Whether the records are right where they are.
    pub fn changes_nothing(&self) -> bool {
        self.aside.is_empty() && self.adopted.is_empty()
    }

    /// The number of games and answers that are played again.
    pub fn to_repeat(&self) -> usize {
        self.replays.iter().map(|replay| replay.items).sum()
    }

    /// Moves the records. Returns the folder of those set aside from this run, made for the manifest `before` and the
    /// text of its `assignment`; `None` if there are none.
    ///
    /// Whenever it is interrupted, the next call finds every record.
    ///
    /// # Errors
    ///
    /// [`RecordError`] if a record cannot be moved.
    pub fn apply(
        &self,
        folder: &RunFolder,
        before: &Manifest,
        assignment: &str,
    ) -> Result<Option<RunFolder>, RecordError> {
        let aside = (!self.aside.is_empty()).then(|| folder.begin_set_aside(before, assignment)).transpose()?;
        for (id, aside) in self.aside.iter().filter_map(|id| aside.as_ref().map(|aside| (id, aside))) {
            folder.move_record(id, aside)?;
        }
        for Adopted { record, moved_from } in &self.adopted {
            match record {
                ItemRecord::Game(game) => drop(folder.keep(game)?),
                ItemRecord::Answer(answer) => folder.keep_answer(answer)?,
            }
            if let Some((from, id)) = moved_from {
                // What lay in the run's own folder was just set aside.
                let from = if from.path() == folder.path() { aside.as_ref().unwrap_or(from) } else { from };
                from.forget(id)?;
            }
        }
        Ok(aside)
    }
}

impl Source {
    fn of(folder: RunFolder, manifest: Manifest) -> Self {
        let recorded = folder.finished(&manifest).into_iter().chain(folder.answered(&manifest)).collect();
        Self { folder, manifest, recorded }
    }

    /// How many of its items have no record yet, by what is to be played.
    fn unplayed(&self) -> HashMap<String, usize> {
        let mut counts = HashMap::new();
        for item in planned_items(&self.manifest) {
            if !self.recorded.contains(item.id()) && !is_again(item.id()) {
                *counts.entry(item.key(&self.manifest)).or_default() += 1;
            }
        }
        counts
    }
}

/// The search for a record of each planned item.
struct RecordSearch<'a> {
    sources: &'a [Source],
    /// The items of the first source, by name.
    planned_before: HashMap<&'a str, PlannedItem<'a>>,
    now: &'a Manifest,
    at_least: Option<Isolation>,
    used: HashSet<Candidate>,
    adopted: Vec<Adopted>,
}

impl RecordSearch<'_> {
    /// Whether the record of the item's own name stays, perhaps judged again.
    fn keeps_own(&mut self, item: PlannedItem<'_>) -> Result<bool, RecordError> {
        let own = Candidate { source: 0, id: item.id().to_owned() };
        if !self.sources[0].recorded.contains(&own.id) {
            return Ok(false);
        }
        let stays = self.was_planned_alike(item) || {
            let record = self.read(item, &own)?;
            self.fitted(item, &record, 0).is_some_and(|fitted| fitted == record)
        };
        if stays {
            self.used.insert(own);
        }
        Ok(stays)
    }

    /// Whether the item was the same before: then its record holds, unread.
    fn was_planned_alike(&self, item: PlannedItem<'_>) -> bool {
        let (before, now) = (&self.sources[0].manifest, self.now);
        let is_same_agent = |name: &str| {
            let digest = |of: &Manifest| of.agents.iter().find(|one| one.name == name).map(|one| one.digest.clone());
            digest(before) == digest(now)
        };
        let is_same = match (self.planned_before.get(item.id()), item) {
            (Some(PlannedItem::Game(then)), PlannedItem::Game(pairing)) => {
                *then == pairing && [&pairing.black, &pairing.white].into_iter().all(|name| is_same_agent(name))
            }
            (Some(PlannedItem::Answer(then)), PlannedItem::Answer(asked)) => {
                *then == asked
                    && is_same_agent(&asked.agent)
                    && before.question(&asked.question) == now.question(&asked.question)
            }
            (Some(_) | None, _) => false,
        };
        is_same && self.at_least.is_none() && before.seed == now.seed && before.conditions == now.conditions
    }

    /// The records that no item uses, by what was played, in a fixed order. A game set aside while a record of its name
    /// is kept may be the same game, judged otherwise.
    fn candidates(&self, kept: &HashSet<String>) -> HashMap<String, Vec<Candidate>> {
        let mut all: HashMap<String, Vec<Candidate>> = HashMap::new();
        for (index, source) in self.sources.iter().enumerate() {
            for item in planned_items(&source.manifest).iter().filter(|item| !is_again(item.id())) {
                let candidate = Candidate { source: index, id: item.id().to_owned() };
                if source.recorded.contains(&candidate.id) && !kept.contains(&candidate.id) {
                    all.entry(item.key(&source.manifest)).or_default().push(candidate);
                }
            }
        }
        all
    }

    /// Adopts a record for `item`: one as it is if possible, otherwise its own judged again.
    fn finds(
        &mut self,
        item: PlannedItem<'_>,
        candidates: &HashMap<String, Vec<Candidate>>,
    ) -> Result<bool, RecordError> {
        let key = item.key(self.now);
        let mut rejudged = None;
        for candidate in candidates.get(&key).into_iter().flatten().filter(|one| !self.used.contains(*one)) {
            let record = self.read(item, candidate)?;
            let Some(fitted) = self.fitted(item, &record, candidate.source) else {
                continue;
            };
            if fitted.is_judged_as(&record) {
                let from = self.sources[candidate.source].folder.clone();
                self.adopted.push(Adopted { record: fitted, moved_from: Some((from, candidate.id.clone())) });
                self.used.insert(candidate.clone());
                return Ok(true);
            }
            if candidate.id == item.id() && rejudged.is_none() {
                rejudged = Some((fitted, candidate.clone()));
            }
        }
        let Some((record, candidate)) = rejudged else {
            return Ok(false);
        };
        self.adopted.push(Adopted { record, moved_from: None });
        self.used.insert(candidate);
        Ok(true)
    }

    fn read(&self, item: PlannedItem<'_>, candidate: &Candidate) -> Result<ItemRecord, RecordError> {
        let folder = &self.sources[candidate.source].folder;
        Ok(match item {
            PlannedItem::Game(_) => ItemRecord::Game(Box::new(folder.game(&candidate.id)?)),
            PlannedItem::Answer(_) => ItemRecord::Answer(Box::new(folder.answer(&candidate.id)?)),
        })
    }

    /// `record` as the record of `item`; `None` if it does not hold.
    fn fitted(&self, item: PlannedItem<'_>, record: &ItemRecord, source: usize) -> Option<ItemRecord> {
        let (now, at_least) = (self.now, self.at_least);
        match (item, record) {
            (PlannedItem::Game(pairing), ItemRecord::Game(record)) => {
                let is_same = |side| {
                    let player = record.players.of(side);
                    now.is_player(pairing.name(side), player) && is_isolated(player, at_least)
                };
                let holds = record.game == now.game
                    && self.sources[source].manifest.seed == now.seed
                    && record.first == pairing.first
                    && Side::BOTH.into_iter().all(is_same);
                let record = holds.then(|| rejudged_game(record, &now.conditions_of(pairing))).flatten()?;
                Some(ItemRecord::Game(Box::new(GameRecord { id: pairing.id.clone(), ..record })))
            }
            (PlannedItem::Answer(asked), ItemRecord::Answer(record)) => {
                let question = now.question(&asked.question)?;
                let holds = record.game == now.game
                    && now.is_player(&asked.agent, &record.agent)
                    && is_isolated(&record.agent, at_least);
                let conditions = now.conditions_of_answer(question);
                let record = holds.then(|| rejudged_answer(record, question, &conditions)).flatten()?;
                Some(ItemRecord::Answer(Box::new(AnswerRecord { id: asked.id.clone(), ..record })))
            }
            (PlannedItem::Game(_), ItemRecord::Answer(_)) | (PlannedItem::Answer(_), ItemRecord::Game(_)) => None,
        }
    }

    /// Why the record of the item's own name does not hold.
    fn reason(&self, item: PlannedItem<'_>) -> Result<&'static str, RecordError> {
        let own = Candidate { source: 0, id: item.id().to_owned() };
        let before = &self.sources[0].manifest;
        Ok(match (item, self.read(item, &own)?) {
            (PlannedItem::Game(_), ItemRecord::Game(_)) if before.seed != self.now.seed => "another seed",
            (PlannedItem::Game(pairing), ItemRecord::Game(record)) => {
                let side = |side| self.now.is_player(pairing.name(side), record.players.of(side));
                let names = [&record.players.black.name, &record.players.white.name];
                if names != [&pairing.white, &pairing.black] && !Side::BOTH.into_iter().all(side) {
                    "another opponent"
                } else if names != [&pairing.black, &pairing.white] || record.first != pairing.first {
                    "another first move"
                } else {
                    difference(&record.conditions, &self.now.conditions_of(pairing))
                }
            }
            (PlannedItem::Answer(asked), ItemRecord::Answer(record)) => {
                match self.now.question(&asked.question).filter(|now| now.input == record.question.input) {
                    Some(question) => difference(&record.conditions, &self.now.conditions_of_answer(question)),
                    None => "another position",
                }
            }
            (PlannedItem::Game(_), ItemRecord::Answer(_)) | (PlannedItem::Answer(_), ItemRecord::Game(_)) => {
                "another kind"
            }
        })
    }
}

impl ItemRecord {
    /// Whether only the names differ.
    fn is_judged_as(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Game(one), Self::Game(other)) => **one == GameRecord { id: one.id.clone(), ..(**other).clone() },
            (Self::Answer(one), Self::Answer(other)) => {
                let question = Question { name: one.question.name.clone(), ..other.question.clone() };
                **one == AnswerRecord { id: one.id.clone(), question, ..(**other).clone() }
            }
            (Self::Game(_), Self::Answer(_)) | (Self::Answer(_), Self::Game(_)) => false,
        }
    }
}

impl<'a> PlannedItem<'a> {
    fn id(&self) -> &'a str {
        match self {
            Self::Game(pairing) => &pairing.id,
            Self::Answer(asked) => &asked.id,
        }
    }

    /// The name of its criterion, which has no dot.
    fn criterion(&self) -> String {
        self.id().rsplit('.').nth(1).unwrap_or_default().to_owned()
    }

    /// What is played, apart from conditions and names of items.
    fn key(&self, manifest: &Manifest) -> String {
        match self {
            Self::Game(pairing) => format!("{:?} {:?} {:?}", pairing.first, pairing.black, pairing.white),
            Self::Answer(asked) => {
                let input = manifest.question(&asked.question).map_or("", |question| &question.input);
                format!("{:?} {input}", asked.agent)
            }
        }
    }
}

fn planned_items(manifest: &Manifest) -> Vec<PlannedItem<'_>> {
    let games = manifest.games.iter().map(PlannedItem::Game);
    games.chain(manifest.answers.iter().map(PlannedItem::Answer)).collect()
}

fn is_isolated(player: &PlayerRecord, at_least: Option<Isolation>) -> bool {
    match player.seated {
        PlayerKind::Program { isolation, .. } => at_least.is_none_or(|at_least| isolation >= at_least),
        PlayerKind::Person { .. } => true,
    }
}

fn difference(then: &Conditions, now: &Conditions) -> &'static str {
    let parts = [
        (then.play_time == now.play_time, "another play time"),
        (then.move_time == now.move_time, "another limit for a move"),
        (then.overruns == now.overruns && then.longest_move == now.longest_move, "other rules for overruns"),
        (then.protocol == now.protocol, "another protocol"),
        (then.startup_time == now.startup_time, "another startup time"),
        (then.charge == now.charge, "another clock"),
        (then.tolerance == now.tolerance, "another way of reading answers"),
        (then.limits == now.limits, "other resource limits"),
        (then.draws == now.draws, "other rules for draws"),
        (then == now, "another grace period or wall-clock limit"),
    ];
    parts.into_iter().find(|(same, _)| !same).map_or("a higher isolation level", |(_, part)| part)
}

fn replays(lost: Vec<(String, &'static str)>) -> Vec<Replay> {
    let mut counts: BTreeMap<(String, &'static str), usize> = BTreeMap::new();
    for item in lost {
        *counts.entry(item).or_default() += 1;
    }
    counts.into_iter().map(|((criterion, reason), items)| Replay { criterion, reason, items }).collect()
}
