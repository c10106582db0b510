import type { Page } from './page';
import type { SentRequest } from './sent-request';
import type { Snapshot } from './snapshot';
import type { PointKind } from './target';

/** A value in a request that an experiment replaces. Plain JSON. */
export interface InsertionPoint {
  /** The request as it was found, with the value that it had. */
  readonly request: SentRequest;
  readonly kind: PointKind;
  /** Of a parameter, cookie, header or variable; of a segment of the path its number from 1. */
  readonly name: string;
  readonly value: string;
  /** Its page is built unlike those whose addresses have its shape. */
  readonly isOther?: boolean;
  /** The server decodes nothing in this cookie: quotes and commas are sent as they are. */
  readonly isRaw?: boolean;
}

/** One request of an experiment. */
export interface ExperimentRow {
  readonly step: number;
  /** The value at the point. */
  readonly sent: string;
  /** What the answer has to be if the weakness is there, or what the request is a control of. */
  readonly expects: string;
  readonly observed: string;
  readonly status: number;
  readonly ms: number;
}

/** What tells answers to true conditions from those to false ones, as hashes of their traits: plain JSON. */
export interface KnownDistinction {
  readonly ofTrue: readonly string[];
  readonly ofFalse: readonly string[];
  /** Whether the value itself was answered as a true condition is. */
  readonly isOriginalTrue?: boolean;
}

/** How one kind of client was answered while the weakness was there. Earlier versions kept nothing of it. */
export interface PriorAnswers {
  /** The answer to the value as it was found. */
  readonly original?: Snapshot;
  /** Only where the weakness was shown by conditions. */
  readonly distinction?: KnownDistinction;
}

/** How a job has just been answered, so that no check asks again. */
export interface SeenAnswers {
  readonly original: Page;
  readonly word: { readonly value: string; readonly answer: Page };
}

export type EarlierAnswers = PriorAnswers & { readonly seen?: SeenAnswers | undefined };

/** An experiment as it is kept with its proof: plain JSON. */
export interface ExperimentRecord extends PriorAnswers {
  readonly point: InsertionPoint;
  /** Which of several syntaxes showed the weakness. */
  readonly variant: string;
  /** How certain the proof is, with its arithmetic. */
  readonly certainty: string;
  readonly rows: readonly ExperimentRow[];
  /** The request that a developer repeats; null where it cannot be sent again as it was. */
  readonly decisive: SentRequest | null;
  /** The same for browsers, which may get pages in another language. */
  readonly browser?: PriorAnswers;
}

/** What an experiment begins with: in a verification that of the finding. */
export type GivenExperiment = Pick<ExperimentRecord, 'point'> & Partial<ExperimentRecord> & EarlierAnswers;

/** How an application treats a harmless word at a point, so that checks which cannot see anything there are left out. */
export interface Canary {
  /** The word came back in the body, in a header, or in the address of a redirect. */
  readonly reflected: boolean;
  /** The answer differs from that to the original value in more than the value. */
  readonly changes: boolean;
  /** Of a cookie: what is encoded in it arrives encoded. */
  readonly isRaw: boolean;
  readonly word: string;
  readonly answer: Page;
  /** The answer to the original value. */
  readonly original: Page;
}
