/** The shapes that the modules hand to one another. No page loads this file; it is for `tsc` and for readers. */

/** `channel[answer][report] / 2**32` is P(report | answer). */
type Channel = readonly (readonly number[])[];

/** The compact exact forms of survey/compact_form.py. */
interface RowsForm { form: "rows"; answers: number; knots: number; rows: readonly (readonly number[])[] }
interface WindowsForm { form: "windows"; answers: number; windows: readonly (readonly number[])[] }
interface SubsetsForm { form: "subsets"; answers: number; masks: readonly number[]; inside: number; outside: number; raised: number }
interface CyclicSetsForm { form: "cyclic_sets"; answers: number; blocks: readonly (readonly number[])[]; inside: number; outside: number; raised: number }
interface WeightedSetsForm { form: "weighted_sets"; answers: number; ratio: readonly number[]; lows: readonly number[]; masks: string }
interface SetsOnGridForm { form: "sets_on_grid"; answers: number; rounded: boolean; sets: WeightedSetsForm }
interface TailsForm { form: "tails"; tails: readonly number[] }
type Form = RowsForm | WindowsForm | SubsetsForm | CyclicSetsForm | WeightedSetsForm | SetsOnGridForm | TailsForm;

/** A form that a module of its own expands, checks, and finds the answers of that are told apart best. */
interface OtherForm {
  row(form: any, answer: number): number[];
  require(form: any): void;
  furthest(form: any): [readonly number[], readonly number[]];
}

/** Language code -> text. */
type Texts = Record<string, string>;

/** Key -> message, or plural category -> message. */
type Messages = Record<string, string | Record<string, string>>;

/** A channel with all its weights, the loss e^epsilon as two integers, and its logarithm. */
interface Plain {
  weights: number[][];
  loss: number[];
  epsilon: number;
}

/** One column of reports: its channel, as a table or in a compact form, and what it promises. */
interface Column {
  name: string;
  weights?: number[][];
  form?: Form;
  loss?: number[];
  epsilon: number;
  /** The Gaussian's promise instead of a loss. */
  ratio?: number[];
  delta_weight?: number;
  delta?: number;
  by_hand?: Plain;
  /** How many codes may stand in it; counted when the page is loaded. */
  codes: number;
  /** Which of the drawn sections it is of; none where everybody is asked it. Then the last code is "not asked". */
  part?: number;
}

interface Question {
  id: string;
  kind: string;
  /** None of a linked question: its section has a wheel. */
  mechanism: string;
  epsilon?: number;
  wording: Texts;
  note?: Texts;
  help?: Texts;
  picture?: PictureOf;
  /** The name of its group of questions on one scale, and what stands above them: the first has it. */
  matrix?: string;
  matrix_wording?: Texts;
  skip?: "randomized" | "apart";
  by_hand?: "coin";
  options?: Texts[];
  ordered?: boolean;
  scope?: "question" | "box";
  low?: number;
  high?: number;
  step?: number;
  unit?: Texts;
  sampled?: number;
  box?: Plain;
  columns: Column[];
  /** Leaves it the boxes of which some were drawn; whether there are any. Of linked boxes alone. */
  narrow?: (set: readonly number[]) => boolean;
}

/** What a question shows besides: a file of this SHA-256, and words for whoever does not see it. */
interface PictureOf { sha256: string; type: string; width: number; height: number; alt: Texts }

/** The published survey, byte for byte what was fingerprinted. */
interface Definition {
  slug: string;
  languages: string[];
  title: Texts;
  /** Who asks and how to reach them; a survey that is open has both, and says until when data is kept. */
  organisation?: Texts;
  contact?: Texts;
  /** A day such as 2027-12-31. */
  kept_until?: string;
  /** Whether what is sent is shown after all of it was sent, or each result before. */
  outcome: "after" | "before";
  /** What chats show beside a link: only that it is a survey, unless it says otherwise. */
  preview?: "title";
  information: Texts;
  consent: Texts;
  help?: Texts;
  closing?: Texts;
  /** A button that leaves at once, for this address or for an empty page. */
  quick_exit?: boolean | string;
  budget?: { limit?: number; waves?: number };
  /** The shares of guesses that are right: on average, and after the most telling result. */
  guess?: { right: number; most_telling: number };
  results: { step: number; reports_while_open: boolean };
  /** All questions, in order. A survey that is published with sections has them there alone, until it is read. */
  questions: Question[];
  nodes?: Trees;
  sections?: Section[];
  /** How many of the sections that are not always asked one person is asked. */
  asked?: number;
  /** What may come of the draw, where only some are asked. */
  candidates?: Candidates;
  /** Whether each report needs a one-time invitation, and whether those not used are listed. */
  invitations?: boolean | "listed";
}

