import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { DAY_MS } from '../../../kernel/durations';
import { system } from '../../../platform/api/caller';
import { everything, type Scope } from '../../../platform/api/scope';
import { UnitOfWork } from '../../../platform/audit/unit-of-work';
import { TenantTurns } from '../../../platform/work/tenant-turns';
import { Scheduled } from '../../../platform/work/work-handler';
import type { Approval } from '../data/approval.entity';
import { ApprovalsRepository } from '../data/approvals.repository';

const scope = everything('approvals expire in all organizations');
const BATCH_SIZE = 100;
/** The audit log has them longer. */
const KEPT_MS = 365 * DAY_MS;

/** Ends proposals that nobody decided about, and removes those that were decided about long ago. */
@Injectable()
export class ApprovalExpiry {
  constructor(
    private readonly repository: ApprovalsRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly turns: TenantTurns,
    private readonly clock: Clock,
  ) {}

  @Scheduled({ name: 'approval.expiry', everySeconds: 60 })
  async run(): Promise<void> {
    const now = this.clock.now();
    const due = (part: Scope) => this.repository.listExpired(part, now, BATCH_SIZE);
    while ((await this.turns.each('approval.expiry', scope, due, (one) => this.expire(one, now))) > 0);
    const before = new Date(now.getTime() - KEPT_MS);
    await this.turns.sweep('approval.expiry:removal', scope, (part) =>
      this.repository.removeBefore(part, before, BATCH_SIZE),
    );
  }

  private async expire({ id, organizationId }: Approval, now: Date): Promise<void> {
    const entry = { operation: 'approval.expire', resourceType: 'approval', resourceId: String(id) } as const;
    await this.unitOfWork.runIfDue({ actor: system, ...entry, organizationId }, scope, async () => {
      const approval = await this.repository.lockOne(scope, organizationId, id);
      if (approval?.status !== 'pending') return undefined;
      await this.repository.saveDecision(approval, {
        status: 'expired',
        decidedBy: null,
        decidedAt: now,
        reason: null,
      });
      return true;
    });
  }
}
