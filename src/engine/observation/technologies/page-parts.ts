import { attributeOf, metaContents } from '../../protocols/http/markup';
import type { PageMark } from './technology';

/** Pages are untrusted and up to 5 MB long. Software names itself at the beginning and at the end. */
const HEAD = 120_000;
const TAIL = 20_000;
/** Characters before and after a mark. */
const AROUND = 800;
const MOST_ADDRESSES = 100;
const LONGEST_ADDRESS = 200;
const LONGEST_GENERATOR = 300;
const MOST_GENERATORS = 5;

/** The part of a page that is searched. */
export const searchedPart = (body: string): string =>
  body.length <= HEAD + TAIL ? body : `${body.slice(0, HEAD)}\n${body.slice(-TAIL)}`;

const ALWAYS = /^/;

/** The match of a mark in a page, or null. */
export function markIn(page: string, mark: PageMark): RegExpExecArray | null {
  const [text, around] = typeof mark === 'string' ? [mark, ALWAYS] : mark;
  const at = page.indexOf(text);
  return at < 0 ? null : around.exec(page.slice(Math.max(0, at - AROUND), at + text.length + AROUND));
}

/** The addresses of scripts, style sheets and other links in the head, as the page has them. */
export function addressesIn(page: string): string[] {
  const tags = (page.match(/<(?:script|link)\s[^<>]{1,1000}/gi) ?? []).slice(0, MOST_ADDRESSES);
  return tags
    .map((tag) => attributeOf(tag, /^<s/i.test(tag) ? 'src' : 'href'))
    .filter((address) => address !== null && !address.startsWith('data:'))
    .map((address) => String(address).slice(0, LONGEST_ADDRESS));
}

export const generatorsIn = (page: string): string[] =>
  metaContents(page, 'generator')
    .slice(0, MOST_GENERATORS)
    .map((text) => text.slice(0, LONGEST_GENERATOR));
