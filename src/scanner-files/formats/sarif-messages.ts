import { shorten } from '../clean-text';
import { decodeBase64, MAX_READ, seenIn } from '../http-message';
import { type JsonObject, isObject, objectOf, textOf } from '../json-value';
import type { RawFinding } from '../raw-finding';
import type { SeenTarget } from '../scanner-finding';
import { messageText } from './sarif-rules';

const MAX_MESSAGES = 50_000;
const MAX_MATCH = 4_000;
const MAX_URI = 2_048;

/** What a message shows about the target, or the index of the message in the run. */
type Shown = SeenTarget | number | null;

/** The request and the response of a result. */
export interface SarifExchange {
  readonly request: Shown;
  readonly response: Shown;
}

function bodyOf(message: JsonObject): string {
  const body = objectOf(message['body']);
  return messageText(body) ?? decodeBase64(textOf(body['binary']) ?? '', MAX_READ);
}

/** The message in HTTP syntax. */
function rawMessage(value: unknown): string | null {
  const message = objectOf(value);
  if (!isObject(message['headers']) && !isObject(message['body'])) return null;
  const fields = Object.entries(objectOf(message['headers'])).map(([name, content]) => `${name}: ${textOf(content)}`);
  return `HTTP/1.1\r\n${fields.join('\r\n')}\r\n\r\n${bodyOf(message)}`;
}

const READERS = {
  'web-request': (value: unknown) => seenIn(rawMessage(value), 'HTTP/'),
  'web-response': (value: unknown) => seenIn(null, rawMessage(value)),
} as const satisfies Record<string, (value: unknown) => SeenTarget | null>;

type Kind = keyof typeof READERS;

function shownIn(kind: Kind, value: unknown): Shown {
  const { index } = objectOf(value);
  return rawMessage(value) === null && typeof index === 'number' && index >= 0 ? index : READERS[kind](value);
}

export const exchangeOf = (result: JsonObject): SarifExchange => ({
  request: shownIn('web-request', result['webRequest']),
  response: shownIn('web-response', result['webResponse']),
});

/** The requests and responses of a run, which may come after the results that name them. */
export class SarifMessages {
  private readonly shown: Record<Kind, (SeenTarget | null)[]> = { 'web-request': [], 'web-response': [] };

  add(kind: string, value: unknown): void {
    if (kind !== 'web-request' && kind !== 'web-response') return;
    const shown = this.shown[kind];
    if (shown.length < MAX_MESSAGES) shown.push(READERS[kind](value));
  }

  have({ request, response }: SarifExchange): boolean {
    const isRead = (kind: Kind, one: Shown) => typeof one !== 'number' || one < this.shown[kind].length;
    return isRead('web-request', request) && isRead('web-response', response);
  }

  seenIn({ request, response }: SarifExchange): SeenTarget | null {
    const find = (kind: Kind, one: Shown) => (typeof one === 'number' ? (this.shown[kind][one] ?? null) : one);
    const seen = find('web-response', response);
    return seen && { ...seen, isSignedIn: find('web-request', request)?.isSignedIn === true };
  }
}

export function requestOfResult(result: JsonObject): { readonly method: string; readonly url: string } | null {
  const request = objectOf(result['webRequest']);
  const url = textOf(request['target']);
  if (url === null || !/^https?:\/\//i.test(url)) return null;
  return { method: textOf(request['method']) ?? '', url };
}

/** Only a text that the tool marks and that is in the response of the file can be replayed. */
export function replayOf(
  result: JsonObject,
  request: { readonly method: string; readonly url: string } | null,
  snippet: string | null,
): RawFinding['replay'] {
  const response = objectOf(result['webResponse']);
  const parts = [messageText(response['body']), ...Object.values(objectOf(response['headers'])).map(textOf)];
  if (request === null || snippet === null || snippet.length > MAX_MATCH || request.url.length > MAX_URI) return null;
  if (!parts.some((part) => part?.includes(snippet) === true)) return null;
  return {
    method: shorten(request.method, 10),
    url: shorten(request.url, MAX_URI),
    match: shorten(snippet, MAX_MATCH),
  };
}
