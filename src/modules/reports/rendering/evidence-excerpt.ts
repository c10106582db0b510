import { MADE_UP } from '../../../kernel/made-up-path';
import type { SnapshotProbe } from '../domain/snapshot-parts';

/** Consecutive lines of a message, or a sentence about lines that are left out. */
export interface ExcerptPart {
  readonly kind: 'plain' | 'decisive' | 'omitted';
  readonly text: string;
}

/** The exchange that decided a probe, in its important lines, and all others in one line each. */
export interface ProbeExcerpt {
  readonly decisive: {
    readonly request: readonly ExcerptPart[];
    readonly response: readonly ExcerptPart[];
    readonly address: string | null;
  } | null;
  readonly others: readonly string[];
}

const MAX_LINE_LENGTH = 300;
const MAX_HEADER_LINES = 24;
const MAX_BODY_LINES = 12;
const MAX_MATCHES = 3;
const CONTEXT_LINES = 2;
const MAX_OTHERS = 12;
/** Lines of a body that are searched. */
const MAX_SEARCHED_LINES = 5_000;

/** Headers of a request that can change the response. */
const KEY_REQUEST_HEADERS =
  /^(?:host|origin|referer|cookie|authorization|content-type|range|upgrade|x-forwarded-\w+|user-agent):/i;

/** The probe in the lines that a reader needs. The JSON format has all of its messages. */
export function excerptOfProbe({ state, detail, exchanges }: SnapshotProbe, location: string | null): ProbeExcerpt {
  const terms = termsOf(detail, location);
  const index = decisiveIndex(exchanges, terms, detail, location);
  const exchange = exchanges[index];
  const others = exchanges.filter((_exchange, other) => other !== index).map(summaryOf);
  const rest = others.length - MAX_OTHERS;
  return {
    decisive:
      exchange === undefined
        ? null
        : {
            request: requestParts(exchange.request),
            response: responseParts(exchange.response, state === 'vulnerable' ? terms : []),
            address: exchange.address,
          },
    others: rest > 0 ? [...others.slice(0, MAX_OTHERS), `and ${rest} more`] : others,
  };
}

/** The probe of a retest whose messages are shown: the first that shows the vulnerability, or else the first of all. */
export const decisiveProbe = (probes: readonly SnapshotProbe[]): SnapshotProbe | undefined =>
  probes.find(({ state }) => state === 'vulnerable') ?? probes[0];

type Exchange = SnapshotProbe['exchanges'][number];

/** Texts of the detail that can be found again in a response: quotations, names of headers, versions, long numbers, addresses of others. */
function termsOf(detail: string, location: string | null): string[] {
  const quoted = [...detail.matchAll(/"([^"]{3,200})"/g)].map(([, text = '']) => text);
  const words =
    detail.match(/(?<![\w-])[\w-]+\/\d[\w.]*|\b\d{6,}\b|\b[A-Z][A-Za-z]*(?:-[A-Z][A-Za-z]+){1,10}\b/g) ?? [];
  const addresses = detail.match(/\bhttps?:\/\/[\w.:[\]-]*[\w\]]/g) ?? [];
  const foreign = addresses.filter((address) => location?.startsWith(address) !== true);
  return [...new Set([...quoted, ...words, ...foreign])].slice(0, 20);
}

const firstLine = (message: string): string => message.slice(0, message.search(/\r?\n|$/)).slice(0, MAX_LINE_LENGTH);

const pathOf = (request: string): string => /^[A-Z]+ (\S+)/.exec(firstLine(request))?.[1]?.split('?')[0] ?? '';

