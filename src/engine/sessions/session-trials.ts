import { setTimeout as delay } from 'node:timers/promises';
import type { SessionKind } from '../session-record';
import { statedPlace } from '../signed-in/account-origin';
import type { AccountSession } from '../signed-in/account-session';
import { SessionState } from '../signed-in/session-state';
import { SignInExchanges } from '../signed-in/sign-in-exchanges';
import { signInOnce } from '../signed-in/sign-in-once';
import type { Field } from '../transport/client-identity';
import type { HttpRequest } from '../transport/http';
import type { ViaSession } from '../transport/via-session';
import { harmlessLike, randomWord } from '../twins';
import { forgedFrom, randomLike, textOf, type Token, tokenInField, withRandomSignature } from './forged-tokens';
import { type Presented, type Trial, visit } from './session-visit';
import { signOutIn } from './sign-out';

/** What is needed besides the session. */
export interface TrialContext {
  readonly session: AccountSession;
  /** Of pages of the account, in which a sign-out is looked for. */
  readonly paths: readonly string[];
  readonly isAllowed: (path: string) => boolean;
  /** Between looks at a session that was signed out and is still valid. */
  readonly pauseMs?: number;
}

/** One experiment, which is made anew for each series. `build` says in words why it cannot be made. */
export interface Attempt {
  readonly carrier: string;
  readonly variant: string;
  readonly build: (dressed: readonly Field[]) => Promise<Trial | string>;
}

const MOST_CARRIERS = 6;
const MOST_PAGES = 6;

/** A single header, or a single cookie. */
interface Carrier {
  readonly name: string;
  readonly value: string;
  readonly withValue: (value: string) => readonly Field[];
}

const carrierOf = (name: string, value: string, write: (value: string) => Field): Carrier => ({
  name,
  value,
  withValue: (other) => [write(other)],
});

const carriersIn = (fields: readonly Field[]): Carrier[] =>
  fields.flatMap(([field, value]) => {
    if (field.toLowerCase() !== 'cookie') return [carrierOf(`the header ${field}`, value, (other) => [field, other])];
    return value.split(/;\s*/).map((pair) => {
      const [name = ''] = pair.split('=', 1);
      const write = (other: string): Field => ['Cookie', `${name}=${other}`];
      return carrierOf(`the cookie ${name}`, pair.slice(name.length + 1), write);
    });
  });

/** What the session adds to the request of its proof. */
export const dressedFields = async ({ of, proof }: AccountSession, state: ViaSession): Promise<readonly Field[]> =>
  (await state.dressed(statedPlace(of, proof.url))).headers ?? [];

/** Those that open what only a signed-in user sees without any other. */
async function openingAlone(session: AccountSession, carriers: readonly Carrier[]): Promise<Carrier[]> {
  const opening: Carrier[] = [];
  for (const one of carriers.slice(0, MOST_CARRIERS)) {
    const { state } = await visit(session, { what: '', headers: one.withValue(one.value) });
    if (state === 'in') opening.push(one);
  }
  return opening;
}

const isOfCookie = ({ name }: Carrier): boolean => /^the cookie [\w.-]+$/.test(name);
const NO_SINGLE_COOKIE = 'no single cookie is the session';
const NO_TOKEN: Token = { before: '', header: '', claims: '', signature: '' };

/** What presents another value in one carrier of the session as it is then. */
const inCarrier =
  (name: string, trialOf: (now: Carrier) => Trial): Attempt['build'] =>
  async (dressed) => {
    const now = carriersIn(dressed).find((one) => one.name === name);
    return now === undefined ? `the session has no ${name.slice(4)} any more` : trialOf(now);
  };

