import { STATUS_CODES } from 'node:http';
import type { Page } from '../page';

/** `content-type` as `Content-Type`: the spelling in which the words of such checks are written. */
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

/** Fields that a check may name as a part of their own, as `content_type`; those of its own begin with `x_`. */
const FIELDS = new Set(
  `accept_ranges access_control_allow_credentials access_control_allow_headers access_control_allow_methods
  access_control_allow_origin age allow cache_control content_disposition content_encoding content_language
  content_length content_security_policy content_type date etag expires last_modified link location p3p pragma
  referrer_policy refresh retry_after server set_cookie strict_transport_security vary via www_authenticate`.split(
    /\s+/,
  ),
);

const isField = (name: string): boolean => FIELDS.has(name) || /^x_[a-z0-9_]{1,60}$/.test(name);

/** The values of a field, one to a line. */
export const fieldText = (page: Page, name: string): string => page.headers.all(name.replaceAll('_', '-')).join('\n');

/** The parts of an answer that can be looked at, by name. */
export const PARTS = {
  knows: (name: string): boolean => Object.hasOwn(SECTIONS, name) || isField(name),
  of: (page: Page, name: string): string => SECTIONS[name]?.(page) ?? fieldText(page, name),
};
