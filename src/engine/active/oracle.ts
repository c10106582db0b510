import type { CallbackSyntax } from '../callbacks';
import type { Page } from '../page';
import type { Canary, InsertionPoint } from '../experiment-record';
import type { Outcome } from './outcome';

/** One way to prove a weakness by an experiment. */
export interface OracleOf<Experiment> {
  /** Whether it can see anything at a point with these responses; true by default. */
  readonly appliesTo?: (canary: Canary) => boolean;
  /** It measures response times, so nothing else is tested meanwhile. */
  readonly measuresTime?: boolean;
  /** Whether a fix may answer the original value with this page, although the earlier response was different. */
  readonly mayAnswer?: (original: Page) => boolean;
  /** Values that call the listener where the weakness exists. A job sends them before everything else, because calls take time. */
  readonly callbacks?: readonly CallbackSyntax[];
  observe(experiment: Experiment): Promise<Outcome>;
}

export interface Expectation {
  /** What the response has to be, in words for people. */
  readonly expects: string;
  /** What the response was, once it is known. */
  readonly observe?: (answer: Page) => string;
  /** Set for a control at another place of the request. */
  readonly point?: InsertionPoint;
  /** Set for values that are not always sent, or not equally often. The keys of other values must not depend on them. */
  readonly as?: 'as found' | 'harmless';
  /** Whether the response time is measured. */
  readonly alone?: boolean;
}

export const statusAndSize = ({ status, body }: Page): string => `${status}, ${body.length} bytes`;
