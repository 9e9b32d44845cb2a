// The JSON that a page gets, as crates/pages/src/report/view.rs, crates/pages/src/report/live.rs, crates/pages/src/serve and crates/games/src/picking.rs write it.
//
// tests/toolbox/typescript.rs reads these interfaces: a test fails where the program writes anything else. Only what it can
// read is used: one member a line; names, arrays, `PerSide`, `Record`, pairs, unions and texts in quotes.

export type Side = "black" | "white";

export interface PerSide<T> {
  black: T;
  white: T;
}

export interface View {
  schema: number;
  title: string;
  run: string | null;
  subject?: string;
  facts: Fact[];
  planned: number;
  board: Board;
  agents: Agent[];
  winners?: number[];
  columns: Column[];
  remarks: string[];
  rounds: Round[];
  brackets?: Bracket[];
  grades?: Grades;
  ladder?: Ladder;
  rejected: Rejected[];
  games: Game[];
  missing?: string[];
  losses?: Losses;
}

/** What the analyzed games that were lost have in common. */
export interface Losses {
  lost: number;
  groups: LossGroup[];
}

export interface LossGroup {
  words: string;
  is_part?: boolean;
  examples: LossExample[];
}

export interface LossExample {
  id: string;
  loser: string;
  turn?: number;
}

export interface Ladder {
  pairs: number;
  compared_with?: number;
  reference?: string;
  unnamed: number;
  participants: Participant[];
}

export interface Participant {
  name: string;
  is_own: boolean;
  rank?: number;
  rank_before?: number;
  plausible_ranks?: string;
  version?: number;
  withdrawn: boolean;
  refused: number;
  versions: Version[];
  against?: ParticipantResults[];
  waiting?: string[];
}

export interface ParticipantResults {
  name: string;
  won: number;
  drawn: number;
  lost: number;
}

export interface Version {
  number: number;
  received_unix_s: number;
  agent?: number;
  rating?: Rating;
  games: number;
  won: number;
  drawn: number;
  lost: number;
  fault?: string;
  compiler?: string[];
}

export interface Column {
  title: string;
  rare: boolean;
}

export interface Fact {
  name: string;
  value: string;
}

export interface Board {
  game: string;
  captures: boolean;
  separator: string;
  near?: Side;
  surface: "chequered" | "plain" | "felt" | "points";
  columns: string[];
  rows: string[];
  squares: string[];
  camps?: PerSide<number[]>;
  pieces: Record<string, PieceLook>;
  sides: PerSide<string>;
  colours?: PerSide<Colour>;
}

export type Colour = "black" | "white" | "red" | "yellow" | "blue" | "green" | "purple";

export interface PieceLook {
  side?: Side;
  letter: string;
  word?: string;
  shape: "disk" | "king" | "star" | "stone" | "letter" | Figure;
}

export interface Figure {
  figure: string;
}

/** Without a rank the reader may not know how the agent stands. */
export type Agent = RankedAgent | UnrankedAgent;

export interface UnrankedAgent {
  name: string;
  rank?: undefined;
}

export interface RankedAgent {
  name: string;
  role?: string;
  rank: string;
  plausible_ranks?: string;
  points: number;
  cells: string[];
  games: number;
  won: number;
  drawn: number;
  lost: number;
  close_calls: number;
  rating?: Rating;
  unrated?: string;
  against: Against[];
  cpu_us?: Spread;
  cpu_us_bins: Bin[];
  cpu_us_by_move: number[];
  remarks?: string[];
}

export interface Rating {
  elo: number;
  low: number;
  high: number;
  group: number;
}

export interface Against {
  agent: number;
  won: number;
  drawn: number;
  lost: number;
}

export interface Spread {
  count: number;
  least: number;
  quarter: number;
  median: number;
  three_quarters: number;
  most_but_5_percent: number;
  most: number;
}

export interface Bin {
  from: number;
  below: number;
  count: number;
}

export interface Round {
  number: number;
  meetings: Meeting[];
  byes: number[];
}

export interface Meeting {
  agents: [number, number];
  points: [number, number];
  winner: number | null;
  tie_break?: "better seed" | "opponent withdrew" | "both stay";
  games: string[];
}

export interface Bracket {
  title: "winners" | "losers" | "final" | "";
  columns: number[];
  rows: number;
  matches: BracketMatch[];
}

