import type { Callbacks } from '../callbacks';
import { ExchangeError } from './exchange';
import type { HttpAnswer, HttpRequest } from './http';
import type { ViaSession } from './via-session';

export interface Created {
  /** The address that the target names for it. */
  readonly path: string;
  /** The text that must be read there before it is deleted; null if the request had none, or if it is not deleted. */
  readonly mark: string | null;
}

export interface KnownPage {
  readonly path: string;
  readonly status: number | null;
  /** Set if it is not requested. */
  readonly leftOut?: unknown;
}

/** A form as its page shows it before a submission. */
export interface FormNow {
  readonly page: HttpAnswer;
  readonly action: URL;
  readonly fields: readonly { readonly name: string; readonly value: string }[];
}

/** Lets a test change the target. Without it, nothing is sent that may change the target. */
export interface ViaSubmissions {
  /** Called before each request that may change the target. Throws an `ExchangeError` if it may not be sent. */
  take(request: HttpRequest): Promise<void>;
  /** Why a form as it is now, or an operation without one, is not submitted, or null. */
  whyRefused(request: HttpRequest, form: FormNow | null, isSignedIn: boolean): Promise<string | null>;
  /** Runs one submission with what belongs to it, while no other one runs. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** States that these addresses exist: the test has not created them, and deletes none of them. */
  knows(pages: readonly KnownPage[]): void;
  /** The known pages that may be read. */
  readonly pages: readonly string[];
  /** What the target says that the request has created, or null. */
  createdBy(request: HttpRequest, answer: HttpAnswer): Created | null;
  /** States that the mark was read there, so that this address may be deleted once. */
  mayDelete(path: string): boolean;
  /** Why no more is sent to this address, or null. */
  usedUp(request: Pick<HttpRequest, 'method' | 'path'>): string | null;
  /** States that what it has entered was read on these pages. */
  shows(request: Pick<HttpRequest, 'method' | 'path' | 'body'>, paths: readonly string[]): Promise<void>;
  cleanedUp(request: HttpRequest, path: string, isGone: boolean): Promise<void>;
}

/** What only some tests may use. */
export interface ViaMeans {
  /** The listener that targets can call. Nothing behind a beacon uses it. */
  readonly callbacks?: Callbacks | undefined;
  /** The signed-in session of an account. Without one, requests are sent without signing in. */
  readonly session?: ViaSession | undefined;
  /** Set where an admin allows tests that change the target. */
  readonly submissions?: ViaSubmissions | undefined;
}

/** Counts and lists a request that may change the target. Throws if nothing may. */
export async function takeSubmission(request: HttpRequest, { submissions }: ViaMeans): Promise<void> {
  if (submissions === undefined)
    throw new ExchangeError('egress', 'it may change the target, and only active tests with full may do so');
  await submissions.take(request);
}