/** Questions that a person is asked all or none of. */
interface Section {
  id?: string;
  title?: Texts;
  introduction?: Texts;
  always?: boolean;
  questions: Question[];
  /** Whether one wheel decides for all answers together: one for each number of combinations. */
  linked?: boolean;
  epsilon?: number;
  wheels?: Wheeled[];
  /** How many of its questions one person is asked, and whether all can be left out. */
  asked?: number;
  skip?: "randomized";
  /** Whether real coins may decide in place of the wheel, half of which is bright. */
  by_hand?: "coin";
}

/** A wheel of combinations, and the loss that it keeps. */
interface Wheeled { form: WindowsForm; loss: number[]; epsilon: number }

/** The wheels of linked questions, and whether all of them can be left out together. */
interface Linked { wheels: readonly Wheeled[]; skip: boolean }

/** The same with the questions, how many of them are asked, and their numbers of answers. */
interface Linking extends Linked { questions: readonly Question[]; asked: number; sizes: readonly number[]; coins: boolean }

/** What the wheel and the coins show for one word. */
interface Picture {
  /** The bright side came up: the answer stands. */
  bright: boolean;
  /** What the last coin or the slice says, where there is one. */
  side: number | null;
  /** Where within its slice the wheel stops, in (0, 1). */
  place: number;
}

/** The wheel, coins, cards or strip of one question. */
interface Device {
  node: HTMLElement;
  /** Resolves after the same time whatever comes out. */
  show(picture: any): Promise<void>;
  skip(): void;
}

/** Brings one side up: the slice of a wheel, and where within it; or the side of a coin. Times in milliseconds. */
type Turn = (side: number, place: number, delay?: number, duration?: number) => Animation[];

/** Makes a picture of chance from its nodes and a key: shares and what they mean, the bright one first. */
type Stage = (name: string, nodes: Node[], key: [number, Filler][], start: (picture: any) => Animation[]) => Device;

/** One slice of the wheel that chance decides. */
interface Slice {
  share: number;
  /** None is named where it is too narrow. */
  said?: () => string;
  /** Larger than its share where its neighbours have no names. */
  room?: number;
}

/** What the native controls of a question hold. */
interface Controls {
  nodes: Node[];
  inputs: HTMLInputElement[];
  /** The answer, or what is missing in words. */
  read(): { answer?: any; problem?: Filler };
  /** What is fixed, in words: on the screen until the result is, and nowhere else. */
  echo?: HTMLElement;
  /** Takes away what was said of the answer. */
  clear?(): void;
}

/** What is sent as it is entered, without a device: a skip, or what real coins gave. */
interface Entry {
  node: HTMLElement;
  inputs: HTMLInputElement[];
  /** Nothing while none is marked. */
  reports(): Record<string, number> | undefined;
  said: Filler;
}

/** A hundred people of one answer. */
interface Share {
  of: string;
  answer: () => string;
  share: number;
  /** One trial with that answer, made up: whether it is recorded as `yes`. */
  trial: () => boolean;
}

interface Odds {
  shares: Share[];
  yes: () => string;
  so: Filler;
  bound: Filler;
  exact: Filler;
}

/** Everything that depends on the kind of a question: a module each, loaded where the survey has the kind. */
interface Kind {
  /** How many reports a column can give. */
  reports(column: Column): number;
  /** Whether the channel is as private as the survey says, and one that the device can give. */
  keepsWord(question: Question): boolean;
  /** What everything that one person reports on it may give away: of the integers that `keepsWord` has checked, and no others. */
  promises(question: Question): Promised[];
  device(question: Question): Device;
  odds(question: Question, draw: () => number): Odds;
  controls(question: Question): Controls;
  draw(question: Question, answer: any, draw: () => number): { reports: Record<string, number>; picture: any };
  /** How it came out, in words. */
  explain(question: Question, picture: any, reports: Record<string, number>): Filler;
  /** A report in words. */
  recorded(question: Question, index: number, report: number): string;
  /** The words of all reports, where there are several. */
  list?(question: Question, codes: number[], said: (() => string)[]): Node | undefined;
  /** An answer that is nobody's, to see the device turn. */
  invented(question: Question): { answer: any; said: () => string };
  /** What stands by the question besides its note, put next to the parts of its screen. */
  dress?(question: Question, part: (id: string) => HTMLElement): void;
  /** Ways to leave the device out. */
  entries?(question: Question): Entry[];
  /** The question with others that are read as one. */
  block?(page: Page, first: Question): ReturnType<Block>;
}

