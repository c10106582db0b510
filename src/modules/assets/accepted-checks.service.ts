import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { notFound } from '../../kernel/domain-error';
import { inTurns } from '../../kernel/in-turns';
import { orThrow } from '../../kernel/or-throw';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import type { Caller } from '../../platform/api/caller';
import { severityOf } from '../../kernel/severity';
import { Scope } from '../../platform/api/scope';
import { SecondApproval } from '../approvals';
import { FindingLists, type FindingOfBuiltInCheck, requireCheckId } from '../findings';
import { IdentityService } from '../identity';
import { AssetsService } from './assets.service';
import type { AcceptedCheck } from './data/accepted-check.entity';
import type { Asset } from './data/asset.entity';
import { Acceptances } from './acceptances';
import type { ProposedLabels } from './asset-rules';
import { type AcceptedCheckOfAsset, AcceptedChecksRepository } from './data/accepted-checks.repository';
import { AcceptedChecksOnManyRepository } from './data/accepted-checks-on-many.repository';
import { type AcceptanceKind, endOf, kindOf, storedEnds } from './domain/acceptance-kinds';
import { AcceptedChecks } from './domain/accepted-checks';
import { requireEnd } from './domain/acceptance-rules';
import { acceptedCheckNotFound } from './domain/asset.errors';

/** An accepted check as it is presented. */
export interface AcceptedCheckView {
  readonly accepted: AcceptedCheck;
  readonly covers: AcceptanceKind;
  readonly until: Date;
  readonly isExpired: boolean;
}

export interface Acceptance {
  readonly reason: string;
  readonly until: Date;
  /** By default the findings of the check. */
  readonly covers?: AcceptanceKind;
}

/** As it waits for a second admin. */
export interface ProposedAcceptance extends Omit<Acceptance, 'until'> {
  readonly check_id: string;
  readonly until: string;
}

const ERASED_PERSON = 'An erased user';

/** The checks that admins accept on an asset until a date: their findings, or their incompleteness, do not fail jobs. */
@Injectable()
export class AcceptedChecksService implements OnModuleInit {
  constructor(
    private readonly assets: AssetsService,
    private readonly findings: FindingLists,
    private readonly identity: IdentityService,
    private readonly repository: AcceptedChecksRepository,
    private readonly many: AcceptedChecksOnManyRepository,
    private readonly approval: SecondApproval,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.approval.register<ProposedAcceptance & { asset_id: number }>('asset.accept_check', (proposer, of) =>
      this.accept(proposer, of.asset_id, of.check_id, { ...of, until: new Date(of.until) }),
    );
    this.approval.register<ProposedLabels>('asset.change', (proposer, { asset_id, labels }) =>
      this.assets.change(proposer, asset_id, { labels: [...labels] }),
    );
    this.findings.registerAcceptedChecks((organizationId, findings) => this.findForVisible(organizationId, findings));
  }

  /** Also those that have expired. */
  async list(scope: Scope, assetId: number): Promise<AcceptedCheckView[]> {
    const { id } = await this.assets.get(scope, assetId);
    return (await this.repository.listForVisible(id)).map((accepted) => this.viewOf(accepted));
  }

  /** The ids of those that are accepted on all assets or on those with a label, and apply to this one. */
  async checkIdsOfMany(scope: Scope, assetId: number): Promise<string[]> {
    const { labels, organizationId } = await this.assets.get(scope, assetId);
    const now = this.clock.now();
    const active = (await this.many.list(scope, organizationId)).filter(({ until }) => until > now);
    const applying = active.filter(({ label }) => label === '' || labels.includes(label));
    return [...new Set(applying.map(({ checkId }) => checkId))];
  }

