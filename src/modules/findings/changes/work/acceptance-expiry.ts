import { Injectable } from '@nestjs/common';
import { Clock } from '../../../../kernel/clock';
import { UnitOfWork } from '../../../../platform/audit/unit-of-work';
import { system } from '../../../../platform/api/caller';
import { everything, type Scope } from '../../../../platform/api/scope';
import { TenantTurns } from '../../../../platform/work/tenant-turns';
import { Scheduled } from '../../../../platform/work/work-handler';
import { FindingsRepository } from '../data/findings.repository';
import { FINDING_STATUS } from '../../domain/finding-status';
import { FindingStatusWriter } from '../finding-status-writer';

const scope = everything('acceptances expire in all organizations');
const BATCH_SIZE = 100;

/** Ends accepted risks at their `until` date: the finding gets its previous status again. */
@Injectable()
export class AcceptanceExpiry {
  constructor(
    private readonly findings: FindingsRepository,
    private readonly statusWriter: FindingStatusWriter,
    private readonly unitOfWork: UnitOfWork,
    private readonly turns: TenantTurns,
    private readonly clock: Clock,
  ) {}

  @Scheduled({ name: 'finding.acceptance_expiry', everySeconds: 5 })
  async run(): Promise<void> {
    const now = this.clock.now();
    const due = (part: Scope) => this.findings.listExpiredAcceptances(part, now, BATCH_SIZE);
    while ((await this.turns.each('finding.acceptance_expiry', scope, due, ({ id }) => this.expire(id, now))) > 0);
  }

  private async expire(id: number, now: Date): Promise<void> {
    const description = {
      actor: system,
      operation: 'finding.acceptance_expire',
      resourceType: 'finding',
      resourceId: String(id),
    } as const;
    await this.unitOfWork.runIfDue(description, scope, () => this.restore(id, now));
  }

  /** Bypasses the transition table, which is for people and does not allow every way back. */
  private async restore(id: number, now: Date): Promise<true | undefined> {
    const finding = await this.findings.lockOne(scope, id);
    if (finding?.acceptedUntil == null || finding.acceptedUntil > now || finding.mergedInto !== null) return undefined;
    const { organizationId, status: from, previousStatus, acceptedUntil } = finding;
    const to = previousStatus ?? FINDING_STATUS.open;
    this.unitOfWork.note({ organizationId, metadata: { from, to, until: acceptedUntil.toISOString() } });
    await this.statusWriter.apply(system, finding, to, { comment: 'The acceptance has expired.' });
    return true;
  }
}