/** Where taking part stands. */
interface CourseState {
  at: "reading" | "answering" | "asking" | "sending" | "waiting" | "resting" | "stored" | "cleared" | "over" | "elsewhere" | "refused";
  /** Asking whether this tab may: what it then does. */
  then?: "draw" | "draw and post" | "post" | "go on";
  /** How often the bytes have gone out. */
  tries?: number;
  /** Seconds: when the page no longer sends by itself, and how long it waits now. */
  until?: number | undefined;
  wait?: number;
  outcome?: string;
  /** The tab was hidden since the press. */
  hidden?: boolean;
  /** It is remembered how the results came about. */
  cause?: boolean | undefined;
  /** Drawn in another tab: what was sent is not shown here. */
  unseen?: boolean | undefined;
  /** Why it is over: the server's outcome, `ended` or `arrived`. */
  word?: string;
  /** It is over, and may have arrived. */
  doubt?: boolean;
}

interface CourseEvent {
  name: "begin" | "resume" | "press" | "send" | "alone" | "held" | "failed" | "answer" | "due" | "again" | "stop" | "leave"
    | "discard" | "hidden" | "minute" | "clear" | "told";
  way?: "before" | "after";
  /** Of an answer, and the moment, in seconds. */
  outcome?: string;
  wait?: number;
  now?: number;
  /** What this tab keeps. */
  body?: string | undefined;
  unseen?: boolean | undefined;
  begun?: boolean;
  /** What another tab tells. */
  told?: Told;
  stored?: boolean | undefined;
  ended?: boolean | undefined;
  adopts?: boolean;
}

/** The next state, and what is to be done, in order. */
type Go = (state: CourseState, event: Omit<CourseEvent, "name">) => [CourseState, string[]];
type Transition = (word: string, doubt?: boolean) => [CourseState, string[]];
type Step = (state: CourseState, event: CourseEvent) => [CourseState, string[]];
type Begin = (saved: Saved) => CourseState;
type Conduct = (page: Page, form: HTMLFormElement, restart: () => void) => {
  happen(event: CourseEvent): void;
  state(): CourseState;
  begin(state: CourseState): void;
  press(draw: () => Came[]): Promise<boolean>;
};

/** What one tab of a survey tells the others: never an answer, a word or a token. */
interface Told {
  reports: Record<string, number>;
  receipt?: string | undefined;
  set?: number[] | undefined;
  sends?: boolean;
  stored?: boolean;
  ended?: boolean;
}

/**
 * `ask`: the others shall tell what they have. `since` is when it began to ask, and 0 where it neither asks nor owns
 * the session: only where there are no locks.
 */
interface Message { ask: boolean; owner: boolean; since: number; told: Told }

/** Takes what the tab that draws has, or one that has sent or ended it. */
type Heard = (told: Told) => void;

/** What survives a reload. */
interface Saved {
  /** Column -> report. */
  reports: Record<string, number>;
  /** The sections that were drawn, by their place among those that could be: before any report. */
  set?: number[] | undefined;
  /** 128 random bits, drawn with the first report. */
  receipt?: string | undefined;
  /** The exact bytes, kept from before they first went out. */
  body?: string | undefined;
  /** Drawn in another tab: not to be shown here. */
  unseen?: boolean;
  /** Taking part is over, and nothing else is kept. */
  word?: string;
}

type KeyOf = (fingerprint: string, mark?: string) => string;
type Adopt = (told: Told, write?: (receipt: string, reports: Record<string, number>) => string) => void;
type TakeInvitation = (storage: Storage, fingerprint: string, token: string) => { mark: string; token: string };
type DropInvitation = (storage: Storage, fingerprint: string, mark?: string) => void;

