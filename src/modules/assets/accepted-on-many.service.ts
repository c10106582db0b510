import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { notFound, unprocessable } from '../../kernel/domain-error';
import { orThrow } from '../../kernel/or-throw';
import { severityNumber } from '../../kernel/severity';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import type { Caller } from '../../platform/api/caller';
import { everything, type Scope } from '../../platform/api/scope';
import { SecondApproval } from '../approvals';
import { FindingLists, requireCheckId } from '../findings';
import { IdentityService } from '../identity';
import { OrganizationsService } from '../organizations';
import type { Acceptance, ProposedAcceptance } from './accepted-checks.service';
import { AssetsService } from './assets.service';
import type { AcceptedCheckOnMany } from './data/accepted-check-on-many.entity';
import { AcceptedChecksOnManyRepository } from './data/accepted-checks-on-many.repository';
import { requireEnd } from './domain/acceptance-rules';
import { acceptedCheckNotFound } from './domain/asset.errors';

export interface AcceptedCheckOnManyView {
  readonly accepted: AcceptedCheckOnMany;
  readonly isExpired: boolean;
}

export interface AcceptanceOfMany extends Acceptance {
  /** Only assets with this label; undefined for all. */
  readonly label?: string | undefined;
  readonly criticalFindings?: readonly number[] | undefined;
}

/** How many critical findings an acceptance may name. */
export const MAX_CRITICAL_FINDINGS = 100;
const MAX_ACCEPTED_OF_MANY = 200;
/** How many assets with a label a proposal remembers. */
const MAX_ASSETS = 10_000;

const scopeOfOrganization = everything('the organization was locked in the scope of the caller');

/** The checks that admins accept until a date on all assets of an organization, or on those with a label. */
@Injectable()
export class AcceptedChecksOnManyService implements OnModuleInit {
  constructor(
    private readonly organizations: OrganizationsService,
    private readonly assets: AssetsService,
    private readonly findings: FindingLists,
    private readonly identity: IdentityService,
    private readonly repository: AcceptedChecksOnManyRepository,
    private readonly approval: SecondApproval,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.approval.register<ProposedAcceptance & { label: string; critical_findings: number[] }>(
      'organization.accept_check',
      (proposer, { critical_findings: criticalFindings, ...of }, { organizationId }) =>
        this.accept(proposer, organizationId, of.check_id, { ...of, until: new Date(of.until), criticalFindings }),
    );
  }

  /** Also those that have expired. */
  async list(scope: Scope, organizationId: number): Promise<AcceptedCheckOnManyView[]> {
    const { id } = await this.organizations.get(scope, organizationId);
    return (await this.repository.list(scope, id)).map((accepted) => this.viewOf(accepted));
  }

  /** Accepts the check, or changes the acceptance for the same assets. */
  async accept(
    caller: Caller,
    organizationId: number,
    id: string,
    { reason, until, covers = 'findings', label = '', criticalFindings = [] }: AcceptanceOfMany,
  ): Promise<AcceptedCheckOnManyView> {
    const checkId = requireCheckId(id, 'check_id');
    const now = this.clock.now();
    requireEnd(until, now);
    await this.lockForAdmin(caller, organizationId, checkId, label);
    const all = await this.repository.list(scopeOfOrganization, organizationId);
    const earlier = all.find((one) => one.checkId === checkId && one.label === label);
    if (earlier === undefined && all.length >= MAX_ACCEPTED_OF_MANY) throw tooMany();
    if (covers === 'findings') await this.requireNamed(organizationId, checkId, criticalFindings);
    const stated = { check_id: checkId, label, reason, until: until.toISOString(), covers };
    await this.approval.require(caller.actor, {
      organizationId,
      kind: 'organization.accept_check',
      payload: { ...stated, critical_findings: criticalFindings },
      // A label may be added to further assets before it is confirmed.
      seen: [earlier?.acceptedAt ?? null, label === '' ? [] : await this.listAssets(organizationId, label)],
      summary: `Accept the check ${checkId} (${covers}) on ${label === '' ? 'all assets' : `all assets with the label ${label}`} until ${until.toISOString().slice(0, 10)}${criticalFindings.length === 0 ? '' : `, with the critical findings ${criticalFindings.join(', ')}`}. ${reason}`,
    });
    const { userId } = caller.facts;
    const names = await this.identity.displayNamesOfVisible([userId]);
    const accepted = {
      organizationId,
      checkId,
      label,
      reason: reason.trim(),
      covers,
      until,
      criticalFindings: [...criticalFindings],
      acceptedBy: orThrow(names.get(userId), () => notFound('User')),
      acceptedById: userId,
      acceptedAt: now,
    };
    await this.repository.save(accepted);
    this.unitOfWork.note({ metadata: { from: earlier === undefined ? null : noteOf(earlier), to: noteOf(accepted) } });
    return this.viewOf(accepted);
  }

  async remove(caller: Caller, organizationId: number, checkId: string, label = ''): Promise<void> {
    await this.lockForAdmin(caller, organizationId, checkId, label);
    const removed = await this.repository.remove(scopeOfOrganization, organizationId, checkId, label);
    this.unitOfWork.note({ metadata: { from: noteOf(orThrow(removed, acceptedCheckNotFound)), to: null } });
  }

  private listAssets(organizationId: number, label: string): Promise<number[]> {
    return this.assets.listIds(scopeOfOrganization, organizationId, label, MAX_ASSETS);
  }

  /** Whoever accepts a check on many assets has seen its critical findings. */
  private async requireNamed(organizationId: number, checkId: string, named: readonly number[]): Promise<void> {
    const { items } = await this.findings.list(
      scopeOfOrganization,
      organizationId,
      { checkId, isOpen: true, minSeverity: severityNumber('critical') },
      'newest',
      { page: 1, perPage: MAX_CRITICAL_FINDINGS + 1, isCounted: false },
    );
    const critical = new Set(items.map(({ id }) => id));
    const other = named.find((id) => !critical.has(id));
    if (other !== undefined) throw isNotCritical(other, checkId);
    const missing = [...critical].filter((id) => !named.includes(id));
    if (missing.length > 0) throw hasCritical(checkId, missing);
  }

  private async lockForAdmin(caller: Caller, organizationId: number, check: string, label: string): Promise<void> {
    const { id } = await this.organizations.lockForCounting(caller.scope, organizationId);
    this.unitOfWork.note({ organizationId: id, metadata: { check, label: label === '' ? null : label } });
    caller.requireRole('admin', id);
  }

  private viewOf(accepted: AcceptedCheckOnMany): AcceptedCheckOnManyView {
    return { accepted, isExpired: accepted.until <= this.clock.now() };
  }
}

const SHOWN = 5;

const hasCritical = (checkId: string, ids: readonly number[]) =>
  unprocessable(
    `critical_findings: the check ${checkId} has open findings that are at least critical: ${ids.slice(0, SHOWN).join(', ')}${ids.length > SHOWN ? ', …' : ''}. Fix them first, or name each of them.`,
  );

const isNotCritical = (id: number, checkId: string) =>
  unprocessable(`critical_findings: ${id} is no open finding of the check ${checkId} that is at least critical.`);

const tooMany = () =>
  unprocessable(
    `The organization has ${MAX_ACCEPTED_OF_MANY} checks that are accepted on many assets, which is the limit. Remove one first.`,
  );

const noteOf = ({ reason, until, covers, criticalFindings }: AcceptedCheckOnMany): object => ({
  reason,
  until: until.toISOString(),
  covers,
  critical_findings: criticalFindings,
});
