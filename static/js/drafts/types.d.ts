/** The shapes of a draft and of what the server says of it. No page loads this file; it is for `tsc` and for readers. */

interface DraftOption { uid: string; text?: Texts }

/** A question or a section. */
interface DraftNode { uid: string; id?: string; [key: string]: any }
interface DraftQuestion extends DraftNode {
  /** The uid of its section. */
  section?: string;
  options?: DraftOption[];
}

/** A draft as survey/draft/document.py has it; both lists are there even where they are empty. */
interface Draft { questions: DraftQuestion[]; sections: DraftNode[]; [key: string]: any }

/** Unit, such as `title.en` or `n0123456789ab.epsilon` -> its value. */
type Units = Record<string, any>;

/** A unit that differs from what the page knows to be stored; `after` is the node before a new one. */
interface UnitChange { unit: string; was: string; now: any; after?: string | null }
/** A unit or a node that both have changed; null where a version does not have it. */
interface Conflict { unit: string; title: string; mine: string | null; theirs: string | null }
type Choices = Record<string, "mine" | "theirs">;

/** Something wrong, missing or promised too much: for a list, and for the field itself. */
interface Remark { unit: string; text: string; said?: string }

/** A draft as it is stored. */
interface Loaded { hash: string; document: Draft }

/** What the server finds in a draft as it is stored. */
interface Problems {
  faults: Remark[];
  missing: Remark[];
  ready: boolean;
  promises: { words: Remark[]; figures: string };
}

/** Nodes to draw: words, or an element with its attributes and what is in it. */
type Tree = (string | [tag: string, attributes: Attributes, children: Tree])[];

/** A body that was sent, and the draft of that moment. */
interface Sent { body: string; units: Units }
/** What a browser holds of a page: `seen` are the hashes of the drafts that this page went on from. */
interface Held { base: Units; document: Draft; seen: string[]; sent: Sent | null }

/** What was sent of a draft, what somebody else has changed meanwhile, and versions in which there is all of both. */
interface Joined { mine: UnitChange[]; theirs: UnitChange[]; versions: Units[] }
type Standing = "saved" | "waiting" | "saving" | "unreachable" | "signed_out" | "second_factor" | "refused" | "changed" | "frozen" | "gone";

/** The page as its saver sees it. */
interface SavedPage {
  address(): string;
  token: { value: string };
  read(): Draft;
  /** Put another draft in the place of what is typed. */
  put(draft: Draft): void;
  saved(answer: any, joined: Joined): void;
  /** Another window of the same person has changed the same. */
  overruled(answer: any, theirs: Units): void;
  tell(how: Standing, answer?: any): void;
  hold(held: Held): boolean;
  letGo(): void;
  /** What else asks the server shall wait. */
  begin(): void;
  end(): void;
}