/** Of a survey for those who were invited: who learns of it, what goes out with the reports, what is said before. */
interface Invitation {
  part: string;
  mark: string;
  token: string;
  sent: [string, string][];
  /** The token goes; of somebody for whom it has ended the mark stays. */
  drop(ended: boolean): void;
  said(): Node[];
}
type Invite = (definition: Definition, fingerprint: string) => Invitation;

/** A child of an element; a function fills the element, now or again when the language changes. */
type Filler = (node: HTMLElement) => void;
type Child = Node | string | Filler;

/** `{onclick: …}` listens; `false` and `undefined` leave an attribute out. */
type Attributes = Record<string, string | number | boolean | EventListener | undefined>;

/** What the {names} of a message stand for; `n` chooses the plural. */
type Values = Record<string, string | number>;

/** Runs `work` now, and whenever the language changes. */
type Live = (work: () => void) => void;

/** What every screen is given. */
interface Page {
  definition: Definition;
  /** Of all questions, in order. */
  columns: readonly Column[];
  fingerprint: string;
  invited?: Invitation;
  /** One press draws and sends everything. */
  atOnce: boolean;
  /** What this person is asked, in order. */
  asked: readonly Question[];
  kinds: Map<Question, Kind>;
  session: import("../respond/session.js").Session;
  tabs: import("../respond/tabs.js").Tabs;
  /** The screens of questions. */
  asking?: ReturnType<Way["open"]>;
  happen(event: CourseEvent): void;
  /** Draws once this tab may, and says whether it has. */
  press(draw: () => Came[]): Promise<boolean>;
  /** One word from the operating system. */
  draw(): number;
  /** To the questions. */
  go(): void;
  /** To a screen of them. */
  turn(place: number): void;
  back(): void;
  /** What the screen is called that is shown instead of questions. */
  screen(name: string): void;
  announce(key: string): void;
  leave(): void;
}

/** Of one question: what was drawn, or entered, and how it came about. */
interface Came { question: Question; reports: Record<string, number>; picture: any; said?: Filler }

/** How questions are asked: all answers first, or one after the other. */
interface Way {
  open(page: Page): {
    /** How many screens of questions there are. */
    length: number;
    show(place: number): Node[];
    /** Whether something of the screen before stays. */
    holds?(): boolean;
    leave(place: number): void;
    /** No control holds an answer any longer. */
    clear(): void;
  };
}

interface AnswersScreen { node: HTMLElement; all: Asked[]; said: (() => void)[] }

/* Functions: what they take and give, where it would fill a module that the page loads. */

/**
 * `answer` is the index of what is true: it goes no further than this function. `word` is uniform in
 * [0, 2**32). Gives the index that may leave the device; throws TypeError or RangeError, naming the
 * parameter, its range and its value.
 */
type Randomize = (channel: Channel, answer: number, word: number) => number;

/** For a yes/no question. Throws RangeError if the device cannot give this channel: its coins are fair. */
type BrightWeight = (mechanism: string, channel: Channel) => number;

/** `word` is the same one that drew the report. */
type Depict = (mechanism: string, channel: Channel, answer: number, word: number) => Picture;

/**
 * `loss` is the stated ratio e^epsilon as two integers, largest and smallest: no report is more than
 * largest/smallest times as likely under one answer as under another. `rows` come one after another.
 */
type KeepsLoss = (rows: Iterable<readonly number[]>, loss: readonly number[]) => boolean;
type IsWithinLoss = (weights: Channel, loss: readonly number[]) => boolean;

/** Whether the decimal that people read is ln(largest / smallest), to 1e-9. */
type IsLogarithm = (epsilon: number, loss: readonly number[]) => boolean;

/** What a report tells between two answers: the values of ln(P(report | one) / P(report | other)), increasing, and their chances. */
type Loss = { loss: number; chance: number }[];
type Between = (mine: readonly number[], theirs: readonly number[]) => Loss;
type Merged = (sorted: Loss) => Loss;
type Combined = (first: Loss, second: Loss) => Loss;
/** Gives delta(epsilon). */
type CurveOf = (told: Loss) => (epsilon: number) => number;
type NowhereBelow = (first: Loss, second: Loss) => boolean;
type Envelope = (several: readonly Loss[]) => Loss;
/** The loss bound of a table that is too large to compare stands for it. */
type HardestPairs = (form: Form, loss?: readonly number[]) => Loss[];

