import { bounded, numberOf, textOf, type Value } from './value';
import type { WorkBudget } from './work-budget';

/** Searches texts of any length, within the budget of the run. */
export interface TextSearch {
  includes(word: string, text: string): Promise<boolean>;
  toLowerCase(text: string): Promise<string>;
  /** Whether an RE2 expression matches in a text. */
  matches(pattern: string, text: string): Promise<boolean>;
  /** Replaces what matches the expression. */
  replace(pattern: string, text: string, replacement: string): Promise<string>;
}

/** What an expression can use in addition to its own values. */
export interface Environment {
  /** Undefined if the name has no value. */
  lookup(name: string): Value | undefined;
  readonly search: TextSearch;
  readonly work: WorkBudget;
  /** A number from 0 up to, but not including, the limit. */
  randomBelow(limit: number): number;
  readonly now: Date;
}

export interface TemplateFunction {
  readonly least: number;
  readonly most: number;
  call(values: readonly Value[], environment: Environment): Value | Promise<Value>;
}

export type FunctionTable = Readonly<Record<string, TemplateFunction>>;

const NOTHING: Value = '';

/** Typed access to values by position. Texts have a limit, because most functions process them without interruption. */
export class Values {
  constructor(private readonly values: readonly Value[]) {}

  get count(): number {
    return this.values.length;
  }

  at(place: number): Value {
    return this.values[place] ?? NOTHING;
  }

  text(place: number): string {
    return bounded(textOf(this.at(place)));
  }

  number(place: number): number {
    return numberOf(this.at(place));
  }

  /** A text of any length, for searches. */
  longText(place: number): string {
    return textOf(this.at(place));
  }

  texts(from: number): string[] {
    return this.values
      .slice(from)
      .flatMap((value) => (typeof value === 'object' ? value.map(textOf) : [textOf(value)]));
  }
}

/** A function that takes this number of values. */
export const takes = (
  least: number,
  most: number,
  call: (values: Values, environment: Environment) => Value | Promise<Value>,
): TemplateFunction => ({ least, most, call: (values, environment) => call(new Values(values), environment) });

/** A function of one text. */
export const ofText = (call: (text: string) => Value): TemplateFunction =>
  takes(1, 1, (values) => call(values.text(0)));
