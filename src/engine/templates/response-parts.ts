import { STATUS_CODES } from 'node:http';
import type { Page } from '../page';
import type { Value } from './expressions/value';

/** `content-type` becomes `Content-Type`, the spelling that such checks use. */
const canonical = (name: string): string => name.replace(/(^|-)([a-z])/g, (letters) => letters.toUpperCase());

const headText = ({ status, headers }: Page): string =>
  `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${headers.fields
    .map(([name, value]) => `${canonical(name)}: ${value}\r\n`)
    .join('')}`;

const SECTIONS: Readonly<Record<string, (page: Page) => string>> = {
  body: (page) => page.text,
  header: headText,
  all_headers: headText,
  all: (page) => `${headText(page)}\r\n${page.text}`,
  response: (page) => `${headText(page)}\r\n${page.text}`,
};

/** Headers that a check may use as a part, such as `content_type`; names of custom headers begin with `x_`. */
const FIELDS = new Set(
  `accept_ranges access_control_allow_credentials access_control_allow_headers access_control_allow_methods
  access_control_allow_origin age allow cache_control content_disposition content_encoding content_language
  content_length content_security_policy content_type dasl date dav etag expires last_modified link location p3p pragma
  public referrer_policy refresh retry_after server set_cookie strict_transport_security upgrade vary via www_authenticate`.split(
    /\s+/,
  ),
);

const isField = (name: string): boolean => FIELDS.has(name) || /^x_[a-z0-9_]{1,60}$/.test(name);

/** The values of a header, one per line. */
export const fieldText = (page: Page, name: string): string => page.headers.all(name.replaceAll('_', '-')).join('\n');

/** A part of a specific response of the block: `body_2` is the body of the second one. */
export interface NamedPart {
  readonly name: string;
  /** From 1; null is the response that was just received. */
  readonly response: number | null;
}

/** Parses the name of a part with the number of a response, if the rest of the name is a part. */
export function namedPart(text: string, isPart: (name: string) => boolean): NamedPart {
  const [, name = '', digits] = /^(\w+)_([1-9]\d?)$/.exec(text) ?? [];
  return digits !== undefined && isPart(name) ? { name, response: Number(digits) } : { name: text, response: null };
}

const isSection = (name: string): boolean => Object.hasOwn(SECTIONS, name);

/** The parts of a response that can be matched, by name. */
export const PARTS = {
  knows: (text: string): boolean => isSection(PARTS.named(text).name) || isField(PARTS.named(text).name),
  named: (text: string): NamedPart =>
    isSection(text) ? { name: text, response: null } : namedPart(text, (name) => isSection(name) || FIELDS.has(name)),
  of: (page: Page, name: string): string => SECTIONS[name]?.(page) ?? fieldText(page, name),
};

const seconds = (page: Page): number => [page, ...page.hops].reduce((sum, { ms = 0 }) => sum + ms, 0) / 1_000;

const NUMBERS: Readonly<Record<string, (page: Page) => number>> = {
  status_code: ({ status }) => status,
  content_length: ({ headers, body }) => Number(headers.get('content-length') ?? body.length) || body.length,
  duration: seconds,
};

/** Redirects can set cookies as well. */
function cookieOf(page: Page, name: string): string | undefined {
  for (const { headers } of [page, ...page.hops]) {
    for (const field of headers.all('set-cookie')) {
      const [, own = '', value = ''] = /^\s*([^=;\s]+)=([^;]*)/.exec(field) ?? [];
      if (own.toLowerCase() === name.toLowerCase()) return value;
    }
  }
  return undefined;
}

/** The value of a name in a response: a number, a section, a header or a cookie. */
export function responseValue(page: Page, name: string): Value | undefined {
  const number = Object.hasOwn(NUMBERS, name) ? NUMBERS[name]?.(page) : undefined;
  if (number !== undefined) return number;
  if (isSection(name)) return PARTS.of(page, name);
  const field = page.headers.all(name.replaceAll('_', '-'));
  return field.length > 0 ? field.join('\n') : cookieOf(page, name);
}

const isValueName = (name: string): boolean => isSection(name) || FIELDS.has(name) || Object.hasOwn(NUMBERS, name);

/** Names whose value in a response is a number or a text. Other headers and cookies can only be found in `header`. */
export const isNumberOfResponse = (name: string): boolean => Object.hasOwn(NUMBERS, namedValue(name).name);
export const isTextOfResponse = (name: string): boolean =>
  isSection(namedValue(name).name) || isField(namedValue(name).name);

/** Like `namedPart`, including the numbers that expressions can use. */
export const namedValue = (text: string): NamedPart => namedPart(text, isValueName);

/** Parts of a request that an out-of-band server would have received. */
export const isOutOfBandPart = (name: string): boolean =>
  /^interactsh_(?:protocol|request|response|ip)(?:_[1-9]\d?)?$/.test(name);