/**
 * What one report may give away: e^epsilon as two integers; the Gaussian's delta, and no less of it in words out of
 * 2**32; and what it tells between the two answers that are told apart best, or of those that come into question.
 */
interface Promised { loss: readonly number[]; delta?: number | undefined; delta_weight?: number | undefined; pairs: readonly Loss[] }

/** A loss, or the losses of pairs that come into question, and how often one person reports so. */
type Part = [Loss, number];
type Draw = [readonly Loss[], number][];
type Composed = (parts: readonly Part[]) => Loss;
type OnGrid = (parts: readonly Loss[]) => Loss;
type Counted = (reports: readonly Promised[], times?: number) => Draw;
type Candidates = (sections: readonly PromisedSection[], asked: number, waves: number) => Part[][];
type DearestDraws = (always: readonly Promised[], drawn: readonly (readonly Promised[])[], asked: number, waves: number) => Draw[] | null;
type DearestParts = (drawn: readonly (readonly Promised[])[], asked: number) => Part[];

/** The share of guesses between two sets of answers that are right, on average, for the dearest draw and over all waves. */
type Right = (sections: readonly PromisedSection[], asked: number, waves: number, candidates?: Candidates) => number;
/** The same in times in 100, rounded up, of reports that are made together, all of them `times` over. */
type TimesRight = (reports: readonly Promised[], times?: number) => number;

/** Over all waves. Times in 100 that a guess is right: `all` on average, after all reports, `alone` after those on the
 * worst single question, `telling` after the most telling result; `right` is `all` as a share, as the page computes it.
 * Where people are asked different parts, `asked` of `parts` count besides those that are always asked. */
interface Total extends Sum { limit: number | undefined; waves: number; parts: number; asked: number; beyond: number; right: number; all: number; telling: number; alone: number }
interface Sum { epsilon: number; delta: number }

/** What is promised of each report of a section. */
interface PromisedSection { always: boolean; reports: readonly Promised[] }
/** Which of two sections has the larger product of ratios, in integers. Above 0 where the first costs more. */
type Dearer = (first: readonly Promised[], second: readonly Promised[]) => number;
/** The most that one person's reports cost: those of sections asked always, and of the dearest drawn. */
type Dearest = (sections: readonly PromisedSection[], asked: number, dearer: Dearer) => Promised[];
/** Losses add up over questions, boxes and waves; deltas too, and have their own dearest. As `plain_sum` in Python. */
type SumUp = (sections: readonly PromisedSection[], asked: number, waves: number) => Sum;

type Surveyed = Pick<Page, "definition" | "kinds">;
/** Of checked integers; what counts as drawn is what the page draws from. */
type GiveTotal = (page: Surveyed) => Total;
type KeepsLimit = (page: Surveyed) => boolean;
type TotalFigure = (page: Surveyed, open?: boolean) => HTMLDetailsElement;

type Guessed = Pick<Total, "all" | "telling">;
/** A survey that may promise something: beyond the limits it says how little it protects. */
type IsProtected = (sums: Guessed) => boolean;
/** Without what is sent, with it, and without chance: with bars for the eye. */
type GuessTable = (sums: Guessed) => HTMLTableElement;
type SayGuess = (sums: Total) => HTMLElement[];
type GuessNotes = (sums: Total) => { shown: HTMLElement[]; folded: HTMLElement[] };

/** Gives the body, byte for byte. */
type WriteBody = (fingerprint: string, receipt: string, columns: readonly Column[], reports: Record<string, number>, more?: [string, string][]) => string;
type WriteForm = (fingerprint: string, columns: readonly Column[], more?: [string, string][]) => string;

/** What the server said: `unknown` when no answer can be read; seconds to wait; its words by language. */
interface Answer { outcome: string; wait: number; said: HTMLElement[] }
type Send = (form: HTMLFormElement) => Promise<Answer>;

/** `wanted` is what the reader prefers, best first. */
type Speak = (messages: Record<string, Messages>, languages: readonly string[], wanted: readonly string[]) => void;

type Words = (key: string, values?: () => Values) => Filler;

/** `false` and `undefined` leave an attribute out. */
type Assign = (node: Element, attributes: Attributes) => void;

