import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { orThrow } from '../../kernel/or-throw';
import type { Page, Slice } from '../../kernel/page';
import { OwnerOf } from '../../platform/audit/resource-owners';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { type Caller, system } from '../../platform/api/caller';
import { everything, type Scope } from '../../platform/api/scope';
import { Transactions } from '../../platform/database/transactions';
import { Work } from '../../platform/work/work';
import { OrganizationsService } from '../organizations';
import { AssetsService } from './assets.service';
import type { Domain } from './data/domain.entity';
import { DomainsRepository } from './data/domains.repository';
import { domainNotFound } from './domain/domain.errors';
import { unverified } from './domain/domain-lookups';
import { registrableDomain, requireDomainName, selfAndParents } from './domain/domain-name';
import { newVerificationToken } from './domain/domain-proof';
import { DomainVerification, LOOKUP_KIND } from './domain-verification';

const ofWorker = everything('a worker looks up the domains of the jobs of all organizations');

export interface DomainDraft {
  readonly organizationId: number | null;
  readonly value: string;
}

@Injectable()
export class DomainsService {
  constructor(
    private readonly domains: DomainsRepository,
    private readonly verification: DomainVerification,
    private readonly assets: AssetsService,
    private readonly organizations: OrganizationsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly transactions: Transactions,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {}

  @OwnerOf('domain')
  async ownerOf(scope: Scope, id: string): Promise<number | undefined> {
    return (await this.domains.findOne(scope, Number(id)))?.organizationId;
  }

  async get(scope: Scope, organizationId: number, id: number): Promise<Domain> {
    return orThrow(await this.domains.findIn(scope, organizationId, id), domainNotFound);
  }

  async listFor(scope: Scope, organizationId: number, page: Page): Promise<Slice<Domain>> {
    await this.organizations.get(scope, organizationId);
    return this.domains.listFor(scope, organizationId, page);
  }

  /** Those that are not verified, or that will lose their verification if the next lookups do not find the record. */
  listUnproven(scope: Scope, organizationId: number, page: Page): Promise<Slice<Domain>> {
    return this.domains.listUnproven(scope, organizationId, page);
  }

  /** Whether the organization has verified a domain that covers this host. */
  isVerifiedFor(organizationId: number, host: string): Promise<boolean> {
    return this.domains.isAnyVerified(organizationId, selfAndParents(host));
  }

  /** The organizations that have verified a domain which covers this host. */
  listOwnersOf(host: string): Promise<number[]> {
    return this.domains.listOrganizationsWithVerified(selfAndParents(host));
  }

  /** Those of the hosts that a verified domain of the organization covers. */
  async verifiedAmong(organizationId: number, hosts: readonly string[]): Promise<ReadonlySet<string>> {
    const names = [...new Set(hosts.flatMap(selfAndParents))];
    const verified = new Set(await this.domains.listVerifiedAmong(organizationId, names));
    return new Set(hosts.filter((host) => selfAndParents(host).some((name) => verified.has(name))));
  }

  /**
   * Looks up the record of each verified domain that covers the host, until one is found, and saves what was found. Says why
   * there is none, and what to do; null if there is one. Uses the network, so never call it inside a transaction.
   */
  async missingProof(organizationId: number, host: string): Promise<string | null> {
    const domains = await this.domains.listVerifiedOf(organizationId, selfAndParents(host));
    let missing = `The domain of ${host} is not verified: add it to your domains and publish its TXT record.`;
    for (const domain of domains) {
      const lookup = await this.verification.lookUp(domain);
      const entry = { operation: LOOKUP_KIND, resourceType: 'domain', resourceId: String(domain.id) } as const;
      await this.unitOfWork.run({ actor: system, organizationId, ...entry }, ofWorker, async () => {
        await this.verification.apply(ofWorker, lookup);
      });
      if (lookup.result.verdict === 'found') return null;
      missing = `The record that proves ${domain.value} was not found: ${lookup.result.reason} Publish it again.`;
    }
    return missing;
  }

  async create(caller: Caller, draft: DomainDraft): Promise<{ id: number; organizationId: number }> {
    const value = requireDomainName(draft.value, 'value');
    const organization = await this.organizations.resolve(caller.scope, draft.organizationId);
    const organizationId = organization.id;
    this.unitOfWork.note({ organizationId });
    caller.requireRole('member', organizationId);
    await this.assets.lockForAdding(caller.scope, organization);
    const id = await this.domains.save({
      organizationId,
      value,
      registrable: registrableDomain(value) ?? value,
      verificationToken: newVerificationToken(),
      nextLookup: unverified(this.clock.now()).next,
    });
    await this.assets.addForDomain(organization, value);
    this.unitOfWork.note({ resourceId: String(id), metadata: { value } });
    return { id, organizationId };
  }

  /**
   * Looks up the record now. The network takes time, so the lookup runs outside the transaction of the unit of work,
   * which takes no database connection before it saves the result.
   */
  async verify(caller: Caller, organizationId: number, id: number): Promise<Domain> {
    const lookup = await this.transactions.outside(async () => {
      const domain = await this.get(caller.scope, organizationId, id);
      this.unitOfWork.note({ organizationId });
      caller.requireRole('member', organizationId);
      return this.verification.lookUp(domain);
    });
    return orThrow(await this.verification.apply(caller.scope, { ...lookup, requestedByUser: true }), domainNotFound);
  }

  /** Cancels the lookup before it locks the domain: a worker that ends a lookup takes the same order. */
  async delete(caller: Caller, organizationId: number, id: number): Promise<void> {
    const { value } = await this.get(caller.scope, organizationId, id);
    this.unitOfWork.note({ organizationId, metadata: { value } });
    caller.requireRole('admin', organizationId);
    await this.work.cancel(LOOKUP_KIND, String(id));
    const { verified } = orThrow(await this.domains.lockIn(caller.scope, organizationId, id), domainNotFound);
    await this.unitOfWork.checkCondition();
    this.unitOfWork.note({ metadata: { verified } });
    await this.domains.remove(id);
  }
}
