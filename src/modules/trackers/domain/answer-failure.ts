import { type FailureOf, TrackerError } from './tracker-api';

const MAX_DETAIL = 300;
const MAX_DEPTH = 6;
const MAX_PARTS = 100;

/** What a status other than a 2xx means, and what to do. */
const FAILURES: Readonly<Record<number, readonly [FailureOf, string]>> = {
  301: ['tracker', 'The project has moved: correct its name.'],
  400: ['ticket', 'The tracker refuses the request'],
  401: ['tracker', 'The tracker refuses the credentials. Type them again.'],
  403: ['tracker', 'The account may not do this. Give it the permission, or use another account'],
  404: [
    'tracker',
    'The tracker has no such project, or its account cannot see it. Correct the address, the project or the account.',
  ],
  409: ['ticket', 'The tracker refuses the change now'],
  410: ['tracker', 'The project has no tickets: its issues are turned off, or it was deleted.'],
  422: ['ticket', 'The tracker refuses the request'],
  429: ['tracker', 'The tracker asks for fewer requests.'],
};

/** The first texts in an answer: a tracker names the fields that it misses. */
function textsIn(value: unknown, left = { parts: MAX_PARTS }, depth = 0): string[] {
  if (left.parts-- <= 0) return [];
  if (typeof value === 'string') return [value.slice(0, MAX_DETAIL)];
  if (typeof value !== 'object' || value === null || depth === MAX_DEPTH) return [];
  const within = (part: unknown) => textsIn(part, left, depth + 1);
  if (Array.isArray(value)) return value.slice(0, MAX_PARTS).flatMap(within);
  return Object.entries(value)
    .slice(0, MAX_PARTS)
    .filter(([name]) => !/url|status/i.test(name))
    .flatMap(([name, part]) =>
      within(part).map((text) => (/message|errors?$/i.test(name) ? text : `${name.slice(0, MAX_DETAIL)}: ${text}`)),
    );
}

const detailIn = (body: unknown): string =>
  textsIn(body)
    .join('; ')
    .replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
    .slice(0, MAX_DETAIL);

/** A refusal that says when to ask again is a limit of the rate, whatever its status. */
export function failureOfAnswer(answered: number, retryAfter: number | undefined, body: unknown): TrackerError {
  const status = answered === 403 && retryAfter !== undefined ? 429 : answered;
  const [of, text] = FAILURES[status] ?? ['tracker' as const, `The tracker has answered ${status}.`];
  const isWhole = text.endsWith('.');
  const detail = isWhole ? '' : detailIn(body);
  const message = isWhole ? text : `${text}${detail === '' ? '.' : `: ${detail}`}`;
  return new TrackerError(of, message, { status, ...(retryAfter !== undefined && { retryAfter }) });
}
