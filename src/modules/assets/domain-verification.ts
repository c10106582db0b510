import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { system } from '../../platform/api/caller';
import type { Scope } from '../../platform/api/scope';
import type { Domain } from './data/domain.entity';
import { DomainsRepository, type Holder } from './data/domains.repository';
import { TxtResolver } from './dns/txt-resolver';
import { LOST, settle } from './domain/domain-holding';
import { afterLookup, type Lookups, unproved } from './domain/domain-lookups';
import { challengeNames, type Judgement, judgeTxtAnswers, type Verdict } from './domain/domain-proof';

export const lookupKind = 'domain.lookup';

/** What the DNS said, before anybody has written it down. */
export interface DomainLookup {
  readonly domainId: number;
  readonly judgement: Judgement;
  /** What those have still published who hold it, by the ids of their domains. */
  readonly holders: ReadonlyMap<number, Verdict>;
  /** Somebody asked for it, and did not just wait: the pauses begin anew. */
  readonly asked?: boolean;
}

/** More than this many at once are not asked about; those that are left out keep what they hold until the next look. */
const mostHolders = 20;

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
    const judgement = await this.judge(domain);
    const holders = isClaim(domain, judgement) ? await this.domains.listHolders(domain) : [];
    const verdicts = await Promise.all(
      holders.slice(0, mostHolders).map(async (holder) => [holder.id, await this.verdictOn(holder)] as const),
    );
    return { domainId: domain.id, judgement, holders: new Map(verdicts) };
  }

  /** Writes down what was found, in the current unit of work. Undefined if the domain has gone meanwhile. */
  async apply(scope: Scope, { domainId, judgement, holders, asked }: DomainLookup): Promise<Domain | undefined> {
    await this.domains.lockHolding(domainId);
    const domain = await this.domains.lockOne(scope, domainId);
    if (domain === undefined) return undefined;
    const standing = isClaim(domain, judgement) ? await this.domains.listHolders(domain) : [];
    const { verdict, reason } = settle(
      judgement,
      standing.map(({ id }) => holders.get(id)),
    );
    const now = this.clock.now();
    // Even if others stand in the way: somebody has proved it anew, and these no longer do.
    await this.takeFrom(
      standing.filter(({ id }) => holders.get(id) === 'absent'),
      now,
    );
    const known = lookupsOf(domain);
    const lookups = afterLookup(asked ? { ...known, inVain: 0 } : known, verdict, now);
    const metadata = { value: domain.value, result: verdict, from: domain.verified, to: lookups.verified };
    this.unitOfWork.note({ metadata });
    return this.domains.saveLookup(domainId, lookups, { at: now, result: reason });
  }

  private async takeFrom(holders: readonly Holder[], now: Date): Promise<void> {
    for (const holder of holders) {
      await this.domains.saveLookup(holder.id, unproved(now), { at: now, result: LOST });
      await this.unitOfWork.recordAside({
        actor: system,
        operation: 'domain.lose',
        resourceType: 'domain',
        resourceId: String(holder.id),
        organizationId: holder.organizationId,
        metadata: { value: holder.value, from: true, to: false },
      });
    }
  }

  private async verdictOn(holder: Holder): Promise<Verdict> {
    // What was deleted is nobody's any more, whatever its zone still says.
    return holder.ofDeleted ? 'absent' : (await this.judge(holder)).verdict;
  }

  private async judge({ value, verificationToken }: Domain): Promise<Judgement> {
    return judgeTxtAnswers(await this.txt.ask(challengeNames(value)), verificationToken);
  }
}

/** Whether the domain would become theirs by it: then those count who hold it now. */
const isClaim = (domain: Domain, { verdict }: Judgement): boolean => verdict === 'found' && !domain.verified;

const lookupsOf = ({ verified, lookups, misses, lastMiss, nextLookup }: Domain): Lookups => ({
  verified,
  inVain: lookups,
  misses,
  lastMiss,
  next: nextLookup,
});
