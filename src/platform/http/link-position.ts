import { hash } from 'node:crypto';
import { growingCache } from '../../kernel/growing-cache';
import type { Position } from '../../kernel/page';

/** A position in a list, as the links to the next and the previous page contain it. */
export interface LinkPosition {
  /** Identifies the list: its path, its filters and its order. */
  readonly list: string;
  /** The number of the page, for responses that show it. */
  readonly page: number;
  readonly values: Position;
}

/** The parameters that do not change which records a list has. */
const PAGING_PARAMETERS: ReadonlySet<string> = new Set([
  'page',
  'per_page',
  'after',
  'before',
  'count',
  'opened',
  'part',
]);

/** By what their URLs have apart from the page. Parsing and hashing take 3 % of the processor time of a page of findings. */
const recent = growingCache<string, string>(1_000);
const MAX_RECENT_LENGTH = 200;

/** The same for all pages of a list. */
export function listOf(url: string): string {
  const [path, query] = splitUrl(url);
  const others = query.split('&').filter((parameter) => !PAGING_PARAMETERS.has(parameter.split('=', 1)[0] ?? ''));
  const name = `${path}?${others.join('&')}`;
  const known = recent.get(name);
  if (known !== undefined) return known;
  const list = hashOfList(path, others.join('&'));
  if (name.length <= MAX_RECENT_LENGTH) recent.set(name, list);
  return list;
}

function hashOfList(path: string, query: string): string {
  const parameters = [...new URLSearchParams(query)].filter(([name]) => !PAGING_PARAMETERS.has(name));
  const named = parameters.map((parameter) => JSON.stringify(parameter)).sort();
  const text = JSON.stringify([path.replace(/\/$/, ''), named]);
  return hash('sha256', text, 'base64url').slice(0, 12);
}

export function splitUrl(url: string): [path: string, query: string] {
  const question = url.indexOf('?');
  return question < 0 ? [url, ''] : [url.slice(0, question), url.slice(question + 1)];
}

export const formatPosition = ({ list, page, values }: LinkPosition): string =>
  Buffer.from(JSON.stringify([list, page, ...values])).toString('base64url');

export const MAX_POSITION_LENGTH = 200;

/** Returns undefined for text that `formatPosition` did not write. Says nothing about the values. */
export function parsePosition(text: string): LinkPosition | undefined {
  if (text.length > MAX_POSITION_LENGTH) return undefined;
  const [list, page, ...values] = parsedArray(Buffer.from(text, 'base64url').toString());
  if (typeof list !== 'string' || !Number.isSafeInteger(page) || Number(page) < 1) return undefined;
  if (!values.every((value) => Number.isSafeInteger(value) || typeof value === 'string')) return undefined;
  const position = { list, page: Number(page), values: values as (number | string)[] };
  return formatPosition(position) === text ? position : undefined;
}

function parsedArray(json: string): unknown[] {
  try {
    const parsed: unknown = JSON.parse(json);
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return [];
  }
}
