import type { ProbeMemory } from './probe-memory';
import type { Baseline } from './baseline';
import { isAnsweredAs } from './answered-alike';
import { type Check, inconclusive, isWebCheck, notVulnerable, type Observation } from './check';
import { askForMissing } from './confirm-absence';
import { takeControl } from './control';
import type { Page } from './page';
import type { TargetProbe } from './probe';
import type { ProbeLog } from './probe-log';
import type { ProbeSession, ProbeSessions } from './probe-session';
import { blockReason } from './response-trust';
import { seenInPage } from './seen-in-page';
import { differenceOf, snapshot } from './snapshot';
import type { Target } from './target';
import { CLIENT_TITLES, type ClientName, firstOfKind } from './transport/client-identity';
import { ExchangeFailed } from './transport/exchange';

/** The state that this client's repeats reuse, or why its responses do not count. */
type Introduction = { readonly memory: ProbeMemory } | { readonly reason: string };

/**
 * Clients besides the two of every probe. Their responses count if the page and a missing path get the same responses as for the
 * first client of their kind. If the site refuses a client or redirects it elsewhere, its responses prove nothing.
 */
export class FurtherClients {
  private readonly introductions = new Map<string, Promise<Introduction>>();
  private readonly refused = new Map<ClientName, string>();
  /** Set if the page of one of them showed the weakness. */
  seen: Observation | null = null;

  constructor(
    private readonly check: Check,
    private readonly place: Target,
    private readonly before: Baseline,
    private readonly sessions: ProbeSessions,
    private readonly log: ProbeLog,
  ) {}

  isFurther({ behavior: { identity, client } }: ProbeSession): boolean {
    return this.before.on === 'web' && this.check.on !== 'tls' && client !== firstOfKind(identity);
  }

  /** The state that its repeats reuse; null if its responses do not count. */
  async memoryOf(address: string | undefined, session: ProbeSession, usual: ProbeMemory): Promise<ProbeMemory | null> {
    const { client } = session.behavior;
    const key = `${address} ${client}`;
    const introduction = this.introductions.get(key) ?? this.introduce(session, usual);
    this.introductions.set(key, introduction);
    const known = await introduction;
    if ('memory' in known) return known.memory;
    this.refused.set(client, known.reason);
    return null;
  }

  /** Which clients do not count, as part of a sentence. */
  get note(): string {
    const clients = [...this.refused].map(([client, reason]) => `${CLIENT_TITLES[client]} (${reason})`);
    return clients.length === 0 ? '' : `; not counted, because the site treats them differently: ${clients.join(', ')}`;
  }

  /** Whether a client that does not count gets this response for a missing path too. Then the response proves nothing. */
  async getsEverywhere(client: ProbeSession, answer: Page): Promise<boolean> {
    const { before, place } = this;
    const title = CLIENT_TITLES[client.behavior.client];
    const isSame = await this.asking(
      client,
      async (session, probe) =>
        before.on === 'web' && (await isAnsweredAs(await askForMissing(before, place, session, probe), answer)),
      (same) =>
        same
          ? inconclusive(`${title} gets the same response for a missing path`)
          : notVulnerable(`${title} gets another response for a missing path`),
    );
    return typeof isSame === 'string' || isSame;
  }

  private async introduce(client: ProbeSession, usual: ProbeMemory): Promise<Introduction> {
    const introduction = await this.asking(
      client,
      (session, probe) => this.compare(session, probe, usual),
      (found) =>
        this.seen ??
        ('memory' in found
          ? notVulnerable(`${CLIENT_TITLES[client.behavior.client]} gets the same pages`)
          : inconclusive(found.reason)),
    );
    return typeof introduction === 'string' ? { reason: introduction } : introduction;
  }

  /** Requests pages as a client and logs them. Returns the reason if that fails. */
  private async asking<T>(
    client: ProbeSession,
    ask: (session: ProbeSession, probe: TargetProbe) => Promise<T>,
    observed: (answer: T) => Observation,
  ): Promise<T | string> {
    const session = this.sessions.pagesOf(client);
    const started = session.now().toISOString();
    const probe = session.probe(this.place);
    const log = (observation: Observation): void => this.log.addRequests('interleaved', started, observation, probe);
    try {
      const answer = await ask(session, probe);
      log(observed(answer));
      return answer;
    } catch (error) {
      if (!(error instanceof ExchangeFailed)) throw error;
      log(inconclusive(error.message));
      return error.message;
    }
  }

  private async compare(session: ProbeSession, probe: TargetProbe, usual: ProbeMemory): Promise<Introduction> {
    const { check, place, before } = this;
    const taken = await takeControl(check, place, before, probe, session);
    this.seen ??= await seenInPage(check, place, taken.page, session, before, usual);
    // The first client of the kind has already recognized the new look.
    const control = usual.accepted.page === null ? taken : { ...taken, controlFailure: taken.blocked };
    const [now, known] = [control.baseline, usual.control.baseline];
    const change = now.on === 'web' && known.on === 'web' ? differenceOf(known.page, now.page) : null;
    const reason = control.controlFailure ?? change;
    if (reason !== null) return { reason };
    if (usual.missing === null || before.on !== 'web' || !isWebCheck(check)) return { memory: { ...usual, control } };
    const missing = await askForMissing(before, place, session, probe);
    const other = blockReason(missing) ?? differenceOf(await snapshot(usual.missing), await snapshot(missing));
    return other === null ? { memory: { ...usual, control, missing } } : { reason: `for a missing path ${other}` };
  }
}