/** `name` may have classes, as in `p.quiet`. */
type MakeElement = <Name extends keyof HTMLElementTagNameMap>(
  name: Name | `${Name}.${string}`, first?: Attributes | Child, ...rest: Child[]) => HTMLElementTagNameMap[Name];
type MakeDrawing = <Name extends keyof SVGElementTagNameMap>(
  name: Name, attributes?: Attributes, ...children: Node[]) => SVGElementTagNameMap[Name];

type Button = (key: string, action: string, onclick: () => void, look?: string) => HTMLButtonElement;
type Label = (name: string, at: readonly [number, number], size: number, said: () => string) => HTMLElement;
type Coin = (cover: string, front: Filler, back: Filler, name: string) => { node: HTMLElement; turn: Turn };
type Wheel = (bright: number, dark: Slice[], small?: boolean) => { node: HTMLElement; turn: Turn };
/** How large words can be on a slice, and how far from the middle: `near`, if they can be as large as `most` there. */
type Fit = (share: number, words: string, most: number, near: number) => { size: number; radius: number };
type Motion = (turns: number) => Keyframe[];
type Lead = (node: HTMLElement | SVGElement, frames: Keyframe[], timing: KeyframeAnimationOptions) => Animation;

/** `write` gives the body that is kept in the same step. Throws DOMException where the browser keeps nothing: then a reload could draw again. */
type LockReports = (drawn: Record<string, number>, write?: (receipt: string, reports: Record<string, number>) => string) => void;

/** Gives the message that says why the page must not go on. */
type Refusal = (definition: Definition, kinds: Map<Question, Kind>) => string | null;

/** `sizes` are the numbers of answers of the questions that are asked. Gives a code for each; without answers, all are left out. */
type RandomizeLinked = (linked: Linked, sizes: readonly number[], answers: readonly number[] | undefined, word: number) => number[];
type WheelOf = (linked: Linked, sizes: readonly number[]) => WindowsForm;

type Walk = (row: readonly number[], word: number) => number;

/** Throw TypeError or RangeError, naming what is wrong: rows hold whole weights that sum to 2**32; `end` is past the last. */
type RequireChannel = (channel: Channel) => void;
type RequireRow = (row: readonly number[]) => void;
type RequireWhole = (name: string, value: unknown, end: number) => void;

type IsWeight = (value: number) => boolean;

/** Uniform in [0, 2**32). Throws where the browser has no such source; there is no second-best one. */
type DrawWord = () => number;

/** 128 random bits, which only this respondent will hold, in 32 hexadecimal digits. */
type DrawReceipt = (draw: () => number) => string;
type Fill = (form: HTMLFormElement, body: string) => void;

/** Each option is an answer and its label. `Group` makes inputs without a name behave as if they shared one. */
type Radios = (options: [number, Filler][]) => Controls;
type Group = (radios: readonly HTMLInputElement[]) => void;

/** Where a survey has no sections, every question is one. `published` is one of both shapes: what it gives has sections, and all questions of them. */
type ReadSections = (published: Definition) => Definition & { sections: Section[] };
/** Those among which each person's are drawn: none where everybody is asked everything. */
type DrawnSections = (definition: Definition) => readonly Section[];
/** Gives the places of the sections drawn, ascending; null where nothing is drawn. */
type DrawSet = (draw: () => number) => number[];
/** Loaded before anything is drawn, whatever comes. */
type LoadDraw = (definition: Definition) => Promise<DrawSet | null>;
type AskedQuestions = (definition: Definition, set?: readonly number[]) => Question[];
type Taken = Pick<Page, "definition" | "asked">;
/** What the draw did, in one sentence, where there was one. */
type SayDraw = (page: Taken, key: string) => Node[];
/** Where a question stands among those that are asked; by parts, where parts have several. */
type Progress = (page: Taken, question: Question) => { n: number; total: number; part?: number; parts?: number };
/** What stands above the first question of a section; its h1 refers to it. */
type SectionHead = (page: Taken, question: Question) => HTMLElement[];

/** Loads a module for each kind, and counts the codes of each column: reports, by hand, a skip, "not asked". */
type LoadKinds = (definition: Definition) => Promise<Map<Question, Kind>>;
/** A skip that is randomized makes yes/no a choice out of three. */
type View = (question: Question) => string;

