import { asLine } from '../../../kernel/plain-text';
import { markerIn } from '../domain/ticket-text';
import { type TrackerApi, TrackerError } from '../domain/tracker-api';
import { TRACKER_LABELS } from '../domain/tracker-vocabulary';

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  /** Below the address of the tracker. */
  readonly path: string;
  readonly body?: unknown;
  /** Without credentials, as a stranger. */
  readonly isAnonymous?: boolean;
}

export interface ApiAnswer {
  readonly status: number;
  /** Parsed JSON; null if there is none. */
  readonly body: unknown;
}

export interface TrackerLogin {
  readonly user: string | null;
  readonly token: string;
}

/** The settings that requests depend on. */
export interface TrackerPlace {
  readonly address: string;
  readonly project: string;
  readonly issueType: string;
  /** Null before a test. */
  readonly account: string | null;
  /** Names of statuses in Jira and of labels elsewhere, in lower case: closed with one of them is not to be fixed. */
  readonly wontDo: readonly string[];
  /** The fields that the settings fill, as Jira names them. */
  readonly filled: readonly string[];
}

/** Answers with a 2xx or one of these other statuses; throws a TrackerError otherwise. */
export type Send = (request: ApiRequest, others?: readonly number[]) => Promise<ApiAnswer>;

export interface Protocol {
  /** The API below the address. */
  readonly base: (address: string) => string;
  readonly headers: (login: TrackerLogin) => Readonly<Record<string, string>>;
  readonly api: (send: Send, place: TrackerPlace, now: () => Date) => TrackerApi;
}

/** The statuses of a ticket that is not there. GitHub redirects from one that was transferred to another repository. */
export const MISSING = [301, 404, 410];

const MAX_TEXT = 2_000;
/** The database has others than JavaScript. */
const MAX_TIME = Date.UTC(9999, 0);
/** A thousand tickets, and no answer that is long. */
export const MAX_PAGES = 50;
export const PAGE_SIZE = 20;

type Json = Readonly<Record<string, unknown>>;

/** Answers come from a foreign server: what is not as documented is empty. */
export const recordOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const textOf = (value: unknown, most = MAX_TEXT): string =>
  typeof value === 'string' ? asLine(value.slice(0, most)) : typeof value === 'number' ? String(value) : '';
/** An account. */
export const accountOf = (value: unknown): string => textOf(value, 200);
/** It is part of paths and links. */
function valid(pattern: RegExp, value: unknown): string {
  const text = textOf(value);
  if (pattern.test(text)) return text;
  throw new TrackerError('tracker', 'The tracker has answered with a ticket that has no valid number or key.');
}
/** Of a ticket. */
export const idOf = (value: unknown): string => valid(/^\d{1,20}$/, value);
/** Of a ticket in Jira. */
export const keyOf = (value: unknown): string => valid(TRACKER_LABELS.jira.key, value);
/** Of a text that Assay has written. */
export const markerOf = (value: unknown): string | null =>
  typeof value === 'string' ? markerIn(value.slice(-MAX_TEXT)) : null;
/** It becomes a link: any other scheme could be a script. */
export const urlOf = (value: unknown): string =>
  /^https?:\/\/.{1,2000}$/s.exec(textOf(value, MAX_TEXT + 100))?.[0] ?? '';
export const dateOf = (value: unknown): Date => {
  const time = Date.parse(textOf(value));
  return new Date(Number.isNaN(time) ? 0 : Math.min(Math.max(time, 0), MAX_TIME));
};

/** Reads pages until one is not full, or `isEnough` says so. A server may send more than it was asked for. */
export async function eachPage(
  read: (page: number) => Promise<readonly unknown[]>,
  isEnough: (items: readonly unknown[]) => boolean,
): Promise<void> {
  for (let page = 1; page <= MAX_PAGES; page++) {
    const items = await read(page);
    if (isEnough(items.slice(0, PAGE_SIZE)) || items.length < PAGE_SIZE) break;
  }
}

/** What is kept of the items of all pages. */
export async function pagesOf<T>(
  read: (page: number) => Promise<readonly unknown[]>,
  keep: (item: unknown) => T,
  isLast: (kept: T) => boolean = () => false,
): Promise<T[]> {
  const all: T[][] = [];
  await eachPage(read, (items) => {
    const kept = items.map(keep);
    all.push(kept);
    return kept.some(isLast);
  });
  return all.flat();
}

/** Whether a text in it contains this one. */
export const contains = (value: unknown, part: string, depth = 20): boolean =>
  typeof value === 'string'
    ? value.includes(part)
    : typeof value === 'object' &&
      value !== null &&
      depth > 0 &&
      Object.values(value).some((one) => contains(one, part, depth - 1));

/** Of changed tickets in the order of their change. */
export const changesIn = (tickets: readonly { readonly id: string; readonly version: Date }[], since: Date) => ({
  ids: [...new Set(tickets.map(({ id }) => id))],
  until: tickets.reduce((latest, { version }) => (version > latest ? version : latest), since),
});
