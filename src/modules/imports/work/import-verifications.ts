import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../platform/audit/unit-of-work';
import { system } from '../../../platform/api/caller';
import { everything, Scope } from '../../../platform/api/scope';
import { ScannedVerificationsService, type ScanTarget, testOfFinding, whyNotRun } from '../../findings';
import { OrganizationsService } from '../../organizations';
import { RetestPermission } from '../../retests';
import type { BegunImport } from '../data/import.entity';
import { ImportsRepository } from '../data/imports.repository';
import { importAudit } from './import-audit';
import { ImportLostError } from './import-batches';

const scope = everything('a worker runs the imports of all organizations');

export const MAX_VERIFICATIONS = 500;

/** The launch rule is evaluated for at most this many findings. */
const MAX_CANDIDATES = 2_000;

const OVER_LIMIT = `Only ${MAX_VERIFICATIONS} findings of an import are tested. Start a retest of this one.`;
const NOT_CONSIDERED = `Only the ${MAX_CANDIDATES.toLocaleString('en')} most severe findings of an import that a check can test are considered. Start a retest of this one.`;
const OTHER_REASONS = 'Other reasons: each finding says why.';

const MAX_REASONS = 10;
const REASON_BATCH = 1_000;

/** How many more tests an import may ask for. */
const leftAfter = (requested: number): number => Math.max(0, MAX_VERIFICATIONS - requested);

const UNDONE = 'The import that asked for its test was undone.';

type Bound = Awaited<ReturnType<ScannedVerificationsService['listBound']>>[number];

/** After an import, requests the initial verifications of its findings, the most severe first. */
@Injectable()
export class ImportVerifications {
  constructor(
    private readonly imports: ImportsRepository,
    private readonly verifications: ScannedVerificationsService,
    private readonly permission: RetestPermission,
    private readonly organizations: OrganizationsService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async request(begun: BegunImport, signal: AbortSignal): Promise<void> {
    if (begun.dryRun) return;
    const target = targetOf(begun);
    const requested = await this.imports.listVerified(begun.id);
    const left = leftAfter(requested.length);
    const bound = await this.verifications.listBound(target, requested, MAX_CANDIDATES);
    if (bound.length > 0) await this.requestSome(begun, bound, left, signal);
    while (bound.length === MAX_CANDIDATES && (await this.explainRest(begun, target)) === REASON_BATCH)
      signal.throwIfAborted();
    await this.summarize(begun, target);
  }

  /** Another worker may request tests of the same import meanwhile, so the limit is checked while the import is locked. */
  private async requestSome(
    begun: BegunImport,
    bound: readonly Bound[],
    left: number,
    signal: AbortSignal,
  ): Promise<void> {
    const target = targetOf(begun);
    const refused = new Map<string, number[]>();
    const allowed: Bound[] = [];
    for (const finding of bound) {
      signal.throwIfAborted();
      const reason = allowed.length < left ? await this.refusal(target, finding) : OVER_LIMIT;
      if (reason === null) allowed.push(finding);
      else refused.set(reason, [...(refused.get(reason) ?? []), finding.id]);
    }
    await this.perform(begun, 'import.verify', async () => {
      const requested = new Set(await this.imports.listVerified(begun.id));
      const others = allowed.filter(({ id }) => !requested.has(id));
      const asked = others.slice(0, leftAfter(requested.size));
      const overLimit = others.slice(asked.length).map(({ id }) => id);
      for (const [reason, ids] of [...refused, [OVER_LIMIT, overLimit] as const])
        if (ids.length > 0) await this.verifications.saveUntestedReason(begun.organizationId, ids, reason);
      await this.verifications.request(target, asked);
      await this.imports.addVerifiedLocked(
        begun.id,
        asked.map(({ id }) => id),
      );
      this.unitOfWork.note({ metadata: { requested: asked.length, untested: bound.length - asked.length } });
    });
  }

  /** Stores the reason of findings for which the launch rule was not evaluated. */
  private async explainRest(begun: BegunImport, target: ScanTarget): Promise<number> {
    let explained = 0;
    await this.perform(begun, 'import.verify', async () => {
      explained = await this.verifications.saveMissingReason(target, NOT_CONSIDERED, REASON_BATCH);
      this.unitOfWork.note({ metadata: { untested: explained } });
    });
    return explained;
  }

  private async summarize(begun: BegunImport, target: ScanTarget): Promise<void> {
    const counted = await this.verifications.countUntested(target, await this.imports.listVerified(begun.id));
    const others = counted.slice(MAX_REASONS).reduce((sum, { findings }) => sum + findings, 0);
    const reasons = counted.slice(0, MAX_REASONS);
    await this.imports.saveUntested(begun.id, [
      ...reasons,
      ...(others > 0 ? [{ reason: OTHER_REASONS, findings: others }] : []),
    ]);
  }

  /** Call it before the import is undone. */
  async withdraw(begun: BegunImport): Promise<void> {
    const ids = await this.imports.listVerified(begun.id);
    if (ids.length === 0) return;
    await this.perform(begun, 'import.withdraw_tests', () => this.verifications.withdraw(targetOf(begun), ids, UNDONE));
  }

  private async refusal({ organizationId, eventId }: ScanTarget, finding: Bound): Promise<string | null> {
    const test = testOfFinding(finding);
    if (test === null) return whyNotRun(finding);
    const { target, check } = test;
    const request = {
      organizationId,
      assetId: finding.assetId,
      eventId,
      target,
      check,
      repeats: null,
      waitsForBeacon: true,
      accountId: null,
    };
    const launch = await this.permission.evaluate(Scope.organizations([organizationId]), request);
    return launch.launchable ? null : launch.reason;
  }

  private async perform(begun: BegunImport, operation: string, work: () => Promise<void>): Promise<void> {
    const { organizationId } = begun;
    const description = importAudit(begun, operation, system);
    await this.unitOfWork.run(description, scope, async () => {
      await this.organizations.lockForShare(scope, organizationId);
      if (!(await this.imports.lockFor(begun, begun.status))) throw new ImportLostError();
      await work();
    });
  }
}

const targetOf = ({ id, organizationId, eventId }: BegunImport): ScanTarget => ({
  importId: id,
  organizationId,
  eventId,
});
