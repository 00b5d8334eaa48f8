/** The shapes of the teaching pages. No page loads this file; it is for `tsc` and for readers. */

/** A number that somebody may set: a slider and a field that follow each other. */
interface Setting {
  label: string;
  min: number;
  max: number;
  /** Of the slider; the field takes every number in the range. */
  step: number;
  value: number;
  /** Whole numbers only. */
  whole?: boolean;
  /** The slider moves by powers of ten, and `step` is a part of one. */
  log?: boolean;
  hint?: string;
  /** The page writes it into its address in a way of its own. */
  apart?: boolean;
}

/** Several settings, with what may be done to them from elsewhere. */
interface Panel<Name extends string> {
  node: HTMLElement;
  set(name: Name, value: number): void;
  /** Set some of them at once. What is typed into the others stays. */
  fill(values: Partial<Record<Name, number>>): void;
  /** Another label, and nothing else. */
  rename(name: Name, label: string): void;
}

/** What a reading of a field gives: a number, or the key of a sentence that says what is wrong. */
type Reading = { value: number } | { problem: "control.empty" | "control.number" | "control.digits" | "control.range" | "control.whole" };

/** One side of a plot. */
interface Axis {
  title: string;
  from: number;
  to: number;
  /** Powers of ten instead of equal steps. */
  log?: boolean;
  /** Where ticks stand, if not at round numbers. */
  ticks?: readonly number[];
  /** How a tick is written; as a number of the page's language unless it says otherwise. */
  format?: (value: number) => string;
}

type XY = readonly [number, number];

/** Told apart by hue and by dash or pattern: see static/lessons/pictures.css. */
type Look = "ink" | "bright" | "dark" | "accent" | "soft";

/** Words at a mark: `at` in the units of the axes, `dx` and `dy` in pixels from there. */
interface PlotLabel {
  text: string;
  at: XY;
  dx?: number;
  dy?: number;
  anchor?: "start" | "middle" | "end";
}

/** What can be drawn. Made by the functions of marks.js. */
type Mark = (sides: Sides) => SVGElement[];

/** From the units of an axis to pixels. */
type Scale = (value: number) => number;

interface Sides {
  x: Scale;
  y: Scale;
  /** The inner rectangle in pixels. */
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** A point that can be moved along x with the pointer or the arrow keys. */
interface Handle {
  /** Its accessible name. */
  label: string;
  at: XY;
  min: number;
  max: number;
  step: number;
  /** The value in words. */
  say: (value: number) => string;
  move: (value: number) => void;
}

/** The table that says what the plot shows: the first cell of a row names it. */
interface PlotTable {
  /** Where it changes with what is shown; otherwise the plot's `tableCaption`. */
  caption?: string;
  head: readonly string[];
  rows: readonly (readonly (string | number)[])[];
}

/** Everything that a plot shows. Drawn again, with the same words at the same size, whenever its width changes. */
interface PlotPicture {
  /** Where it changes with what is shown; otherwise the plot's own. */
  caption?: string;
  /** What can be seen, in a sentence, for somebody who cannot see it. */
  name: string;
  x: Axis;
  y: Axis;
  marks: readonly Mark[];
  handles?: readonly Handle[];
  /** It is made where somebody has it unfolded. Without one, or while it would have no rows, none is offered. */
  table?: (() => PlotTable) | undefined;
}

/** Words of a plot beside its caption. */
interface PlotWords {
  /** What the table shows, without a word about the drawing or what can be done with it; the plot's caption where there is none. */
  tableCaption?: string;
  /** What can be done with the plot, on a line of its own that is not printed. */
  hint?: string;
}

/** A figure in the page. */
interface Plot {
  node: HTMLElement;
  draw(picture: PlotPicture): void;
}

/** What an exercise shows: each value, and how many digits after the point it has at most. */
type Shown = Record<string, readonly [value: number, digits: number]>;

/** An exercise: for each set of numbers, those that it is posed with and those that follow. */
type Exercise = (set: number) => Shown;