/** The location without its scheme and host. */
const pathOfLocation = (location: string | null): string =>
  /^[a-z]+:\/\/[^/]+(\/[^?#]*)/.exec(location ?? '')?.[1] ?? '/';

/**
 * Prefers the exchange that the detail names, then one whose response has its words, then the location of the finding. Of equal
 * ones it takes the last: an experiment sends the request that shows the weakness at the end.
 */
function decisiveIndex(
  exchanges: readonly Exchange[],
  terms: readonly string[],
  detail: string,
  location: string | null,
): number {
  const place = pathOfLocation(location);
  const weights = exchanges.map(({ request, response }) => {
    const path = pathOf(request);
    const isNamed = path.length > 1 && detail.includes(path);
    const hasTerm = terms.some((term) => response.includes(term));
    // A refusal also names the twin that it is compared with.
    const named = isNamed ? (MADE_UP.test(path) ? 4 : 8) : 0;
    return named + Number(hasTerm) * 2 + Number(path === place);
  });
  return weights.lastIndexOf(Math.max(...weights));
}

/** GET /robots.txt: 404 Not Found */
function summaryOf({ request, response }: Exchange): string {
  const asked = firstLine(request).replace(/ HTTP\/[\d.]+$/, '');
  const answered = firstLine(response).replace(/^HTTP\/[\d.]+ /, '');
  return `${clipped(asked, 160)}: ${answered === '' ? 'no response' : clipped(answered, 120)}`;
}

interface Message {
  readonly start: string;
  readonly headers: readonly string[];
  readonly body: readonly string[];
}

/** A text that is not an HTTP message is all body. */
function parsed(message: string): Message {
  const lines = message.split(/\r?\n/, MAX_SEARCHED_LINES);
  const isHttp = /^(?:HTTP\/\d|[A-Z]+ \S+ HTTP\/\d)/.test(lines[0] ?? '');
  if (!isHttp) return { start: '', headers: [], body: withoutBlankEnd(lines) };
  const blank = lines.indexOf('');
  const end = blank < 0 ? lines.length : blank;
  return { start: lines[0] ?? '', headers: lines.slice(1, end), body: withoutBlankEnd(lines.slice(end + 1)) };
}

function withoutBlankEnd(lines: readonly string[]): readonly string[] {
  return lines.slice(0, lines.findLastIndex((line) => line.trim() !== '') + 1);
}

function requestParts(request: string): ExcerptPart[] {
  const { start, headers, body } = parsed(request);
  const shown = headers.filter((line) => KEY_REQUEST_HEADERS.test(line)).slice(0, MAX_HEADER_LINES);
  const excerpt = new Excerpt();
  if (start !== '') excerpt.add('plain', start);
  for (const line of shown) excerpt.add('plain', line);
  excerpt.omit(headers.length - shown.length, 'header');
  if (start !== '' && body.length > 0) excerpt.add('plain', '');
  for (const line of body.slice(0, MAX_BODY_LINES)) excerpt.add('plain', line);
  excerpt.omit(body.length - MAX_BODY_LINES, 'line');
  return excerpt.parts;
}

function responseParts(response: string, terms: readonly string[]): ExcerptPart[] {
  const { start, headers, body } = parsed(response);
  const excerpt = new Excerpt(terms);
  if (start !== '') excerpt.add('plain', start);
  const isDecisive = (line: string): boolean => excerpt.matchOf(line) >= 0;
  const shown = headers.filter((line, index) => index < MAX_HEADER_LINES || isDecisive(line));
  for (const line of shown) excerpt.addMatched(line);
  excerpt.omit(headers.length - shown.length, 'header');
  if (start !== '' && body.length > 0) excerpt.add('plain', '');
  addBody(excerpt, body, body.flatMap((line, index) => (isDecisive(line) ? [index] : [])).slice(0, MAX_MATCHES));
  if (start === '' && body.length === 0) excerpt.add('omitted', 'No response.');
  return excerpt.parts;
}

/** The matching lines with their context. Without a match, the beginning. */
function addBody(excerpt: Excerpt, body: readonly string[], matches: readonly number[]): void {
  const near = (index: number): boolean => matches.some((match) => Math.abs(match - index) <= CONTEXT_LINES);
  let omitted = 0;
  for (const [index, line] of body.entries()) {
    if (matches.length === 0 ? index >= MAX_BODY_LINES / 2 : !near(index)) {
      omitted += 1;
      continue;
    }
    excerpt.omit(omitted, 'line');
    omitted = 0;
    excerpt.addMatched(line);
  }
  excerpt.omit(omitted, 'line');
}

/** Collects lines. Consecutive lines of the same kind are one part. */
class Excerpt {
  private readonly collected: { kind: ExcerptPart['kind']; text: string }[] = [];

  constructor(private readonly terms: readonly string[] = []) {}

  get parts(): ExcerptPart[] {
    return this.collected;
  }

  /** Where a line has one of the terms, or -1. The name of a header is compared without its case. */
  matchOf(line: string): number {
    const places = this.terms.map((term) => {
      const isName = line.slice(0, term.length + 1).toLowerCase() === `${term.toLowerCase()}:`;
      return isName ? 0 : line.indexOf(term);
    });
    return places.find((place) => place >= 0) ?? -1;
  }

  addMatched(line: string): void {
    const at = this.matchOf(line);
    this.add(at < 0 ? 'plain' : 'decisive', line, Math.max(0, at));
  }

  /** A long line is shortened to what is around `at`. */
  add(kind: ExcerptPart['kind'], line: string, at = 0): void {
    const text = around(line, at);
    const last = this.collected.at(-1);
    if (last?.kind === kind) last.text += `\n${text}`;
    else this.collected.push({ kind, text });
  }

  omit(count: number, unit: 'line' | 'header'): void {
    if (count > 0) this.add('omitted', `${count} ${unit}${count === 1 ? '' : 's'} not shown`);
  }
}

function around(line: string, at: number): string {
  if (line.length <= MAX_LINE_LENGTH) return line;
  const from = Math.max(0, Math.min(at - MAX_LINE_LENGTH / 3, line.length - MAX_LINE_LENGTH));
  const text = line
    .slice(from, from + MAX_LINE_LENGTH)
    .replace(/^[\udc00-\udfff]/, '')
    .replace(/[\ud800-\udbff]$/, '');
  return `${from > 0 ? '…' : ''}${text}${from + MAX_LINE_LENGTH < line.length ? '…' : ''}`;
}

const clipped = (text: string, most: number): string => around(text, 0).slice(0, most);