  /** Accepts the check, or changes the acceptance. */
  async accept(caller: Caller, assetId: number, id: string, acceptance: Acceptance): Promise<AcceptedCheckView> {
    const checkId = requireCheckId(id, 'check_id');
    const now = this.clock.now();
    requireEnd(acceptance.until, now);
    const { organizationId, value: asset } = await this.lockForAdmin(caller, assetId, checkId);
    const earlier = await this.repository.findOneOfVisible(assetId, checkId);
    const { reason, until, covers = 'findings' } = acceptance;
    await this.approval.require(caller.actor, {
      organizationId,
      kind: 'asset.accept_check',
      payload: { asset_id: assetId, check_id: checkId, reason, until: until.toISOString(), covers },
      seen: earlier?.acceptedAt ?? null,
      summary: `Accept the check ${checkId} (${covers}) on ${asset} until ${until.toISOString().slice(0, 10)}. ${reason}`,
    });
    const { userId } = caller.facts;
    const names = await this.identity.displayNamesOfVisible([userId]);
    const acceptedBy = orThrow(names.get(userId), () => notFound('User'));
    const accepted = {
      assetId,
      checkId,
      organizationId,
      reason: reason.trim(),
      acceptedBy,
      acceptedById: userId,
      ...storedEnds(covers, until, now),
    };
    await this.repository.save(accepted);
    this.unitOfWork.note({ metadata: { from: earlier === undefined ? null : noteOf(earlier), to: noteOf(accepted) } });
    return this.viewOf(accepted);
  }

  async remove(caller: Caller, assetId: number, checkId: string): Promise<void> {
    await this.lockForAdmin(caller, assetId, checkId);
    const removed = orThrow(await this.repository.remove(assetId, checkId), acceptedCheckNotFound);
    this.unitOfWork.note({ metadata: { from: noteOf(removed), to: null } });
  }

  /** Those in effect now that may apply to a host. */
  async listActiveOnHost(
    scope: Scope,
    organizationId: number,
    host: string,
    covers: AcceptanceKind,
  ): Promise<Acceptances> {
    const now = this.clock.now();
    const single = await this.repository.listActiveOnHost(scope, organizationId, host, covers, now);
    return this.acceptancesWith(scope, single, covers);
  }

  /** Those of single assets that are in effect now in the organizations of a scope. */
  listActive(scope: Scope, limit: number): Promise<AcceptedCheckOfAsset[]> {
    return this.repository.listActive(scope, this.clock.now(), limit);
  }

  /** With those on many assets in the scope. */
  async acceptancesWith(
    scope: Scope,
    single: readonly AcceptedCheckOfAsset[],
    covers: AcceptanceKind = 'findings',
  ): Promise<Acceptances> {
    const many = await this.many.listActive(scope, covers, this.clock.now());
    return new Acceptances(await AcceptedChecks.of(single), many, (ids) => this.assets.listByIds(scope, ids));
  }

  /** For findings that the caller has read in scope. */
  private async findForVisible(
    organizationId: number,
    findings: readonly FindingOfBuiltInCheck[],
  ): Promise<ReadonlyMap<number, AcceptedCheckOfAsset>> {
    const checkIds = [...new Set(findings.map(({ checkId }) => checkId))];
    const active = await this.repository.listActiveForVisible(organizationId, checkIds, this.clock.now());
    const accepted = await this.acceptancesWith(Scope.organizations([organizationId]), active);
    if (accepted.checkIds.size === 0) return new Map();
    const found = new Map<number, AcceptedCheckOfAsset>();
    const places = findings.map(({ id, severity, checkId, ...place }) => ({
      ...place,
      check: checkId,
      finding: { id, severity: severityOf(severity) },
    }));
    await accepted.learn(places);
    for await (const place of inTurns(places)) {
      const one = accepted.find(place);
      if (one !== null) found.set(place.finding.id, one);
    }
    return found;
  }

  /** The decisions of an erased user stay in effect, without the name. */
  async forgetPerson(userId: number): Promise<number> {
    const ofAssets = await this.repository.removeName(userId, ERASED_PERSON);
    return ofAssets + (await this.many.removeName(userId, ERASED_PERSON));
  }

  /** The asset is not deleted before the transaction ends. */
  private async lockForAdmin(caller: Caller, assetId: number, checkId: string): Promise<Asset> {
    const asset = await this.assets.lockForKeyShare(caller.scope, assetId);
    this.unitOfWork.note({ organizationId: asset.organizationId, metadata: { asset: asset.value, check: checkId } });
    caller.requireRole('admin', asset.organizationId);
    return asset;
  }

  private viewOf(accepted: AcceptedCheck): AcceptedCheckView {
    const until = endOf(accepted);
    return { accepted, covers: kindOf(accepted), until, isExpired: until <= this.clock.now() };
  }
}

/** Without the e-mail address of the admin, because the audit log keeps its entries: the actor has the id. */
const noteOf = (accepted: AcceptedCheck): object => ({
  reason: accepted.reason,
  until: endOf(accepted).toISOString(),
  covers: kindOf(accepted),
});
