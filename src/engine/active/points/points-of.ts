import type { SentRequest } from '../../sent-request';
import { isRecord } from '../../../kernel/is-record';
import { hasJsonBody, valuesOfBody } from '../../request-body';
import { recordIn } from '../../json-record';
import { percentDecoded } from '../../protocols/http/percent-decoded';
import { usualValue } from '../crawl/form-values';
import type { InsertionPoint } from '../../experiment-record';
import { cookiesOf, isVarying, pathOf } from '../insertion-point';
import { isSessionCookie } from '../../session-cookie';

const MAX_POINTS = 60;
const LONGEST_NAME = 100;

/** Headers that applications read and browsers send. */
export const USUAL_HEADERS: readonly (readonly [name: string, value: string])[] = [
  ['User-Agent', 'Mozilla/5.0'],
  ['Referer', 'https://www.example.com/'],
  ['X-Forwarded-For', '192.0.2.1'],
  ['X-Forwarded-Host', 'www.example.com'],
];

/** Standard headers that a given request may contain and that applications do not use as values. */
const STANDARD_HEADERS =
  /^(?:host|connection|keep-alive|content-.*|accept.*|cookie|authorization|proxy-.*|origin|upgrade.*|sec-.*|te|trailer|transfer-encoding|expect|range|if-.*|cache-control|pragma|dnt|date|from|via|priority|user-agent|x-requested-with|apollo-require-preflight)$/i;

/** Leaves out empty values, which applications treat as absent. */
const inQuery = (request: SentRequest): InsertionPoint[] =>
  [...new Map(new URLSearchParams(request.path.slice(pathOf(request.path).length)))].map(([name, value]) => ({
    request,
    kind: 'query',
    name,
    value: value === '' ? usualValue(name, 'text') : value,
  }));

const inSegments = (request: SentRequest, isValue: (segment: string, at: number) => boolean): InsertionPoint[] =>
  pathOf(request.path)
    .split('/')
    .flatMap((segment, at) =>
      at > 0 && segment !== '' && isValue(segment, at)
        ? [{ request, kind: 'segment' as const, name: `${at}`, value: percentDecoded(segment) }]
        : [],
    );

const inCookies = (request: SentRequest): InsertionPoint[] =>
  cookiesOf(request).flatMap((pair) => {
    const [name = '', ...rest] = pair.split('=');
    const value = rest.join('=');
    return name === '' || isSessionCookie(name, value)
      ? []
      : [{ request, kind: 'cookie' as const, name, value: percentDecoded(value) }];
  });

/** The name of a usual header, in any spelling; undefined for other headers. */
export const usualHeader = (name: string): string | undefined =>
  USUAL_HEADERS.find(([usual]) => usual.toLowerCase() === name.toLowerCase())?.[0];

const inHeaders = (request: SentRequest): InsertionPoint[] =>
  (request.headers ?? []).flatMap(([name, value]) =>
    STANDARD_HEADERS.test(name) ? [] : [{ request, kind: 'header' as const, name: usualHeader(name) ?? name, value }],
  );

/** Only text variables: GraphQL servers refuse invalid values of other types before the application sees them. */
function inVariables(request: SentRequest): InsertionPoint[] {
  const variables = recordIn(request.body ?? '')?.['variables'];
  if (request.method !== 'POST' || !isRecord(variables)) return [];
  return Object.entries(variables).flatMap(([name, value]) =>
    typeof value === 'string' ? [{ request, kind: 'graphql' as const, name, value }] : [],
  );
}

/** Each field of a form and each member of JSON, except those that change by themselves. */
const inBody = (request: SentRequest): InsertionPoint[] =>
  valuesOfBody(request)
    .filter(({ name }) => request.submits?.fresh.includes(name) !== true)
    .map(({ name, value }) => ({
      request,
      kind: hasJsonBody(request) ? 'json' : 'form',
      name,
      value: value === '' ? usualValue(name, 'text') : value,
    }));

export interface PointsOptions {
  /** Segments of the path that are values, although they look like names. */
  readonly segments?: readonly number[];
  /** Which of the usual headers become points as well. */
  readonly usualHeaders?: typeof USUAL_HEADERS;
}

/** The values in a request that an application may use. */
export function pointsOf(
  request: SentRequest,
  { segments = [], usualHeaders = [] }: PointsOptions = {},
): InsertionPoint[] {
  if (request.submits !== undefined) return bounded(inBody(request));
  return bounded([
    ...inQuery(request),
    ...inVariables(request),
    ...inSegments(request, (segment, at) => segments.includes(at) || isVarying(segment)),
    ...inCookies(request),
    ...inHeaders(request),
    ...usualHeaders.map(([name, value]) => ({ request, kind: 'header' as const, name, value })),
  ]);
}

const bounded = (points: readonly InsertionPoint[]): InsertionPoint[] =>
  points.filter(({ name }) => name !== '' && name.length <= LONGEST_NAME).slice(0, MAX_POINTS);
