import { createHash } from 'node:crypto';
import type { SentRequest } from '../sent-request';
import type { ProbeRequest } from '../probe';
import { bodyWith, percentEncoded, withPair } from '../request-body';
import { percentDecoded } from '../protocols/http/percent-decoded';
import type { PointKind, WebTarget } from '../target';
import { Headers } from '../transport/headers';
import { foreignHeaders } from '../transport/reserved-headers';
import type { InsertionPoint } from '../experiment-record';

type Write = (point: InsertionPoint, value: string) => Partial<SentRequest>;

const splitPath = (path: string): readonly [path: string, query: string | undefined] => {
  const at = path.indexOf('?');
  return at < 0 ? [path, undefined] : [path.slice(0, at), path.slice(at + 1)];
};

/** The path without its query. */
export const pathOf = (path: string): string => splitPath(path)[0];

const withHeader = ({ request }: InsertionPoint, name: string, value: string): Partial<SentRequest> => {
  const others = foreignHeaders(request.headers ?? []).filter(([other]) => other.toLowerCase() !== name.toLowerCase());
  return { headers: [...others, [name, value]] };
};

/** The cookies of a request as they are sent: `name=value` each. */
export const cookiesOf = ({ headers = [] }: SentRequest): string[] =>
  (new Headers(headers).get('cookie') ?? '').split(/;\s*/).filter((pair) => pair !== '');

function inQuery({ request, name }: InsertionPoint, value: string): Partial<SentRequest> {
  const [path, query = ''] = splitPath(request.path);
  return { path: `${path}?${withPair(query, { name, value })}` };
}

function inSegment({ request, name }: InsertionPoint, value: string): Partial<SentRequest> {
  const [path, query] = splitPath(request.path);
  const segments = path.split('/').with(Number(name), percentEncoded(value));
  return { path: `${segments.join('/')}${query === undefined ? '' : `?${query}`}` };
}

/** Characters that a cookie cannot contain, and `%`. Many servers do not decode cookies. */
const NOT_IN_COOKIES = /[^\x21\x23\x24\x26-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]/gu;
/** Quotes and commas are forbidden as well, but most servers that do not decode accept them. */
const NOT_IN_RAW_COOKIES = /[^\x21-\x24\x26-\x3a\x3c-\x5b\x5d-\x7e]/gu;

const isOwnIn =
  ({ name }: InsertionPoint) =>
  (pair: string): boolean =>
    pair.split('=', 1)[0] === name;

const withCookie = (point: InsertionPoint, written: string): Partial<SentRequest> => {
  const others = cookiesOf(point.request).filter((pair) => !isOwnIn(point)(pair));
  return withHeader(point, 'Cookie', [...others, written].join('; '));
};

function inCookie(point: InsertionPoint, value: string): Partial<SentRequest> {
  const own = value === point.value ? cookiesOf(point.request).find(isOwnIn(point)) : undefined;
  const refused = point.isRaw === true ? NOT_IN_RAW_COOKIES : NOT_IN_COOKIES;
  return withCookie(point, own ?? `${point.name}=${value.toWellFormed().replace(refused, encodeURIComponent)}`);
}

/** A variable of a GraphQL request whose body is JSON. */
function inGraphql({ request, name }: InsertionPoint, value: string): Partial<SentRequest> {
  const body = JSON.parse(request.body ?? '{}') as { variables?: Record<string, unknown> };
  return { body: JSON.stringify({ ...body, variables: { ...body.variables, [name]: value } }) };
}

const inBody: Write = ({ request, name }, value) => ({ body: bodyWith(request, name, value) });

const WRITERS: Readonly<Record<PointKind, Write>> = {
  query: inQuery,
  segment: inSegment,
  cookie: inCookie,
  // Without line breaks: headers have none, and a strict parser would refuse them.
  header: (point, value) => withHeader(point, point.name, value.replace(/[^\x20-\x7e]/g, '')),
  graphql: inGraphql,
  form: inBody,
  json: inBody,
};

/**
 * The same request with another value at the point. Caches often ignore cookies and headers: they would answer instead of the
 * application, or store for others what a value made of the page.
 */