async function tokenAttempts({ session }: TrialContext, fields: readonly Field[]): Promise<Attempt[] | string> {
  const carriers = carriersIn(fields).filter(({ value }) => tokenInField(value) !== null);
  if (carriers.length === 0) return 'no request of the session has a signed JWT';
  const opening = await openingAlone(session, carriers);
  if (opening.length === 0) return 'its JWT alone opens nothing, so that it is not the session';
  return opening.flatMap(({ name, value }) =>
    forgedFrom(tokenInField(value) ?? NO_TOKEN).map(({ variant }, at): Attempt => {
      const build = inCarrier(name, ({ value: given, withValue }) => {
        const token = tokenInField(given) ?? NO_TOKEN;
        const present = (what: string, other: Token): Presented => {
          for (const secret of [textOf(other), textOf({ ...other, before: '' })]) session.secrets.add(secret);
          return { what: `${what} in ${name}`, headers: withValue(textOf(other)) };
        };
        const otherSignature = present('the JWT with a random signature', withRandomSignature(token));
        const random = present('a random token', randomLike(token));
        return {
          genuine: present('the JWT', token),
          suspect: present(variant, forgedFrom(token)[at]?.token ?? token),
          ...(at === 0 ? { controls: [random], twins: [otherSignature] } : { controls: [random, otherSignature] }),
        };
      });
      return { carrier: name, variant, build };
    }),
  );
}

const IN_ADDRESS: readonly (readonly [variant: string, write: (path: string, name: string, id: string) => string])[] = [
  ['in the query', (path, name, id) => `${path}${path.includes('?') ? '&' : '?'}${name}=${id}`],
  ['in the path', (path, name, id) => path.replace(/(?=\?|$)/, `;${name.replace('JSESSIONID', 'jsessionid')}=${id}`)],
];
const GOES_IN_ADDRESS = /^[\w.~%+:@=-]{6,500}$/;

async function urlAttempts({ session }: TrialContext, fields: readonly Field[]): Promise<Attempt[] | string> {
  const opening = await openingAlone(session, carriersIn(fields).filter(isOfCookie));
  const possible = opening.filter(({ value }) => GOES_IN_ADDRESS.test(value));
  if (possible.length === 0) return NO_SINGLE_COOKIE;
  const { path } = statedPlace(session.of, session.proof.url);
  return possible.flatMap(({ name }) =>
    IN_ADDRESS.map(([variant, write]): Attempt => {
      const at = (what: string, id: string): Presented => {
        const address = write(path, name.replace('the cookie ', ''), id);
        return { what: `${what} ${variant}`, headers: [], path: address };
      };
      const build = inCarrier(name, ({ value, withValue }) => {
        session.secrets.add(value);
        return {
          genuine: { what: `the session in ${name}`, headers: withValue(value) },
          suspect: at('the id of the session', value),
          controls: [at('a random id', harmlessLike(value))],
        };
      });
      return { carrier: name, variant: `the id of the session ${variant}`, build };
    }),
  );
}

/** Why an experiment shows nothing this time. */
export class TrialFailed extends Error {}

/** A sign-in as a visitor, beside the session. */
async function signIn({ of, environment, via, secrets, codes }: AccountSession, state: SessionState): Promise<void> {
  const { transport, book } = environment;
  const { state: signed, reason } = await signInOnce(of, { transport, via, book }, secrets, codes, state);
  if (signed === null) throw new TrialFailed(`a further sign-in was not possible: ${reason}`);
}

const visitor = ({ of, secrets, codes }: AccountSession): SessionState => new SessionState(of, secrets, codes);

const signsIn = ({ of: { recipe } }: AccountSession): boolean => ['form', 'request', 'steps'].includes(recipe.kind);
const NO_SIGN_IN = 'what was typed is its session, so that nothing signs in';

/** Follows redirects at the origins of the account, as a sign-in does. */
const browser = ({ of, environment, via }: AccountSession, state: SessionState): SignInExchanges =>
  new SignInExchanges(of.origins, environment.transport, { ...via, session: state });

const random = (fields: readonly Field[]): Field[] =>
  carriersIn(fields).flatMap(({ value, withValue }) => withValue(value.replace(/[^ ]+$/, harmlessLike)));

