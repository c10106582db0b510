import { Injectable } from '@nestjs/common';
import { Cidr } from '../../../kernel/cidr';
import { UnitOfWork } from '../../../platform/audit/unit-of-work';
import { everything } from '../../../platform/api/scope';
import type { Claim } from '../../../platform/work/claim';
import { type Completion, type WorkHandler, WorkKind } from '../../../platform/work/work-handler';
import { workAudit } from '../../../platform/work/work-audit';
import { BeaconLinks } from '../../beacons';
import { EngineRuntime } from '../../retests';
import { type BegunDiscovery, DiscoveriesRepository, type SearchProgress } from '../data/discoveries.repository';
import { DISCOVERY_KIND } from '../discoveries.service';
import { isDiscoveryOver } from '../domain/discovery-status';
import { HostList } from '../domain/host-list';
import { HostSearch, SearchEndedError } from './host-search';

const scope = everything('a worker runs the discoveries of all organizations');

/** From the start of the first attempt. The largest discovery whose hosts are all silent takes 64 minutes. */
const MAX_DURATION_MS = 90 * 60_000;

const TIME_LIMIT_EXCEEDED = `It did not finish within ${MAX_DURATION_MS / 60_000} minutes. Try fewer hosts or ports.`;

/** Searches for hosts through a beacon, outside any transaction. */
@Injectable()
@WorkKind(DISCOVERY_KIND)
export class DiscoveryRun implements WorkHandler {
  constructor(
    private readonly discoveries: DiscoveriesRepository,
    private readonly links: BeaconLinks,
    private readonly runtime: EngineRuntime,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async perform(claim: Claim, signal: AbortSignal): Promise<Completion> {
    const { reference, attempt } = claim;
    const begun = (await this.begin(claim)) ?? (await this.discoveries.resume(scope, reference, attempt));
    // The discovery is over, or was deleted with its beacon: only the claim is left to complete.
    if (begun === undefined) return this.completion(claim, async () => undefined);
    return this.search(claim, begun, signal);
  }

  abandon(claim: Claim, error: string): Completion {
    const apply = async (): Promise<void> => {
      const discovery = await this.discoveries.lockByUuid(scope, claim.reference);
      if (discovery === undefined || isDiscoveryOver(discovery.status)) return;
      await this.discoveries.endEarly(discovery.id, 'ERROR', 'It could not run because of an internal error.');
    };
    return this.completion(claim, apply, { error });
  }

  /** Undefined if an earlier attempt has begun the discovery and recorded it. */
  private begin(claim: Claim): Promise<BegunDiscovery | undefined> {
    return this.unitOfWork.runIfDue(auditOf(claim, 'beacon.discovery_begin'), scope, async () => {
      const begun = await this.discoveries.begin(scope, claim.reference, claim.attempt);
      if (begun !== undefined) this.unitOfWork.note({ resourceId: String(begun.beaconId) });
      return begun;
    });
  }

  private async search(claim: Claim, discovery: BegunDiscovery, signal: AbortSignal): Promise<Completion> {
    const { organizationId, beaconId, cidrs, ports, hostsDone, hostsSkipped, candidates } = discovery;
    const hosts = new HostList(cidrs.map((block) => Cidr.parse(block, 'cidrs')));
    const work = { reference: claim.reference, attempt: claim.attempt, trace: claim.trace };
    const search = new HostSearch(
      { hosts, ports, progress: { hostsDone, hostsSkipped, candidates } },
      {
        turnAt: (address, turnSignal) => this.runtime.turnBehind(beaconId, address, turnSignal),
        open: (openSignal) => this.links.open({ id: beaconId, organizationId }, work, openSignal),
        check: (progress) => this.check(discovery, claim.attempt, progress),
      },
    );
    const timeLimit = AbortSignal.timeout(Math.max(0, MAX_DURATION_MS - discovery.sinceStartMs));
    try {
      await search.run(AbortSignal.any([signal, timeLimit]));
      return this.result(claim, search.progress, null);
    } catch (error) {
      // An interrupted search continues in another attempt.
      signal.throwIfAborted();
      if (timeLimit.aborted) return this.result(claim, search.progress, TIME_LIMIT_EXCEEDED);
      if (error instanceof SearchEndedError) return this.result(claim, search.progress, error.message);
      throw error;
    }
  }

  private async check(
    { id, organizationId, beaconId }: BegunDiscovery,
    attempt: number,
    progress: SearchProgress,
  ): Promise<readonly Cidr[]> {
    const isCurrent = await this.discoveries.saveProgress(id, attempt, progress);
    const beacon = isCurrent ? await this.links.find(scope, organizationId, beaconId) : undefined;
    if (beacon === undefined) throw new SearchEndedError('The beacon was deleted.');
    return beacon.cidrs;
  }

  private result(claim: Claim, progress: SearchProgress, error: string | null): Completion {
    return this.completion(claim, async () => {
      const discovery = await this.discoveries.lockByUuid(scope, claim.reference);
      if (discovery === undefined || isDiscoveryOver(discovery.status)) return;
      const status = error === null ? 'FINISHED' : 'ERROR';
      await this.discoveries.end(discovery.id, { status, error, ...progress });
      const { hostsDone, hostsSkipped, candidates } = progress;
      this.unitOfWork.note({
        resourceId: String(discovery.beaconId),
        metadata: { status, error, hosts_done: hostsDone, hosts_skipped: hostsSkipped, answered: candidates.length },
      });
    });
  }

  private completion(claim: Claim, apply: () => Promise<void>, metadata?: Record<string, unknown>): Completion {
    return { audit: auditOf(claim, 'beacon.discovery_finish', metadata), apply };
  }
}

/** Its resource is the beacon, which is known when the discovery is read. */
const auditOf = (claim: Claim, operation: string, more?: Record<string, unknown>): Completion['audit'] => {
  const metadata = { discovery: claim.reference, ...more };
  return workAudit(claim, { operation, resourceType: 'beacon', resourceId: undefined, metadata });
};