export interface BracketMatch {
  column: number;
  row: number;
  meeting?: [number, number];
  bye?: number;
  from: number[];
}

export interface Rejected {
  name: string;
  fault: string;
  compiler?: string[];
}

export interface Game {
  id: string;
  black: number;
  white: number;
  score: "1-0" | "0-1" | "½-½" | "*";
  verdict: string;
  ending: string;
  turns: number;
  forfeit: boolean;
  close_call: boolean;
}

export interface Grades {
  criteria: Criterion[];
  students: Student[];
  review: string[];
}

export interface Criterion {
  title: string;
  of: string;
}

export interface Student {
  name: string;
  points: string;
  of: string;
  remark: string;
  earned: string[];
  items: GradedItem[];
}

export interface GradedItem {
  title: string;
  score: string;
  is_earned: boolean;
  reason: string;
  game?: string;
  position?: SingleMove;
}

/** The position of a single move, and what was answered. */
export interface SingleMove {
  side: Side;
  boards: string;
  notes?: string;
  move: string;
}

/** The turns of one game, packed. */
export interface Replay {
  id: string;
  play_time_cpu_us: PerSide<number | null>;
  move_time_cpu_us?: number;
  sides: string;
  moves: string;
  charged_cpu_us: number[];
  boards: string;
  notes?: string[];
  ending?: Ending;
  analysis?: Analysis;
  time?: string[];
  close_calls?: string[];
  left_behind?: Record<string, LeftBehind>;
}

/** What each move gave up, by turns counted from 1; the better moves are written as in `moves`. */
export interface Analysis {
  sentences?: string[];
  black: number[];
  decisive?: number;
  mistakes?: Record<string, string>;
  unclear?: Record<string, string>;
}

export interface LeftBehind {
  output: string[];
  stderr?: string[];
  warnings?: string[];
}

export interface Ending {
  happened: string[];
  rules: string[];
  hints: string[];
  legal: string[];
  legal_count: number;
  written: string;
  output: string[];
  program: string;
  stderr: string[];
}

/** Where the turns of the games are. */
export type Source = InPage | InFiles | OnServer;

export interface InPage {
  kind: "inside";
  games: number;
}

export interface InFiles {
  kind: "beside";
  games: number;
  files: string[];
}

export interface OnServer {
  kind: "served";
}

/** A running game, from the stream of `serve`. */
export interface LiveGame {
  id: string;
  players: PerSide<string>;
  turns: number;
  boards: string;
  notes: string;
  at_work: Side | null;
  since_unix_ms: number;
  left_us: PerSide<number>;
  play_time_cpu_us: PerSide<number>;
  last_move: string;
  last_side: Side | null;
  over: LiveResult | null;
}

export interface LiveResult {
  score: "1-0" | "0-1" | "½-½";
  verdict: string;
}

/** How far a served run is. */
export interface Status {
  version: number;
  state: "reading" | "playing" | "waiting" | "over";
  finished: number;
  planned: number;
  unreadable: number;
}

/** What the page on which a person plays begins with. */
export interface Setting {
  title: string;
  board: Board;
  person: string;
  agent: string;
  game: string;
  side: Side;
  clocks: string;
  has_ways: boolean;
}

/** The game of a person. */
export interface GameState {
  version: number;
  elapsed_us: number;
  id: string;
  phase: Phase;
  own: Side;
  cells: string[];
  changed: number[];
  notes: string;
  captured: PerSide<string>;
  clocks_us: PerSide<number | null>;
  turns: Turn[];
}

export type Phase = PlainPhase | Asking | Over | Broken;

export interface PlainPhase {
  is: "ready" | "beginning" | "thinking" | "left";
}

export interface Asking {
  is: "asking";
  question: number;
}

export interface Over {
  is: "over";
  winner: Side | null;
  verdict: string;
  explanation: string[];
  close_calls: string[];
  record: string;
}

export interface Broken {
  is: "broken";
  reason: string;
}

export interface Turn {
  side: Side;
  move: string | null;
  is_pass: boolean;
  charged_cpu_us: number;
}

export interface Picking {
  answer: string | null;
  targets: Target[];
}

export interface Target {
  way: string[];
  ends: boolean;
  goes_on: boolean;
}
