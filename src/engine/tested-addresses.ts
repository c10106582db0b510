import { type Assessment, probeControlAgain } from './assess';
import type { Baseline } from './baseline';
import { type Check, inconclusive, isWebCheck } from './check';
import type { ProbeLog } from './probe-log';
import type { Verdict } from './probe-policy';
import { ProbeSession } from './probe-session';
import { blockReason } from './response-trust';
import { type Snapshot, snapshot } from './snapshot';
import type { Target } from './target';
import { parseEndpoint } from './transport/endpoint';
import { ExchangeFailed, type Failure, type FailureCode } from './transport/exchange';
import type { Transport, Via } from './transport/transport';
import { inconclusiveVerdict } from './verdict-reasons';

/** What answers at an address that the DNS does not return. In doubt, the weakness may still be there. */
type Found = { readonly kind: 'site' } | { readonly kind: 'gone' | 'doubt'; readonly reason: string };

const SITE: Found = { kind: 'site' };
const gone = (reason: string): Found => ({ kind: 'gone', reason });
const doubt = (reason: string): Found => ({ kind: 'doubt', reason });

/** Failures that show that nobody gets the site there. Other failures may come from a busy server, or from this machine. */
const NO_SITE: ReadonlySet<FailureCode> = new Set(['refused', 'unreachable', 'tls', 'protocol']);

const afterFailure = ({ code, reason }: Failure): Found => (NO_SITE.has(code) ? gone(reason) : doubt(reason));

const NOT_PROVED = 'it answers as before, and no active test may be sent there';
const SERVICE = 'a service that answers there does not say whose it is';

const NOT_GIVEN = 'and which the DNS does not give now';

const isOfAnotherName = (before: Snapshot, { certificate }: Snapshot): boolean =>
  before.certificate?.covers === true && certificate?.covers === false;

/**
 * All addresses that the DNS returns during a verification, and the one where the weakness was seen. The server at the latter may
 * only be missing from the DNS for a while, or the DNS may return a few of many addresses at a time.
 */
export class TestedAddresses {
  private readonly given = new Set<string>();
  private readonly seenAt = 'address' in this.before ? this.before.address : null;
  private found: Found | null = null;
  /** Addresses to which this machine has no route, such as IPv6 addresses on a machine without IPv6. */
  private readonly noRoute = new Set<string>();

  constructor(
    private readonly check: Check,
    private readonly place: Target,
    private readonly before: Baseline,
    private readonly transport: Transport,
    private readonly via: Via,
    private readonly log: ProbeLog,
  ) {}

  /** Always in the same order, whatever the order of the DNS. */
  async resolved(): Promise<string[]> {
    for (const address of await this.transport.addresses(this.place, this.via)) this.given.add(address);
    const { given, seenAt } = this;
    if (seenAt === null || given.has(seenAt)) return [...given].sort();
    this.found ??= await this.find(seenAt);
    return (this.found.kind === 'site' ? [...given, seenAt] : [...given]).sort();
  }

  withRoute(addresses: readonly string[]): string[] {
    return addresses.filter((address) => !this.noRoute.has(address));
  }

  /** Leaves out an address without a route, unless the weakness was found there or the DNS returns no other. */
  leaveOut(address: string, { exchanges }: Assessment): boolean {
    const others = this.withRoute([...this.given]).some((one) => one !== address);
    const isLeftOut = others && address !== this.seenAt && exchanges.at(-1)?.failure?.code === 'no_route';
    if (isLeftOut) this.noRoute.add(address);
    return isLeftOut;
  }

  /** Whether only the baseline has this address. It may now belong to someone else. */
  isFormer = (address: string | undefined): boolean =>
    address !== undefined && address === this.seenAt && !this.given.has(address);

  /** The verdict if the site may still be where the weakness was seen and could not be tested there. */
  get doubt(): Verdict | null {
    const { found, seenAt } = this;
    if (found?.kind !== 'doubt' || !this.isFormer(seenAt ?? undefined)) return null;
    return inconclusiveVerdict(
      `the weakness was not detected, but it was seen at ${seenAt}, which the DNS does not give now, and nothing shows that it is gone there: ${found.reason}. Retest when the name leads there again, or when that server is off`,
    );
  }

  /** What `fixed` does not cover. */
  get note(): string {
    const { found, seenAt, noRoute } = this;
    const skipped =
      noRoute.size === 0
        ? ''
        : `; not tested, because ${this.via.route ? 'the beacon' : 'this machine'} has no route to them: ${[...noRoute].join(', ')}`;
    return found?.kind === 'gone' && this.isFormer(seenAt ?? undefined)
      ? `${skipped}; not tested: ${seenAt}, where the weakness was seen ${NOT_GIVEN} (${found.reason})`
      : skipped;
  }

  /** Says where the weakness is, if the DNS does not return that address. */
  named(verdict: Verdict): Verdict {
    const last = this.log.probes.findLast(({ observation }) => observation.state === 'vulnerable');
    const address = last?.exchanges.at(-1)?.address ?? null;
    if (verdict.result !== 'still_vulnerable' || address === null || !this.isFormer(parseEndpoint(address).address))
      return verdict;
    return {
      ...verdict,
      reason: `${verdict.reason} This is at ${this.seenAt}, where it was seen before ${NOT_GIVEN}.`,
    };
  }

  private async find(address: string): Promise<Found> {
    // The request for a page is not an experiment.
    const { pinned, ...via } = this.via;
    const session = new ProbeSession(this.transport, { ...via, address });
    try {
      const found = await (isWebCheck(this.check) ? this.findSite(session) : this.findService(session));
      return found.kind === 'site' && pinned?.has(this.place.host, address) === false ? doubt(NOT_PROVED) : found;
    } catch (error) {
      if (error instanceof ExchangeFailed) return afterFailure(error.failure);
      throw error;
    }
  }

  private async findSite(session: ProbeSession): Promise<Found> {
    const { check, place, before, log } = this;
    const { assessment, memory } = await probeControlAgain(check, place, session, before);
    log.add({ ...assessment, kind: 'interleaved' });
    const { state, detail } = assessment.observation;
    if (state !== 'inconclusive' || before.on !== 'web') return SITE;
    const failure = assessment.exchanges.at(-1)?.failure ?? null;
    const { page: shown = null, controlFailure = null } = memory?.control ?? {};
    if (failure !== null) return afterFailure(failure);
    if (shown === null) return doubt(detail);
    const isMissing = isWebCheck(check) && check.control === 'missing';
    const [alive] = isMissing ? before.alive : [];
    const page = alive === undefined ? shown : (await session.page({ ...place, path: alive.path }, 'page')).page;
    const now = await snapshot(page);
    if (isOfAnotherName(before.page, now)) return gone('its certificate is for another name');
    if (!isMissing && controlFailure === null) return SITE;
    // A server that no longer knows the name says so with 404.
    return page.status !== 404 && blockReason(page) !== null ? doubt(detail) : gone(detail);
  }

  /** A service does not say whose it is, so nothing is sent to it. */
  private async findService(session: ProbeSession): Promise<Found> {
    const started = session.now().toISOString();
    const probe = session.probe(this.place);
    try {
      await probe.tcp([]);
      return doubt(SERVICE);
    } finally {
      this.log.addRequests('interleaved', started, inconclusive(SERVICE), probe);
    }
  }
}
