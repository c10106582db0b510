import { randomInt } from 'node:crypto';
import { isAnsweredAs, serverField } from '../answered-alike';
import { shuffled } from '../client-behaviors';
import { isFirewallPage } from '../firewall-pages';
import { type Page, redirectOf } from '../page';
import type { SessionRow } from '../session-record';
import { placeAt, statedPlace } from '../signed-in/account-origin';
import type { AccountSession } from '../signed-in/account-session';
import { forbiddenSignedIn } from '../signed-in/ending-words';
import { answerOf, type CheckAnswer } from '../signed-in/session-check';
import { SessionState } from '../signed-in/session-state';
import type { Field } from '../transport/client-identity';
import { ExchangeFailed } from '../transport/exchange';
import type { SessionRound } from './session-verdict';

/** What a visitor sends in place of a session, in a client of its own. */
export interface Presented {
  readonly what: string;
  readonly headers: readonly Field[];
  /** In place of that of the proof. */
  readonly path?: string;
}

/** One experiment: who asks for what only a signed-in user sees. */
export interface Trial {
  readonly genuine: Presented;
  readonly suspect: Presented;
  /** Made up, so that they must open nothing. */
  readonly controls: readonly Presented[];
  /** Also made up. They show how the application refuses, but it may take them if it takes the suspect. */
  readonly twins?: readonly Presented[];
  /** Of a sign-out: the path of the page that leads to it. */
  readonly page?: string;
}

export interface Visit extends CheckAnswer {
  /** Null if there was no answer. */
  readonly page: Page | null;
  readonly at: string;
}

/** Statuses by which applications refuse what is made up. Some fail, which counts between answers to the genuine session. */
const REFUSING = new Set([400, 404, 405, 406, 410, 422, 500]);
const isRefusing = (page: Page): boolean => REFUSING.has(page.status) && !isFirewallPage(page);

const MOST_REDIRECTS = 3;

/**
 * The page of the proof behind redirects, as a browser gets it: applications renew a session, or move an id from the address to a cookie,
 * by a redirect. Null if they lead elsewhere.
 */
async function pageBehind(session: AccountSession, first: Page, { headers }: Presented): Promise<Page | null> {
  const { of, proof, environment, secrets, via } = session;
  const state = new SessionState(of, secrets);
  const isCookie = ([name]: Field): boolean => name.toLowerCase() === 'cookie';
  for (const [, pairs] of headers.filter(isCookie)) for (const pair of pairs.split(/;\s*/)) state.plant(pair);
  state.answered(statedPlace(of, first.url), first);
  let page = first;
  for (let hops = 0; hops < MOST_REDIRECTS; hops += 1) {
    const to = redirectOf(page);
    const place = to === null ? null : placeAt(of.origins, to);
    if (to === null || place === null || forbiddenSignedIn(place.path) !== null) return null;
    const request = { ...place, headers: headers.filter((field) => !isCookie(field)) };
    page = { ...(await environment.transport.http(request, { ...via, session: state })).value, hops: [] };
    if (page.status < 300 && to.pathname === new URL(proof.url).pathname) return page;
  }
  return null;
}

/** Requests what the proof of the account requests. Only what is presented goes with it. */
export async function visit(session: AccountSession, presented: Presented): Promise<Visit> {
  const { headers, path } = presented;
  const { of, proof, environment, secrets } = session;
  const { transport } = environment;
  const place = statedPlace(of, proof.url);
  const request = { ...place, path: path ?? place.path, headers };
  try {
    const alone = new SessionState(of, secrets);
    const { value } = await transport.http(request, { ...session.via, session: alone });
    const first = { ...value, hops: [] };
    const behind = proof.isOnly === 'in' ? await pageBehind(session, first, presented) : null;
    const page = behind !== null && answerOf(behind, proof).state === 'in' ? behind : first;
    const answer = answerOf(page, proof);
    const state = answer.state === 'unclear' && isRefusing(page) ? 'refused' : answer.state;
    return { ...answer, state, page, at: transport.now().toISOString() };
  } catch (error) {
    if (!(error instanceof ExchangeFailed)) throw error;
    return { state: 'unclear', reason: error.failure.reason, page: null, at: transport.now().toISOString() };
  }
}

/** Words without digits, because tokens and times differ between sessions. */
const wordsOf = (page: Page | null): Set<string> =>
  new Set((page?.text ?? '').split(/[\s<>"'=]+/).filter((word) => /^\p{L}{3,}[.,:;!?]?$/u.test(word)));

/** A page for guests may be like that of a user, without what is the user's own. */
function lacksWordsOf(one: Visit, [first, second]: readonly [Visit, Visit]): boolean {
  const [words, others] = [wordsOf(one.page), wordsOf(second.page)];
  return [...wordsOf(first.page)].some((word) => others.has(word) && !words.has(word));
}

const areAlike = async (one: Visit, other: Visit): Promise<boolean> =>
  one.page !== null && other.page !== null && (await isAnsweredAs(one.page, other.page));

/** Bodies that explain why a token is not valid differ. */
const areRefusedAlike = async (one: Visit, other: Visit): Promise<boolean> =>
  one.page !== null && one.page.status === 401 && other.page?.status === 401
    ? serverField(one.page) === serverField(other.page)
    : areAlike(one, other);

/** All visitors in random order, between two requests of the genuine session. */
export async function askAll(
  session: AccountSession,
  { genuine, suspect, controls, twins = [] }: Trial,
): Promise<{ readonly round: SessionRound; readonly rows: readonly SessionRow[] }> {
  const rows: SessionRow[] = [];
  const visits: (readonly [as: SessionRow['as'], seen: Visit])[] = [];
  const ask = async (as: SessionRow['as'], presented: Presented, expects = 'to be refused'): Promise<Visit> => {
    const seen = await visit(session, presented);
    const { page, at } = seen;
    const observed = seen.state === 'in' ? 'signed in' : 'not signed in';
    const size = { status: page?.status ?? 0, bytes: page?.body.length ?? 0 };
    rows.push({ as, sent: presented.what, expects, observed, ...size, at });
    visits.push([as, seen]);
    return seen;
  };
  const of = (...as: readonly SessionRow['as'][]): Visit[] =>
    visits.flatMap(([other, seen]) => (as.includes(other) ? [seen] : []));
  const requests = [
    () => ask('suspect', suspect),
    () => ask('nobody', { what: 'no session', headers: [] }),
    ...controls.map((one) => () => ask('control', one)),
    ...twins.map((one) => () => ask('twin', one, 'an answer to compare with')),
  ];
  const before = await ask('genuine', genuine, 'signed in');
  for (const one of shuffled(requests, randomInt)) await one();
  const after = await ask('genuine', genuine, 'signed in');
  const [asked = before] = of('suspect');
  const alike = await Promise.all(of('control', 'twin').map((one) => areRefusedAlike(asked, one)));
  const round = {
    genuine: [before, after],
    nobody: of('nobody'),
    controls: of('control'),
    suspect: asked,
    isLikeGenuine:
      !lacksWordsOf(asked, [before, after]) && ((await areAlike(asked, before)) || (await areAlike(asked, after))),
    isLikeControl: alike.includes(true),
  };
  return { round, rows };
}
