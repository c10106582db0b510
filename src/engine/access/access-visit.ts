import { identifiersIn, readable, shows } from './private-values';
import type { AccessRow, AccessVisitor } from '../access-record';
import type { Page } from '../page';
import { ProbeSession } from '../probe-session';
import type { WebTarget } from '../target';
import { type Exchange, ExchangeFailed } from '../transport/exchange';
import type { Transport, Via } from '../transport/transport';

/** How one visitor was answered. */
export interface AccessAnswer {
  readonly path: string;
  readonly page: Page;
  /** As a reader or a program reads it. */
  readonly text: string;
  readonly at: string;
}

/** The two accounts of a series, each with a session of its own, and a visitor without one. */
export type AccessVias = Readonly<Record<AccessVisitor, Via>>;

/** Sends requests as one of the visitors. In a direction, `owner` is the account that owns the object. */
export type Send = (as: AccessVisitor, path: string, fresh?: boolean) => Promise<AccessAnswer | null>;

export const isServed = (answer: AccessAnswer | null): answer is AccessAnswer =>
  answer !== null && answer.page.status >= 200 && answer.page.status < 300;

export const identifiersOf = ({ page }: AccessAnswer): Set<string> =>
  identifiersIn(page.text, page.headers.get('content-type') ?? '');

export const valuesIn = (answer: AccessAnswer | null, values: readonly string[]): string[] =>
  answer === null ? [] : values.filter((value) => shows(answer.text, value));

/** Sends reading requests as a visitor. Null where no answer came, or the request may not be sent in a session. */
export async function ask(
  target: WebTarget,
  transport: Transport,
  via: Via,
  path: string,
  fresh = false,
): Promise<AccessAnswer | null> {
  try {
    const page = await new ProbeSession(transport, via).probe(target).requestPage({ path, fresh });
    return { path, page, text: readable(page.text), at: transport.now().toISOString() };
  } catch (error) {
    if (error instanceof ExchangeFailed) return null;
    throw error;
  }
}

/** What is kept of an answer. */
export const rowOf = (
  as: AccessVisitor,
  expects: string,
  answer: AccessAnswer,
  values: readonly string[],
): AccessRow => ({
  as,
  path: answer.path,
  expects,
  status: answer.page.status,
  bytes: answer.page.body.length,
  values: valuesIn(answer, values),
  at: answer.at,
});

/** A row as evidence keeps an exchange: no text of people besides the decisive values. */
export const exchangeOfRow = (
  origin: string,
  name: string,
  { path, status, bytes, values, at }: Pick<AccessRow, 'path' | 'status' | 'bytes' | 'values' | 'at'>,
): Exchange => ({
  kind: 'http',
  to: `${origin}${path}`,
  started: at,
  ms: 0,
  address: null,
  sent: `GET ${path} ${name}`,
  received: `${status}, ${bytes} bytes${values.length === 0 ? '' : `, with ${values.map((one) => JSON.stringify(one)).join(', ')}`}`,
  bytes,
  sha256: null,
  tls: null,
  failure: null,
});
