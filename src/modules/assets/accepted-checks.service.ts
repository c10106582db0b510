import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { notFound } from '../../kernel/domain-error';
import { inTurns } from '../../kernel/in-turns';
import { orThrow } from '../../kernel/or-throw';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import type { Caller } from '../../platform/api/caller';
import type { Scope } from '../../platform/api/scope';
import { FindingLists, type FindingOfBuiltInCheck, requireCheckId } from '../findings';
import { IdentityService } from '../identity';
import { AssetsService } from './assets.service';
import type { AcceptedCheck } from './data/accepted-check.entity';
import type { Asset } from './data/asset.entity';
import { type AcceptedCheckOfAsset, AcceptedChecksRepository } from './data/accepted-checks.repository';
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

const ERASED_PERSON = 'An erased user';

/** The checks that admins accept on an asset until a date: their findings, or their incompleteness, do not fail jobs. */
@Injectable()
export class AcceptedChecksService implements OnModuleInit {
  constructor(
    private readonly assets: AssetsService,
    private readonly findings: FindingLists,
    private readonly identity: IdentityService,
    private readonly repository: AcceptedChecksRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.findings.registerAcceptedChecks((organizationId, findings) => this.findForVisible(organizationId, findings));
  }

  /** Also those that have expired. */
  async list(scope: Scope, assetId: number): Promise<AcceptedCheckView[]> {
    const { id } = await this.assets.get(scope, assetId);
    return (await this.repository.listForVisible(id)).map((accepted) => this.viewOf(accepted));
  }

  /** Accepts the check, or changes the acceptance. */
  async accept(caller: Caller, assetId: number, id: string, acceptance: Acceptance): Promise<AcceptedCheckView> {
    const checkId = requireCheckId(id, 'check_id');
    const now = this.clock.now();
    requireEnd(acceptance.until, now);
    const { organizationId } = await this.lockForAdmin(caller, assetId, checkId);
    const earlier = await this.repository.findOneOfVisible(assetId, checkId);
    const { reason, until, covers = 'findings' } = acceptance;
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
  ): Promise<AcceptedChecks<AcceptedCheckOfAsset>> {
    const now = this.clock.now();
    return AcceptedChecks.of(await this.repository.listActiveOnHost(scope, organizationId, host, covers, now));
  }

  /** Those in effect now in the organizations of a scope. */
  listActive(scope: Scope, limit: number): Promise<AcceptedCheckOfAsset[]> {
    return this.repository.listActive(scope, this.clock.now(), limit);
  }

  /** For findings that the caller has read in scope. */
  private async findForVisible(
    organizationId: number,
    findings: readonly FindingOfBuiltInCheck[],
  ): Promise<ReadonlyMap<number, AcceptedCheckOfAsset>> {
    const checkIds = [...new Set(findings.map(({ checkId }) => checkId))];
    const active = await this.repository.listActiveForVisible(organizationId, checkIds, this.clock.now());
    if (active.length === 0) return new Map();
    const accepted = await AcceptedChecks.of(active);
    const found = new Map<number, AcceptedCheckOfAsset>();
    for await (const { id, checkId, location, beaconId } of inTurns(findings)) {
      const one = accepted.find(checkId, location, beaconId);
      if (one !== null) found.set(id, one);
    }
    return found;
  }

  /** The decisions of an erased user stay in effect, without the name. */
  forgetPerson(userId: number): Promise<number> {
    return this.repository.removeName(userId, ERASED_PERSON);
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
