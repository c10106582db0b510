import type { Scout } from './callbacks';
import type { Page } from './page';
import type { SentRequest } from './sent-request';
import type { Snapshot } from './snapshot';
import type { PointKind } from './target';

/** A value in a request that an experiment replaces. Plain JSON. */
export interface InsertionPoint {
  /** The request as it was found, with its original value. */
  readonly request: SentRequest;
  readonly kind: PointKind;
  /** The name of a parameter, cookie, header, variable, field or member; for a segment of the path, its number from 1. */
  readonly name: string;
  readonly value: string;
  /** Whether its page is built differently from other pages whose addresses have the same shape. */
  readonly isOther?: boolean;
  /** Whether the server does not decode this cookie, so that quotes and commas are sent as they are. */
  readonly isRaw?: boolean;
}

/** One request of an experiment. */
export interface ExperimentRow {
  readonly step: number;
  /** The value at the point. */
  readonly sent: string;
  /** What the response must be if the weakness exists, or what the request is a control of. */
  readonly expects: string;
  readonly observed: string;
  readonly status: number;
  readonly ms: number;
}

/** Hashes of the traits that tell responses to true conditions from those to false ones. Plain JSON. */
export interface KnownDistinction {
  readonly ofTrue: readonly string[];
  readonly ofFalse: readonly string[];
  /** Whether the original value got the same response as a true condition. */
  readonly isOriginalTrue?: boolean;
}

/** The responses to one kind of client while the weakness existed. Earlier versions did not store them. */
export interface PriorAnswers {
  /** The response to the original value. */
  readonly original?: Snapshot;
  /** Only set if conditions showed the weakness. */
  readonly distinction?: KnownDistinction;
  /** The page in which a visitor without a session reads what was stored. */
  readonly appearsAt?: string;
}

/** Responses that a job has just received, so that no check requests them again. */
export interface SeenAnswers {
  readonly original: Page;
  readonly word: { readonly value: string; readonly answer: Page };
}

export type EarlierAnswers = PriorAnswers & {
  readonly seen?: SeenAnswers | undefined;
  /** What a job has already sent to be called. */
  readonly scouted?: readonly Scout[];
  /** Whether responses show nothing here, so that only calls can. */
  readonly isBlind?: boolean;
};

/** An experiment as it is stored with its proof. Plain JSON. */
export interface ExperimentRecord extends PriorAnswers {
  readonly point: InsertionPoint;
  /** The syntax that showed the weakness. */
  readonly variant: string;
  /** How certain the proof is, with its arithmetic. */
  readonly certainty: string;
  readonly rows: readonly ExperimentRow[];
  /** The request for developers to repeat; null if it cannot be sent again unchanged. */
  readonly decisive: SentRequest | null;
  /** The same for browsers, which may get pages in another language. */
  readonly browser?: PriorAnswers;
}

/** The start of an experiment: in a verification, that of the finding. */
export type GivenExperiment = Pick<ExperimentRecord, 'point'> & Partial<ExperimentRecord> & EarlierAnswers;

/** How an application treats a harmless word at a point. Checks that cannot see anything there are left out. */
export interface Canary {
  /** Whether the word was repeated in the body, in a header, or in the address of a redirect. */
  readonly reflected: boolean;
  /** Whether the response differs from that to the original value in more than the value. */
  readonly changes: boolean;
  /** For a cookie: whether encoded text arrives encoded. */
  readonly isRaw: boolean;
  readonly word: string;
  readonly answer: Page;
  /** The response to the original value. */
  readonly original: Page;
}
