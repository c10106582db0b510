import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { system } from '../../platform/api/caller';
import type { Scope } from '../../platform/api/scope';
import type { Domain } from './data/domain.entity';
import { DomainsRepository, type VerifiedOwner } from './data/domains.repository';
import { TxtResolver } from './dns/txt-resolver';
import { OWNERSHIP_LOST, resolveOwnership } from './domain/domain-ownership';
import { afterLookup, type LookupState, unverified } from './domain/domain-lookups';
import { challengeNames, type LookupResult, evaluateTxtAnswers, type LookupVerdict } from './domain/domain-proof';

export const lookupKind = 'domain.lookup';

/** What the DNS said, before anybody has written it down. */
export interface DomainLookup {
  readonly domainId: number;
  readonly result: LookupResult;
  /** What those have still published who hold it, by the ids of their domains. */
  readonly owners: ReadonlyMap<number, LookupVerdict>;
  /** Somebody asked for it, and did not just wait: the pauses begin anew. */
  readonly requestedByUser?: boolean;
}

/** More than this many at once are not asked about; those that are left out keep what they hold until the next look. */
const maxOwners = 20;

/** The proof of who a domain belongs to, in two steps: what the DNS says, and what follows from it. */
@Injectable()
export class DomainVerification {
  constructor(
    private readonly domains: DomainsRepository,
    private readonly txt: TxtResolver,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Asks the network: never inside of a transaction. */
  async lookUp(domain: Domain): Promise<DomainLookup> {
    const result = await this.evaluateRecord(domain);
    const owners = isClaim(domain, result) ? await this.domains.listVerifiedOwners(domain) : [];
    const verdicts = await Promise.all(
      owners.slice(0, maxOwners).map(async (owner) => [owner.id, await this.verdictOn(owner)] as const),
    );
    return { domainId: domain.id, result, owners: new Map(verdicts) };
  }

  /** Writes down what was found, in the current unit of work. Undefined if the domain has gone meanwhile. */
  async apply(scope: Scope, { domainId, result, owners, requestedByUser }: DomainLookup): Promise<Domain | undefined> {
    await this.domains.lockOwnership(domainId);
    const domain = await this.domains.lockOne(scope, domainId);
    if (domain === undefined) return undefined;
    const currentOwners = isClaim(domain, result) ? await this.domains.listVerifiedOwners(domain) : [];
    const { verdict, reason } = resolveOwnership(
      result,
      currentOwners.map(({ id }) => owners.get(id)),
    );
    const now = this.clock.now();
    // Even if others stand in the way: somebody has proved it anew, and these no longer do.
    await this.revokeOwnership(
      currentOwners.filter(({ id }) => owners.get(id) === 'absent'),
      now,
    );
    const known = lookupStateOf(domain);
    const lookups = afterLookup(requestedByUser ? { ...known, failedLookups: 0 } : known, verdict, now);
    const metadata = { value: domain.value, result: verdict, from: domain.verified, to: lookups.verified };
    this.unitOfWork.note({ metadata });
    return this.domains.saveLookup(domainId, lookups, { at: now, result: reason });
  }

  private async revokeOwnership(owners: readonly VerifiedOwner[], now: Date): Promise<void> {
    for (const owner of owners) {
      await this.domains.saveLookup(owner.id, unverified(now), { at: now, result: OWNERSHIP_LOST });
      await this.unitOfWork.recordAside({
        actor: system,
        operation: 'domain.lose',
        resourceType: 'domain',
        resourceId: String(owner.id),
        organizationId: owner.organizationId,
        metadata: { value: owner.value, from: true, to: false },
      });
    }
  }

  private async verdictOn(owner: VerifiedOwner): Promise<LookupVerdict> {
    // What was deleted is nobody's any more, whatever its zone still says.
    return owner.ofDeleted ? 'absent' : (await this.evaluateRecord(owner)).verdict;
  }

  private async evaluateRecord({ value, verificationToken }: Domain): Promise<LookupResult> {
    return evaluateTxtAnswers(await this.txt.resolve(challengeNames(value)), verificationToken);
  }
}

/** Whether the domain would become theirs by it: then those count who hold it now. */
const isClaim = (domain: Domain, { verdict }: LookupResult): boolean => verdict === 'found' && !domain.verified;

const lookupStateOf = ({ verified, lookups, misses, lastMiss, nextLookup }: Domain): LookupState => ({
  verified,
  failedLookups: lookups,
  misses,
  lastMiss,
  next: nextLookup,
});
