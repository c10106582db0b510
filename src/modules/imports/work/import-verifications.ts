import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../platform/audit/unit-of-work';
import { system } from '../../../platform/api/caller';
import { everything, Scope } from '../../../platform/api/scope';
import { ScannedVerificationsService, type ScanTarget, testOfFinding } from '../../findings';
import { OrganizationsService } from '../../organizations';
import { RetestPermission } from '../../retests';
import type { BegunImport } from '../data/import.entity';
import { ImportsRepository } from '../data/imports.repository';
import { importAudit } from './import-audit';
import { ImportLostError } from './import-batches';

const scope = everything('a worker runs the imports of all organizations');

export const MAX_VERIFICATIONS = 500;

/** Of so many findings the launch rule is evaluated. */
const MAX_CANDIDATES = 2_000;

const OVER_LIMIT = `Only ${MAX_VERIFICATIONS} findings of an import are tested. Start a retest of this one.`;
const UNDONE = 'The import that asked for its test was undone.';

type Bound = Awaited<ReturnType<ScannedVerificationsService['listBound']>>[number];

/** After an import: asks for the initial verifications of its findings, the most severe first. */
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
    const bound = await this.verifications.listBound(target, MAX_CANDIDATES);
    if (bound.length === 0) return;
    const refused = new Map<string, number[]>();
    const allowed: Bound[] = [];
    for (const finding of bound) {
      signal.throwIfAborted();
      const reason = allowed.length < MAX_VERIFICATIONS ? await this.refusal(target, finding) : OVER_LIMIT;
      if (reason === null) allowed.push(finding);
      else refused.set(reason, [...(refused.get(reason) ?? []), finding.id]);
    }
    await this.perform(begun, 'import.verify', 'IN_PROGRESS', async () => {
      for (const [reason, ids] of refused)
        await this.verifications.saveUntestedReason(begun.organizationId, ids, reason);
      await this.verifications.request(target, allowed);
      await this.imports.addVerifiedLocked(
        begun.id,
        allowed.map(({ id }) => id),
      );
      this.unitOfWork.note({ metadata: { requested: allowed.length, untested: bound.length - allowed.length } });
    });
  }

  /** Before an import is undone. */
  async withdraw(begun: BegunImport): Promise<void> {
    const ids = await this.imports.listVerified(begun.id);
    if (ids.length === 0) return;
    await this.perform(begun, 'import.withdraw_tests', 'UNDOING', () =>
      this.verifications.withdraw(targetOf(begun), ids, UNDONE),
    );
  }

  private async refusal({ organizationId, eventId }: ScanTarget, finding: Bound): Promise<string | null> {
    const test = testOfFinding(finding);
    if (test === null) return 'This version of the service cannot run its check.';
    const { target } = test;
    const request = { organizationId, assetId: finding.assetId, eventId, target, waitsForBeacon: true };
    const launch = await this.permission.evaluate(Scope.organizations([organizationId]), request);
    return launch.launchable ? null : launch.reason;
  }

  private async perform(
    begun: BegunImport,
    operation: string,
    status: 'IN_PROGRESS' | 'UNDOING',
    work: () => Promise<void>,
  ): Promise<void> {
    const { organizationId } = begun;
    const description = importAudit(begun, operation, system);
    await this.unitOfWork.run(description, scope, async () => {
      await this.organizations.lockForShare(scope, organizationId);
      if (!(await this.imports.lockFor(begun, status))) throw new ImportLostError();
      await work();
    });
  }
}

const targetOf = ({ id, organizationId, eventId }: BegunImport): ScanTarget => ({
  importId: id,
  organizationId,
  eventId,
});