export const requestWith = (point: InsertionPoint, value: string): ProbeRequest & { readonly path: string } => ({
  ...point.request,
  // Also for baselines, imports and earlier versions, because only the payload is ours.
  ...(point.request.headers !== undefined && { headers: foreignHeaders(point.request.headers) }),
  ...WRITERS[point.kind](point, value),
  fresh: point.kind === 'cookie' || point.kind === 'header',
});

/** The cookie as if its value had been found in this spelling. */
export const foundAs = (point: InsertionPoint, written: string): InsertionPoint => ({
  ...point,
  request: { ...point.request, ...withCookie(point, `${point.name}=${written}`) },
});

/** Twelve or more characters that no person has chosen. */
const ID = /^(?=[\w~.-]{12})(?:.*\d.*[a-z].*\d|.*[\da-f]{12})/i;
const LONGEST_NAME = 100;
/** Leaves out numbers in names, such as `BenchmarkTest00017`: each of these is a different program. */
const VARYING = /(?<![a-z\d])(?:[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}|[\da-f]{16,}|\d+)(?![a-z\d])/gi;

/** Each is a different program, whatever numbers its name has: `sqli_16.php`. */
const SCRIPT = /\.(?:php\d?|phtml|jspx?|aspx?|do|action|cgi|pl|cfm)$/i;

/** Whether a segment of a path is a number or an id, not a name. */
export const isVarying = (segment: string): boolean =>
  segment !== '' &&
  !SCRIPT.test(segment) &&
  (segment.length > LONGEST_NAME || segment.replace(VARYING, '') === '' || ID.test(segment));

/** Paths with the same shape are pages of the same program. Numbers, ids and sessions are replaced by `*`. */
export const shapeOf = (path: string): string =>
  pathOf(path)
    .replace(/;[^/]*/g, '')
    .split('/')
    .map((segment) => (isVarying(segment) ? '*' : SCRIPT.test(segment) ? segment : segment.replace(VARYING, '*')))
    .join('/');

/** Equal for the same point in different requests. */
export function pointKey({ request, kind, name, isOther }: InsertionPoint): string {
  const pageShape = isOther === true ? pathOf(request.path) : shapeOf(request.path);
  const shape = kind === 'segment' ? shapeOf(inSegmentOf(request.path, name)) : pageShape;
  const key = [request.method ?? 'GET', shape, kind, name].join(' ');
  return key.length <= 500 ? key : `${key.slice(0, 400)} ${createHash('sha256').update(key).digest('hex')}`;
}

/** The segment under test is not part of the shape. */
const inSegmentOf = (path: string, name: string): string => pathOf(path).split('/').with(Number(name), '*').join('/');

/** The location of the findings of a point. */
export const placeOfPoint = (target: WebTarget, { request, kind, name }: InsertionPoint): WebTarget => ({
  scheme: target.scheme,
  host: target.host,
  port: target.port,
  path: pathOf(request.path),
  parameter: name,
  ...(kind !== 'query' && { within: kind }),
});

/** Used if neither a baseline nor a report has the request. */
const USUAL_VALUE = '1';

/** The point that a location names, in the request that was shown for it if there is one. */
export function pointAt({ path, parameter = '', within }: WebTarget, shown: readonly string[] = []): InsertionPoint {
  const kind = within ?? 'query';
  const request: SentRequest = { path: shown.find((one) => pathOf(one) === path) ?? path };
  const [own, query = ''] = splitPath(request.path);
  const values: Readonly<Record<PointKind, () => string>> = {
    query: () => new URLSearchParams(query).get(parameter) ?? USUAL_VALUE,
    segment: () => percentDecoded(own.split('/')[Number(parameter)] ?? ''),
    cookie: () => USUAL_VALUE,
    header: () => USUAL_VALUE,
    graphql: () => USUAL_VALUE,
    form: () => USUAL_VALUE,
    json: () => USUAL_VALUE,
  };
  return { request, kind, name: parameter, value: values[kind]() };
}

/** The key for the baseline. The values are random, so it must not contain them. */
export function nameOfRequest({ request: { path, forged }, kind, name }: InsertionPoint, as?: string): string {
  const kept = forged === undefined ? as : `${forged.as} ${forged.sender}`;
  return `${path} [${kind} ${name}${kept === undefined ? '' : `, ${kept}`}]`;
}