/** What a visitor had before the sign-in is presented alone after it. */
async function fixationAttempts({ session }: TrialContext, fields: readonly Field[]): Promise<Attempt[] | string> {
  if (!signsIn(session)) return NO_SIGN_IN;
  const opening = await openingAlone(session, carriersIn(fields).filter(isOfCookie));
  if (opening.length === 0) return NO_SINGLE_COOKIE;
  const { recipe } = session.of;
  const page = recipe.kind === 'form' || recipe.kind === 'request' ? recipe.page : undefined;
  return opening.map(({ name, withValue }): Attempt => {
    const build = async (): Promise<Trial> => {
      const state = visitor(session);
      for (const url of [session.proof.url, page])
        if (url !== undefined) await browser(session, state).send(statedPlace(session.of, url), '');
      const given = carriersIn(await dressedFields(session, state)).find((one) => one.name === name);
      const value = given?.value ?? randomWord(32);
      if (given === undefined) state.plant(withValue(value)[0]?.[1] ?? '');
      session.secrets.add(value);
      const suspect = { what: `the value of ${name} from before the sign-in`, headers: withValue(value) };
      const early = await visit(session, suspect);
      if (early.state === 'in' || early.state === 'unclear')
        throw new TrialFailed(`before the sign-in, the value of ${name} is not signed out: ${early.reason}`);
      await signIn(session, state);
      return {
        genuine: { what: 'the session after the sign-in', headers: await dressedFields(session, state) },
        suspect,
        controls: [{ what: `a random value of ${name}`, headers: withValue(harmlessLike(value)) }],
      };
    };
    return { carrier: name, variant: 'the value from before the sign-in', build };
  });
}

/** Where sessions are kept in several places, a sign-out reaches some of them seconds later. */
const LATE = { looks: 4, pauseMs: 1_500 };
const NO_SIGN_OUT = 'no link and no form that signs out was recognised in its pages';

/** A session is signed out, and presented beside one that was opened after it. */
async function signOutAttempts(context: TrialContext, fields: readonly Field[]): Promise<Attempt[] | string> {
  const { session, paths, isAllowed, pauseMs = LATE.pauseMs } = context;
  const { signal } = session.via;
  if (!signsIn(session)) return NO_SIGN_IN;
  const proof = statedPlace(session.of, session.proof.url);
  const build = async (): Promise<Trial | string> => {
    const state = visitor(session);
    await signIn(session, state);
    let request: HttpRequest | null = null;
    let page = proof.path;
    for (page of new Set([proof.path, '/', ...paths.slice(0, MOST_PAGES)])) {
      const found = await signOutIn(await browser(session, state).send({ ...proof, path: page }, ''), proof);
      if (found !== null && isAllowed(found.path)) request = found;
      if (request !== null) break;
    }
    if (request === null) return NO_SIGN_OUT;
    // Pages before it may have renewed the session.
    const old = await dressedFields(session, state);
    await browser(session, state).send(request, '');
    const left = await visit(session, { what: '', headers: await dressedFields(session, state) });
    if (left.state !== 'out' && left.state !== 'refused')
      return `${request.path.split('?', 1)[0]} did not sign out: ${left.reason}`;
    const suspect = { what: 'the session that was signed out', headers: old };
    let early = await visit(session, suspect);
    for (let looks = 0; early.state === 'in' && looks < LATE.looks; looks += 1) {
      await delay(pauseMs, undefined, { signal });
      early = await visit(session, suspect);
    }
    if (early.state === 'unclear') throw new TrialFailed(`after the sign-out, ${early.reason}`);
    const next = visitor(session);
    await signIn(session, next);
    if (early.state === 'in' && (await visit(session, suspect)).state !== 'in')
      throw new TrialFailed('the session that was signed out was valid until the next sign-in, which ends all others');
    return {
      page,
      genuine: { what: 'a session that was opened after the sign-out', headers: await dressedFields(session, next) },
      suspect,
      controls: [{ what: 'random values of its fields', headers: random(old) }],
    };
  };
  const carrier = carriersIn(fields).map(({ name }) => name);
  return [{ carrier: carrier.join(', '), variant: 'a session that was signed out', build }];
}

/** The experiments of a kind, or why there are none. */
export const attemptsOf: Readonly<
  Record<SessionKind, (context: TrialContext, fields: readonly Field[]) => Promise<Attempt[] | string>>
> = { token: tokenAttempts, url: urlAttempts, fixation: fixationAttempts, sign_out: signOutAttempts };
