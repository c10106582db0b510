import { repeat } from './assess';
import { type Baseline, decisiveKey } from './baseline';
import { type Check, inconclusive, isRepeatable, notVulnerable, type Observation, sendsAllRequests } from './check';
import { asksForCaptcha } from './firewall-pages';
import type { Page } from './page';
import type { ProbeLog } from './probe-log';
import type { ProbeMemory } from './probe-memory';
import { DECISIVE_REQUESTS } from './client-behaviors';
import { type ProbeSession, type ProbeSessions } from './probe-session';
import { blockReason } from './response-trust';
import { seenInPage } from './seen-in-page';
import { isWeb, type Target } from './target';
import { ExchangeFailed } from './transport/exchange';

const MIN_PER_ADDRESS = 4;

/** After this many requests to an address, none is sent only to vary the order. The limit for a verification is 80. */
const REQUEST_BUDGET = 50;

/**
 * Random requests between the decisive ones. Behind a round-robin balancer a fixed number of requests for each probe
 * would send every decisive request to the same server. A check with several requests sends one of its others.
 */
export class InterleavedRequests {
  private sent = 0;

  constructor(
    private readonly check: Check,
    private readonly place: Target,
    private readonly before: Baseline,
    private readonly sessions: ProbeSessions,
    private readonly log: ProbeLog,
  ) {}

  /** Sends a request in two of three cases. Returns what it showed; null if nothing was sent. */
  async sendSometimes(address: string | undefined): Promise<Observation | null> {
    if (this.check.on === 'dns' || this.sessions.randomBelow(3) === 0 || !this.hasBudget(address)) return null;
    this.sent += 1;
    const session = this.sessions.fresh(address, this.log.decisiveRequests(address));
    const memory = this.log.memoryOf(address, session);
    const others = [...(memory?.replay.answers.keys() ?? [])].filter((key) => key !== decisiveKey(this.before));
    const key = others.length === 0 ? undefined : others[this.sessions.randomBelow(others.length)];
    if (memory === null || key === undefined || !isRepeatable(this.check) || sendsAllRequests(this.check, this.before))
      return this.requestPage(session, memory);
    const replay = { ...memory.replay, decisive: { kind: 'http', key } as const };
    const seen = await repeat(this.check, this.place, session, this.before, { ...memory, replay });
    this.log.add({ ...seen, kind: 'interleaved' });
    return seen.observation;
  }

  private async requestPage(session: ProbeSession, memory: ProbeMemory | null): Promise<Observation> {
    const started = session.now().toISOString();
    const probe = session.probe(this.place);
    try {
      // For a service without pages, it opens a connection and sends nothing.
      const path = this.before.on === 'web' && this.before.isFrontPage === true ? '/' : this.place.path;
      const page = isWeb(this.place) ? await probe.requestPage({ path }) : await probe.tcp([]);
      const blockage = 'headers' in page ? pageBlockReason(page, memory?.control.page ?? null) : null;
      const { check, place, before } = this;
      const seen =
        'headers' in page ? await seenInPage(check, place, page, session, before, memory ?? this.log.anyMemory) : null;
      const usual = notVulnerable('an interleaved request, to vary the order');
      const observation = seen ?? (blockage === null ? usual : inconclusive(blockage));
      this.log.addRequests('interleaved', started, observation, probe);
      return observation;
    } catch (error) {
      if (!(error instanceof ExchangeFailed)) throw error;
      return inconclusive(error.message);
    }
  }

  private hasBudget(address: string | undefined): boolean {
    const { probes, addresses } = this.log;
    const requestsEach = probes.findLast(({ kind }) => kind === 'repeat')?.exchanges.length ?? 1;
    if (this.sent < (requestsEach > 2 ? DECISIVE_REQUESTS : MIN_PER_ADDRESS) * addresses.length) return true;
    const made = probes.reduce((sum, { exchanges }) => sum + exchanges.length, 0) / Math.max(1, addresses.length);
    const each = probes.at(-1)?.exchanges.length ?? 1;
    const remaining = DECISIVE_REQUESTS - this.log.decisiveRequests(address) + 1;
    return made + remaining * Math.max(1, each) < REQUEST_BUDGET;
  }
}

const pageBlockReason = (page: Page, control: Page | null): string | null =>
  blockReason(page) ??
  (control !== null && asksForCaptcha(page, control) ? 'a captcha is shown instead of the target' : null);
