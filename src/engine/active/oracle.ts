import type { Page } from '../page';
import type { Canary, InsertionPoint } from '../experiment-record';
import type { Outcome } from './outcome';

/** One way to prove a weakness by an experiment. */
export interface OracleOf<Experiment> {
  /** Whether it can see anything at a point that is answered so; by default it can. */
  readonly appliesTo?: (canary: Canary) => boolean;
  /** It measures how long answers take, so nothing else is tested meanwhile. */
  readonly measuresTime?: boolean;
  /** Whether the fix may answer the value itself so, although it was answered in another way before. */
  readonly mayAnswer?: (original: Page) => boolean;
  observe(experiment: Experiment): Promise<Outcome>;
}

export interface Expectation {
  /** For people: what the answer has to be. */
  readonly expects: string;
  /** What it was, as soon as that is known. */
  readonly observe?: (answer: Page) => string;
  /** For a control at another place of the request. */
  readonly point?: InsertionPoint;
  /** What is not always sent, or not equally often: the keys of other values must not depend on that. */
  readonly as?: 'as found' | 'harmless';
  /** It measures how long the answer takes. */
  readonly alone?: boolean;
}

export const statusAndSize = ({ status, body }: Page): string => `${status}, ${body.length} bytes`;
