import { Injectable } from '@nestjs/common';
import { everything } from '../../../platform/api/scope';
import type { Claim } from '../../../platform/work/claim';
import { TenantTurns } from '../../../platform/work/tenant-turns';
import { Work } from '../../../platform/work/work';
import { type Completion, Scheduled, type WorkHandler, WorkKind } from '../../../platform/work/work-handler';
import { workAudit } from '../../../platform/work/work-audit';
import { DomainsRepository } from '../data/domains.repository';
import { type DomainLookup, DomainVerification, LOOKUP_KIND } from '../domain-verification';

const scope = everything('domains of all organizations are looked up');

/** Small, so that other work does not wait long when name servers do not answer. */
const BATCH_SIZE = 20;

/** The scheduled task enqueues the lookups that are due. Each lookup sets the time of the next one. */
@Injectable()
@WorkKind(LOOKUP_KIND)
export class DomainLookups implements WorkHandler {
  readonly isRepeatable = true;

  constructor(
    private readonly domains: DomainsRepository,
    private readonly verification: DomainVerification,
    private readonly work: Work,
    private readonly turns: TenantTurns,
  ) {}

  @Scheduled({ name: 'domain.lookups', everySeconds: 5 })
  async run(): Promise<void> {
    await this.turns.each(
      'domain.lookups',
      scope,
      (part) => this.domains.listDue(part, BATCH_SIZE),
      ({ id, organizationId }) => this.work.enqueue({ kind: LOOKUP_KIND, reference: String(id), organizationId }),
    );
  }

  async perform(claim: Claim): Promise<Completion> {
    const domain = await this.domains.findOne(scope, Number(claim.reference));
    return this.completion(claim, domain && (await this.verification.lookUp(domain)));
  }

  abandon(claim: Claim, error: string): Completion {
    const result = {
      verdict: 'unknown',
      reason: 'The lookup failed with an internal error. It is repeated automatically.',
    } as const;
    return this.completion(claim, { domainId: Number(claim.reference), result, owners: new Map() }, { error });
  }

  private completion(claim: Claim, lookup: DomainLookup | undefined, metadata?: Record<string, unknown>): Completion {
    return {
      audit: workAudit(claim, { operation: LOOKUP_KIND, resourceType: 'domain', metadata }),
      apply: async () => {
        if (lookup !== undefined) await this.verification.apply(scope, lookup);
      },
    };
  }
}
