import { randomInt } from 'node:crypto';
import type { AccessRecord, AccessRow, AccessVisitor } from '../access-record';
import { isAnsweredAs } from '../answered-alike';
import type { Assessment } from '../assess';
import type { AccessBaseline, Baseline } from '../baseline';
import { inconclusive, notVulnerable, type Observation, vulnerable } from '../check';
import { shuffled } from '../client-behaviors';
import { redirectOf } from '../page';
import type { ProbePolicy, Verdict } from '../probe-policy';
import { blockReason, looksLikeLogin } from '../response-trust';
import type { Retested } from '../retest';
import { SessionEnded } from '../signed-in/account';
import { proved, redacted } from '../signed-in/in-session';
import { asksToSignIn } from '../snapshot';
import type { WebTarget } from '../target';
import { originOf } from '../transport/http';
import type { Transport, Via } from '../transport/transport';
import { accessVerdict, type AccessRound, type Refused } from './access-verdict';
import { type AccessAnswer, type AccessVias, ask, exchangeOfRow, isServed, rowOf, valuesIn } from './access-visit';

export interface AccessRetestRequest {
  readonly target: WebTarget;
  readonly before: AccessBaseline;
  readonly transport: Transport;
  /** In the sessions of the owner and of the other account. */
  readonly owner: Via;
  readonly other: Via;
  readonly policy?: ProbePolicy | undefined;
}

const ROUNDS = 6;

/** Statuses by which a server itself refuses something to this user, or says that it is not there. */
const REFUSALS = new Set([403, 404, 410]);

/**
 * How a request for what belongs to another was answered. `neighbour` is the answer for an id that does not exist, and `own` what
 * the visitor has itself at this address.
 */
export async function refusedIn(
  as: 'other' | 'nobody',
  answer: AccessAnswer | null,
  values: readonly string[],
  { neighbour, own }: { readonly neighbour: AccessAnswer | null; readonly own: readonly string[] },
): Promise<Refused> {
  if (answer === null) return { state: 'unclear', reason: 'it was not answered' };
  if (valuesIn(answer, values).length > 0) return { state: 'shows' };
  const { page } = answer;
  const { status } = page;
  const blockage = blockReason(page);
  if (blockage !== null) return { state: 'unclear', reason: blockage };
  const refused = { state: 'refused', status } as const;
  if (REFUSALS.has(status) || valuesIn(answer, own).length > 0) return refused;
  const to = redirectOf(page);
  const asksForSession =
    status === 401 || (to !== null && looksLikeLogin(to)) || (isServed(answer) && asksToSignIn(page));
  if (asksForSession)
    return as === 'nobody'
      ? refused
      : { state: 'unclear', reason: 'it asks to sign in, although its session is alive' };
  if (to !== null) return refused;
  if (neighbour !== null && (await isAnsweredAs(page, neighbour.page))) return refused;
  return {
    state: 'unclear',
    reason: `it is answered with ${status} and without those values, which may be another form of them`,
  };
}

/** Whether an account is served its own object: with its own values, or unlike what it is refused and what does not exist. */
async function servesOwn(
  served: AccessAnswer | null,
  values: readonly string[],
  refused: AccessAnswer | null,
  neighbour: AccessAnswer | null,
): Promise<boolean> {
  if (!isServed(served)) return false;
  if (values.length > 0) return valuesIn(served, values).length > 0;
  if (refused === null || neighbour === null) return false;
  return !(await isAnsweredAs(served.page, refused.page)) && !(await isAnsweredAs(served.page, neighbour.page));
}

/** What the two accounts and a visitor without a session are served, in one interleaved series. */
class Series {
  readonly rounds: AccessRound[] = [];
  readonly probes: Assessment[] = [];

  constructor(
    private readonly request: AccessRetestRequest,
    private readonly record: AccessRecord,
  ) {}

  async run(): Promise<void> {
    const { owner, other, policy } = this.request;
    for (let turn = 0; turn < ROUNDS; turn += 1) {
      // Each turn counts only if both sessions were valid before and after it.
      const { round, rows } = await proved(owner, (one) =>
        proved(other, (another) =>
          this.turn({ owner: one, other: another, nobody: { ...one, session: undefined } }, turn),
        ),
      );
      const probe = withoutSecrets(this.request, this.probeOf(round, rows));
      this.rounds.push(round);
      this.probes.push(probe);
      policy?.onProbe?.(probe);
      if (probe.observation.state === 'vulnerable') return;
    }
  }

