import type { IncomingMessage } from 'node:http';
import type { WebCheck } from '../check';
import type { Verdict } from '../verdict';
import { elsewhere } from './disturbances';
import { spellingsOf } from '../path-variants';
import { hasEveryCombination } from './reference-checks';
import type { NameServer, Zone } from './name-server';
import {
  asksMoreThanControl,
  isControlOf,
  serviceSetup,
  siteSetup,
  type States,
  type WebStates,
  zoneSetup,
  type ZoneStates,
} from './target-states';
import { BROWSER, type TargetSetup } from './test-target';
import { type Disturbance, MISSING, type Reply, send, type Service, type Site } from './target-server';

/** A state in which the target looks fixed, but is still vulnerable or cannot be assessed. */
export interface FaultScenario {
  readonly name: string;
  readonly result: Verdict['result'];
  readonly setup: TargetSetup;
}

/** Returns the nodes in turn, like a round-robin balancer without other traffic. */
export function inTurns<T>(nodes: readonly [T, ...T[]]): () => T {
  let next = 0;
  return () => nodes[next++ % nodes.length] ?? nodes[0];
}

/** Responses with 200 that replace any page, with wording that no known firewall uses. */
const STAND_INS: Readonly<Record<string, Reply>> = {
  'a refusal in JSON with 200': { headers: { 'content-type': 'application/json' }, body: '{"error":"forbidden"}' },
  'a bot check with 200': {
    body: '<!doctype html><html><head><title>One moment</title></head><body><p>Please verify that you are human to continue.</p></body></html>',
  },
  'a maintenance page with 200': {
    body: '<!doctype html><html><head><title>We will be right back</title></head><body><h1>Maintenance</h1><p>Our shop is being improved tonight.</p></body></html>',
  },
  'single sign-on without a password field, with 200': {
    body: '<!doctype html><html><head><title>Example Corp</title></head><body><p>Continue with your company account</p><a href="https://sso.example.test/start">Continue</a></body></html>',
  },
  'an unknown firewall with 200': {
    body: '<html><body>Your activity was found suspicious. Reference 7d1f-22. Contact the webmaster.</body></html>',
  },
};

/** Errors from a server that is not the target's own. */
const STRANGERS: Readonly<Record<string, Reply>> = {
  'a 404 of an edge': { status: 404, headers: { server: 'edge' }, body: '<h1>Not found</h1>' },
  'a 404 of a wall with the Server field of the site': {
    status: 404,
    body: '<!doctype html><title>Blocked</title><h1>Your request has been blocked.</h1><p>Reference 18.77</p>',
  },
  'a 410 of an edge': { status: 410, headers: { server: 'edge' }, body: 'gone' },
  'a 404 of a balancer without a Server field': {
    status: 404,
    headers: { 'content-type': 'text/plain' },
    body: 'default backend - 404',
  },
};

const answering =
  (reply: Reply): Disturbance =>
  (_request, response) => {
    send(response, reply);
    return true;
  };

const suffixed = (name: string, suffix: string): string => `${name}${suffix}`;

const isOurs = ({ headers }: IncomingMessage): boolean => headers['user-agent'] !== BROWSER;
const isNoBrowser = ({ headers }: IncomingMessage): boolean => headers['accept-language'] === undefined;
const hasNoQuery = ({ url = '' }: IncomingMessage): boolean => !url.includes('?');
const takesCached = ({ headers }: IncomingMessage): boolean => headers['cache-control'] !== 'no-cache';

const hasUserAgent =
  (pattern: RegExp) =>
  ({ headers }: IncomingMessage): boolean =>
    pattern.test(headers['user-agent'] ?? '');

