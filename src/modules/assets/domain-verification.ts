import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { system } from '../../platform/api/caller';
import type { Scope } from '../../platform/api/scope';
import type { Domain } from './data/domain.entity';
import { DomainsRepository, type VerifiedOwner } from './data/domains.repository';
import { ObservationPlansRepository } from './data/observation-plans.repository';
import { TxtResolver } from './dns/txt-resolver';
import { OWNERSHIP_LOST, resolveOwnership } from './domain/domain-ownership';
import { afterLookup, type LookupState, unverified } from './domain/domain-lookups';
import { challengeNames, type LookupResult, evaluateTxtAnswers, type LookupVerdict } from './domain/domain-proof';

export const LOOKUP_KIND = 'domain.lookup';

/** The result of a lookup that is not saved yet. */
export interface DomainLookup {
  readonly domainId: number;
  readonly result: LookupResult;
  /** The verdicts on the domains of the current owners, by domain id. */
  readonly owners: ReadonlyMap<number, LookupVerdict>;
  /** A person requested the lookup, so the pauses start again with the shortest. */
  readonly requestedByUser?: boolean;
}

/** Looks up the records of at most this many owners. The others keep their domains until the next lookup. */
const MAX_OWNERS = 20;

/** Verifies domains in two steps: the DNS lookup, and the changes that follow from it. */
@Injectable()
export class DomainVerification {
  constructor(
    private readonly domains: DomainsRepository,
    private readonly plans: ObservationPlansRepository,
    private readonly txt: TxtResolver,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Uses the network, so never call it inside a transaction. */
  async lookUp(domain: Domain): Promise<DomainLookup> {
    const result = await this.evaluateRecord(domain);
    const owners = isClaim(domain, result) ? await this.domains.listVerifiedOwners(domain) : [];
    const verdicts = await Promise.all(
      owners.slice(0, MAX_OWNERS).map(async (owner) => [owner.id, await this.verdictOn(owner)] as const),
    );
    return { domainId: domain.id, result, owners: new Map(verdicts) };
  }

  /** Saves the result in the current unit of work. Returns undefined if the domain was deleted in the meantime. */
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
    // Also if other owners remain: the owners without a record have lost their claim.
    await this.revokeOwnership(
      currentOwners.filter(({ id }) => owners.get(id) === 'absent'),
      now,
    );
    const state = lookupStateOf(domain);
    const lookups = afterLookup(requestedByUser ? { ...state, failedLookups: 0 } : state, verdict, now);
    if (lookups.verified && !domain.verified) await this.plans.planFirstBelow(domain, now);
    const metadata = { value: domain.value, result: verdict, from: domain.verified, to: lookups.verified };
    this.unitOfWork.note({ metadata });
    return this.domains.saveLookup(domainId, lookups, { at: now, result: reason });
  }

  private async revokeOwnership(owners: readonly VerifiedOwner[], now: Date): Promise<void> {
    for (const owner of owners) {
      await this.domains.saveLookup(owner.id, unverified(now), { at: now, result: OWNERSHIP_LOST });
      await this.unitOfWork.recordSeparately({
        actor: system,
        operation: 'domain.unverify',
        resourceType: 'domain',
        resourceId: String(owner.id),
        organizationId: owner.organizationId,
        metadata: { value: owner.value, from: true, to: false },
      });
    }
  }

  private async verdictOn(owner: VerifiedOwner): Promise<LookupVerdict> {
    // A deleted organization owns nothing, even if its record still exists.
    return owner.ofDeleted ? 'absent' : (await this.evaluateRecord(owner)).verdict;
  }

  private async evaluateRecord({ value, verificationToken }: Domain): Promise<LookupResult> {
    return evaluateTxtAnswers(await this.txt.resolve(challengeNames(value)), verificationToken);
  }
}

/** Whether the lookup would verify an unverified domain. Then the current owners matter. */
const isClaim = (domain: Domain, { verdict }: LookupResult): boolean => verdict === 'found' && !domain.verified;

const lookupStateOf = ({ verified, lookups, misses, lastMiss, nextLookup }: Domain): LookupState => ({
  verified,
  failedLookups: lookups,
  misses,
  lastMiss,
  next: nextLookup,
});