  private async turn(vias: AccessVias, turn: number): Promise<{ round: AccessRound; rows: readonly AccessRow[] }> {
    const { target, transport, policy } = this.request;
    const { kind, objects, neighbour, twin, areEquals } = this.record;
    const object = objects[turn % objects.length] ?? { path: target.path, values: [] };
    const rows: AccessRow[] = [];
    const send = async (
      as: AccessVisitor,
      path: string,
      values: readonly string[],
      expects: string,
    ): Promise<AccessAnswer | null> => {
      const answer = await ask(target, transport, vias[as], path);
      if (answer !== null) rows.push(rowOf(as, expects, answer, values));
      return answer;
    };
    const answers: Partial<Record<'own' | 'other' | 'nobody' | 'neighbour' | 'twin' | 'reverse', AccessAnswer | null>> =
      {};
    const isReversed = areEquals && twin?.isPrivate === true && twin.path !== object.path;
    const requests: (() => Promise<void>)[] = [
      async () => void (answers.own = await send('owner', object.path, object.values, 'its own values')),
      async () => void (answers.other = await send('other', object.path, object.values, 'to be refused')),
      async () => void (answers.nobody = await send('nobody', object.path, object.values, 'to be refused')),
      ...(neighbour === null
        ? []
        : [
            async () =>
              void (answers.neighbour = await send(
                'other',
                neighbour,
                object.values,
                'control: an id that does not exist',
              )),
          ]),
      ...(twin === null
        ? []
        : [async () => void (answers.twin = await send('other', twin.path, twin.values, 'its own object is served'))]),
      ...(isReversed
        ? [async () => void (answers.reverse = await send('owner', twin.path, twin.values, 'to be refused'))]
        : []),
    ];
    // A cache keeps what its first visitor was given, so the owner asks first.
    const order = kind === 'cache' ? requests : shuffled(requests, policy?.randomBelow ?? randomInt);
    for (const one of order) await one();
    const { own = null, other = null, nobody = null, twin: served = null, reverse = null } = answers;
    const beside = { neighbour: answers.neighbour ?? null, own: twin?.path === object.path ? twin.values : [] };
    const round: AccessRound = {
      ownerShows: valuesIn(own, object.values).length === object.values.length,
      other: await refusedIn('other', other, object.values, beside),
      // A page that visitors without a session get is not private.
      nobody:
        kind === 'cache' &&
        isServed(nobody) &&
        valuesIn(nobody, object.values).length === 0 &&
        blockReason(nobody.page) === null
          ? { state: 'refused', status: nobody.page.status }
          : await refusedIn('nobody', nobody, object.values, beside),
      servesTwin: twin === null ? null : await servesOwn(served, twin.values, other, beside.neighbour),
      reverse: isReversed ? await refusedIn('other', reverse, twin.values, beside) : null,
    };
    return { round, rows };
  }

  private probeOf(round: AccessRound, rows: readonly AccessRow[]): Assessment {
    const { target, transport } = this.request;
    const { owner, other } = this.record;
    const names: Readonly<Record<AccessVisitor, string>> = {
      owner: `as ${owner.name}`,
      other: `as ${other.name}`,
      nobody: 'without a session',
    };
    const origin = originOf(target);
    const { result, reason } = accessVerdict([round], this.names);
    const isRefused = round.ownerShows && round.other.state === 'refused' && round.nobody.state === 'refused';
    const observation: Observation =
      result === 'still_vulnerable'
        ? vulnerable(reason)
        : isRefused
          ? notVulnerable('it was refused')
          : inconclusive(reason);
    const decided = rows.at(-1)?.at;
    return {
      kind: 'probe',
      started: rows[0]?.at ?? transport.now().toISOString(),
      ...(decided !== undefined && { decided }),
      observation,
      controlFailure: null,
      answer: round.other.state === 'refused' ? `${round.other.status}` : null,
      baseline: null,
      exchanges: rows.map((row) => exchangeOfRow(origin, names[row.as], row)),
    };
  }

  get names() {
    const { kind, owner, other, objects } = this.record;
    return { kind, owner: owner.name, other: other.name, path: objects[0]?.path ?? '/' };
  }
}

/** Plain JSON without the secrets of the two sessions. */
const withoutSecrets = <T>({ owner, other }: AccessRetestRequest, value: T): T =>
  redacted(other, redacted(owner, value));

const ended = (verdict: Verdict, probes: readonly Assessment[], baseline: Baseline | null = null): Retested => ({
  verdict,
  probes,
  baseline,
  isSiteChanged: false,
  newSite: null,
});

/** Whether others are still served what belongs to an account. */
export async function retestAccess(request: AccessRetestRequest): Promise<Retested> {
  const { before, policy } = request;
  const series = new Series(request, before.access);
  try {
    await series.run();
  } catch (error) {
    if (!(error instanceof SessionEnded)) throw error;
    const reason = `the weakness was not tested in proved sessions, because ${error.message}`;
    return ended({ result: 'inconclusive', reason }, series.probes);
  }
  const verdict = accessVerdict(series.rounds, series.names, policy?.refusalsCountAsFixed);
  const isStill = verdict.result === 'still_vulnerable';
  return withoutSecrets(request, ended(verdict, series.probes, isStill ? before : null));
}