/** The odds both ways, the bound, and a hundred trials with a made-up answer. */
type OddsFigure = (odds: () => Odds, open: boolean) => HTMLDetailsElement;
/** `look` are classes. */
type Fold = (look: string, title: Filler, fill: () => Node[], open?: boolean) => HTMLDetailsElement;

/** A share out of a hundred; finer where whole numbers would say never or always. */
type Hundredths = (share: number) => string;

/** The same as a number, at least `least` away from never and always unless it is one of them. */
type OfHundred = (share: number, least: number) => number;

/** A small chance in two digits at most, rounded up. */
type Rarely = (chance: number) => string;
type Best = (wanted: readonly string[], offered: readonly string[]) => string | undefined;

/** The survey's own words. */
type SayTexts = (texts: Texts) => Filler;
/** A text with marks, as survey/markdown.py publishes it: a tag, the address of a link, and what stands within. */
type Marked = string | [string, ...Marked[]];
/** What was written -> its blocks. */
type Trees = Record<string, Marked[]>;
/** Each gives nothing for a text without marks. */
interface Marks {
  text?: (texts: Texts) => Filler | undefined;
  blocks?: (said: string, inside: (part: string) => Child[]) => Node[] | undefined;
}
type Paragraphs = (texts: Texts, inside?: (part: string) => Child[]) => Filler;

/** The text in parts, each with where it leads if it is a contact. */
type Contacts = (text: string) => [string, string?][];
type Header = (definition: Pick<Definition, "help" | "languages" | "quick_exit">, leave: () => void) => void;

type WordsScreen = (key: string, ...rest: Node[]) => Node[];
type FinalScreen = (word: string, said: HTMLElement[]) => Node[];
/** `doubt`: it may have arrived. */
type EndedScreen = (doubt?: boolean) => Node[];
/** `hides`: chance has chosen what nobody has seen. */
type SendingScreen = (page: Page, hides: boolean) => { nodes: Node[]; update(state: CourseState, said: HTMLElement[]): void };
/** `causes` are those that are remembered: their devices turn. */
type SentScreen = (page: Page, body: string, causes?: Came[]) => Node[];
type RecordedValues = (page: Pick<Page, "kinds" | "asked">, reports: Record<string, number>) => HTMLElement;
/** Beside one another where there is room. */
type SplitScreen = (first: Node[], aside: Node[], ...rest: Node[]) => Node[];

/**
 * One question that is not fixed. `lacks` says at its field what is missing. `draw` reads the answer, once: afterwards
 * the controls hold it no longer.
 */
interface Asked {
  question: Question;
  node: HTMLElement;
  part(id: string): HTMLElement;
  controls: Controls;
  /** Those of the answer, and of ways to leave the device out. */
  inputs: HTMLInputElement[];
  /** Whether the device is left out. */
  entered(): boolean;
  lacks(): boolean;
  draw(): Omit<Came, "question">;
}
/** `suffix` tells its ids from those of other questions on the screen. */
type Ask = (page: Page, question: Question, suffix?: string) => Asked;
/** A question, or several that are read as one. `whole` stands for several that chance decides for together. */
type Block = (page: Page, question: Question, suffix?: string) => { node: HTMLElement; all: Asked[]; whole?: Question };
type Folded = (page: Page, question: Question) => HTMLDetailsElement;
/** The first questions of their blocks, screen by screen. */
type ScreensOf = (questions: readonly Question[]) => Question[][];
/** Whoever is led there hears the explanation too. */
type Heading = (key: string, values?: () => Values) => HTMLElement;

/** Shares of the wheel run clockwise from the top. */
type MakeDevice = (mechanism: string, weights: Channel) => Device;
type Circle = (name: string, r: number, rest?: Attributes) => SVGCircleElement;
type Point = (turn: number, radius?: number) => [number, number];
type Sector = (start: number, share: number) => string;

/** Throws DOMException where the browser keeps nothing: then a reload could draw again. */
type KeepChange = (change: Partial<Saved>) => void;

/** What the JSON of that id holds. */
type Island = (id: string) => any;
type OnlyPlain = (question: Question) => Column & Plain;

type Say = (key: string, values?: Values) => string;
type MakeFiller = (read: () => string) => Filler;
type Show = (page: Page, name: string, screen: () => Node[], holds?: boolean) => void;