/** Only requests that match see the weakness. */
const SINGLE_CLIENTS: Readonly<Record<string, (request: IncomingMessage) => boolean>> = {
  'mobile browsers': hasUserAgent(/ Mobile /),
  Firefox: hasUserAgent(/ Firefox\//),
  curl: hasUserAgent(/^curl\//),
  Chrome: hasUserAgent(/ Chrome\//),
  'browsers that prefer German': ({ headers }) => headers['accept-language']?.startsWith('de') === true,
  'browsers without a contact': ({ headers }) => 'upgrade-insecure-requests' in headers && !('from' in headers),
};

/** How a site may treat one client on every path. */
const TREATMENTS: Readonly<Record<string, Reply>> = {
  refuses: { status: 403, headers: { server: 'wall' }, body: '<h1>No</h1>' },
  'sends to another host': { status: 302, headers: { location: 'https://m.target.test/' } },
  'shows another page to': { body: '<!doctype html><title>Small</title><main><i>Only a little</i></main>' },
};

/** Some requests get a fixed site or its cached pages, and all others the vulnerable site. */
const divided =
  (vulnerable: Site, fixed: Site, getsFixed: (request: IncomingMessage) => boolean): TargetSetup =>
  (testTarget) => {
    siteSetup(vulnerable)(testTarget);
    testTarget.server.route = (request) => (getsFixed(request) ? fixed : vulnerable);
  };

/** Nodes behind one balancer. */
const balanced =
  (pick: () => Site): TargetSetup =>
  (testTarget) => {
    siteSetup({})(testTarget);
    testTarget.server.balance = pick;
  };

const cached =
  (reply: (request: IncomingMessage) => boolean, marks: Readonly<Record<string, string>>): Disturbance =>
  (request, response) => {
    if (reply(request)) for (const [name, value] of Object.entries(marks)) response.setHeader(name, value);
    return false;
  };

/** One replacement page and one error of another server, for positions where all of them behave alike. */
const onePerKind = [STAND_INS, STRANGERS].flatMap((replies) => Object.entries(replies).slice(0, 1));

/** The known limits in docs/verdicts.md: the weakness exists, but no request of a verification gets it. */
function limitsOfClients(vulnerable: Site, fixed: Site): FaultScenario[] {
  const seenBy: Readonly<Record<string, (request: IncomingMessage) => boolean>> = {
    'requests in a session': ({ headers }) => headers.cookie?.includes('user=') === true,
    'requests with a Referer': ({ headers }) => headers.referer !== undefined,
    'browsers that prefer French': ({ headers }) => headers['accept-language']?.startsWith('fr') === true,
    'other addresses than ours': ({ socket }) => socket.remoteAddress !== '127.0.0.1',
  };
  return Object.entries(seenBy).map(([name, isOne]) => ({
    name: `known limit: only ${name} see it vulnerable`,
    result: 'fixed',
    setup: divided(vulnerable, fixed, (request) => !isOne(request)),
  }));
}

function clientScenarios(vulnerable: Site, fixed: Site): FaultScenario[] {
  const seenByOne = Object.entries(SINGLE_CLIENTS).map(([name, isOne]): FaultScenario => ({
    name: `only ${name} see it vulnerable`,
    result: 'still_vulnerable',
    setup: divided(vulnerable, fixed, (request) => !isOne(request)),
  }));
  const treated = Object.entries(TREATMENTS).map(([does, reply], at): FaultScenario => {
    const [name, isOne] = Object.entries(SINGLE_CLIENTS)[at] ?? ['', () => false];
    const disturb: Disturbance = (request, response) =>
      isOne(request) && answering(reply)(request, response, request.socket);
    return {
      name: `it ${does} ${name} on every path, and is fixed`,
      result: 'fixed',
      setup: siteSetup(fixed, disturb),
    };
  });
  return [...seenByOne, ...treated, ...limitsOfClients(vulnerable, fixed)];
}

/** Pages with the Server header of the site and without any text by which they could be recognized. */
const QUIET_WALLS: Readonly<Record<string, Reply>> = {
  'a gateway responds with 404': { status: 404, body: '<h1>Not found</h1>' },
  'a wall responds with 403 in German': {
    status: 403,
    body: '<h1>Ihre Anfrage wurde blockiert.</h1><p>Referenz 18.77</p>',
  },
  'a wall responds with 403 without an id': { status: 403, body: '<h1>Your request was blocked.</h1>' },
};

/** The file is at none of its paths, but a server that interprets paths differently still returns it. */
function variantScenarios(check: WebCheck, { vulnerable, fixed, path = '/' }: WebStates): FaultScenario[] {
  const { pages = {} } = vulnerable;
  const file = Object.keys(pages).find((one) => one !== path && !(one in (fixed.pages ?? {}))) ?? '';
  const content = pages[file];
  if (check.shows === undefined || content === undefined) return [];
  const answered = (reply: Reply | string, isAsked: (url: string, method: string) => boolean): TargetSetup => {
    const answer: Site['answer'] = (request) => {
      const { url = '', method = '' } = request;
      if (!isAsked(url, method)) return fixed.answer?.(request) ?? null;
      return typeof reply === 'string' ? { body: reply } : reply;
    };
    return siteSetup({ ...fixed, answer });
  };
  const spellings = spellingsOf(file, path);
  const shown = hasEveryCombination(check) ? spellings : spellings.slice(2, 3);
  const rows = shown.map((spelling): FaultScenario => ({
    name: `it is missing, but reachable as ${spelling}`,
    result: 'still_vulnerable',
    setup: answered(content, (url) => url === spelling),
  }));
  if (!hasEveryCombination(check)) return rows;
  const refused = { status: 403, headers: { server: 'wall' }, body: '<h1>No</h1>' };
  return [
    ...rows,
    {
      name: 'every other spelling of its path is refused',
      result: 'fixed',
      setup: answered(refused, (url) => spellings.includes(url)),
    },
    {
      name: 'HEAD finds it, but GET does not',
      result: 'inconclusive',
      setup: answered(content, (url, method) => method === 'HEAD' && url === file),
    },
    { name: 'HEAD finds every path', result: 'fixed', setup: answered('', (_url, method) => method === 'HEAD') },
    {
      name: 'known limit: it is missing, but reachable under a spelling that is not tried',
      result: 'fixed',
      setup: answered(content, (url) => url === `${path}x/..${file}`),
    },
    {
      name: 'known limit: it is missing, but POST gets it',
      result: 'fixed',
      setup: answered(content, (url, method) => method === 'POST' && url === file),
    },
    ...Object.entries(QUIET_WALLS).map(([name, reply]): FaultScenario => ({
      name: `${name}, on that path alone`,
      result: 'blocked',
      setup: answered(reply, (url) => url.split('?', 1)[0] === file),
    })),
  ];
}

export function webFaultScenarios(check: WebCheck, states: WebStates): FaultScenario[] {
  const { vulnerable, fixed, path = '/' } = states;
  const isControl = isControlOf(check, path);
  const besideControl = (disturbance: Disturbance): TargetSetup => siteSetup(fixed, elsewhere(isControl, disturbance));
  const besideFrontPage = (disturbance: Disturbance): TargetSetup =>
    siteSetup(
      fixed,
      elsewhere(({ url = '/' }) => url.split('?', 1)[0] === '/', disturbance),
    );
  const row = (name: string, result: Verdict['result'], setup: TargetSetup): FaultScenario => ({ name, result, setup });
  const balancers = [
    row('one of two nodes is fixed, in turns', 'still_vulnerable', balanced(inTurns([fixed, vulnerable]))),
    row('two of three nodes are fixed, in turns', 'still_vulnerable', balanced(inTurns([fixed, fixed, vulnerable]))),
  ];
  const ports = row(
    'a balancer chooses one of two nodes by the source port, and one is fixed',
    'still_vulnerable',
    divided(vulnerable, fixed, ({ socket: { remotePort = 0 } }) => remotePort % 2 === 0),
  );
  // A handshake does not depend on the client, and no cache stores it.
  if (check.on === 'tls') return balancers;
  const everywhere = [
    row('no page exists, not even the front page', 'inconclusive', siteSetup({ answer: () => MISSING })),
    // The other checks get each of them on all requests except the control's, which is the harder case.
    ...(asksMoreThanControl(check) && !hasEveryCombination(check)
      ? onePerKind
      : Object.entries({ ...STAND_INS, ...STRANGERS })
    ).map(([name, reply]) => row(name, 'inconclusive', siteSetup(fixed, answering(reply)))),
  ];
  const clients = [
    ports,
    row('only our User-Agent sees it fixed', 'still_vulnerable', divided(vulnerable, fixed, isOurs)),
    row(
      'only clients without the header fields of a browser see it fixed',
      'still_vulnerable',
      divided(vulnerable, fixed, isNoBrowser),
    ),
    row(
      'a cache without cache headers serves the fixed answers',
      'still_vulnerable',
      divided(vulnerable, fixed, hasNoQuery),
    ),
    row(
      'a cache serves fixed answers unless the request bypasses it',
      'still_vulnerable',
      divided(vulnerable, fixed, takesCached),
    ),
    ...Object.entries<Record<string, string>>({
      'X-Cache': { 'x-cache': 'HIT from proxy' },
      Age: { age: '31' },
      Warning: { warning: '110 - "Response is Stale"' },
      'X-Cache-Hits': { 'x-cache-hits': '0, 4' },
      'a prerendered page': { 'x-vercel-cache': 'PRERENDER' },
    }).map(([field, headers]) =>
      row(
        `a cache with ${field} answers`,
        'inconclusive',
        siteSetup(
          fixed,
          cached(() => true, headers),
        ),
      ),
    ),
  ];
  if (hasEveryCombination(check)) clients.push(...clientScenarios(vulnerable, fixed));
  if (!asksMoreThanControl(check)) return [...balancers, ...everywhere, ...clients];
  const exposed = Object.keys(vulnerable.pages ?? {}).filter((one) => one !== '/' && one !== path);
  const onlyThere = (disturbance: Disturbance): TargetSetup =>
    siteSetup(
      fixed,
      elsewhere(({ url = '/' }) => !exposed.includes(url.split('?', 1)[0] ?? '/'), disturbance),
    );
  const alone = ({ status = 200 }: Reply): Verdict['result'] => (status < 400 ? 'inconclusive' : 'blocked');
  const everyReply = Object.entries({ ...STAND_INS, ...STRANGERS });
  const others = [
    ...everyReply.map(([name, reply]) =>
      row(suffixed(name, ', but not to the control'), 'inconclusive', besideControl(answering(reply))),
    ),
    ...(hasEveryCombination(check) ? everyReply : onePerKind).flatMap(([name, reply]) => [
      ...(exposed.length > 0
        ? [row(suffixed(name, ', on that path alone'), alone(reply), onlyThere(answering(reply)))]
        : []),
      row(suffixed(name, ', but not on the front page'), 'inconclusive', besideFrontPage(answering(reply))),
    ]),
  ];
  return [...balancers, ...everywhere, ...clients, ...others, ...variantScenarios(check, states)];
}

export function serviceFaultScenarios({ vulnerable, fixed }: States<Service>): FaultScenario[] {
  const nodes = (pick: () => Service): TargetSetup => serviceSetup((socket) => pick()(socket));
  return [
    {
      name: 'one of two nodes is fixed, in turns',
      result: 'still_vulnerable',
      setup: nodes(inTurns([fixed, vulnerable])),
    },
    {
      name: 'two of three nodes are fixed, in turns',
      result: 'still_vulnerable',
      setup: nodes(inTurns([fixed, fixed, vulnerable])),
    },
    {
      name: 'a balancer chooses one of two nodes by the source port, and one is fixed',
      result: 'still_vulnerable',
      setup: serviceSetup((socket) => ((socket.remotePort ?? 0) % 2 === 0 ? fixed : vulnerable)(socket)),
    },
  ];
}

/** Changes the second name server, while the first one has the fixed zone. */
const secondSays =
  ({ fixed }: ZoneStates, change: (second: NameServer, merged: Zone) => void, other: Zone = fixed): TargetSetup =>
  (testTarget) => {
    zoneSetup(other)(testTarget);
    const otherZone = testTarget.names.zone;
    zoneSetup(fixed)(testTarget);
    testTarget.secondary.primary = null;
    change(testTarget.secondary, otherZone);
  };

export function zoneFaultScenarios(states: ZoneStates): FaultScenario[] {
  const row = (name: string, result: Verdict['result'], setup: TargetSetup): FaultScenario => ({ name, result, setup });
  return [
    row(
      'one of two name servers has the old zone',
      'still_vulnerable',
      secondSays(states, (second, zone) => Object.assign(second, { zone }), states.vulnerable),
    ),
    row(
      'one of two name servers fails',
      'inconclusive',
      secondSays(states, (second) => Object.assign(second, { mode: 'servfail' })),
    ),
    row(
      'one of two name servers refuses',
      'inconclusive',
      secondSays(states, (second) => Object.assign(second, { mode: 'refused' })),
    ),
  ];
}

/** States of the front page while the rest of the site, with the weakness, works. */
const FRONT_PAGE_OUTAGES: Readonly<Record<string, Reply>> = {
  'fails with 503': { status: 503, body: 'back soon' },
  'is not found': { status: 404, body: 'no such site' },
  'is a maintenance page with 200': STAND_INS['a maintenance page with 200'] ?? {},
};

export const outagesFor = (check: WebCheck): [string, Reply][] =>
  Object.entries(FRONT_PAGE_OUTAGES).slice(0, hasEveryCombination(check) ? undefined : 1);

export const withFrontPage = (site: Site, reply: Reply): TargetSetup =>
  siteSetup(site, (request, response) => {
    if (request.url?.split('?', 1)[0] !== '/') return false;
    send(response, reply);
    return true;
  });
