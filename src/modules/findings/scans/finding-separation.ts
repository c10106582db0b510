import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { dayOf } from '../../../kernel/day';
import { FindingSlaRepository } from '../changes/data/finding-sla.repository';
import type { ScannedFinding } from '../data/finding.entity';
import { isOpen, statusWhenSeen } from '../domain/finding-status';
import { defaultSla, dueDateOfFinding, type Sla } from '../domain/sla';
import { MergedFindingsRepository } from './data/merged-findings.repository';

interface SeparatedFinding {
  readonly part: ScannedFinding;
  readonly after: ScannedFinding;
}

/** What becomes of findings that are separated from the one that they were merged into. */
@Injectable()
export class FindingSeparation {
  constructor(
    private readonly merged: MergedFindingsRepository,
    private readonly slas: FindingSlaRepository,
    private readonly clock: Clock,
  ) {}

  async save(organizationId: number, parts: readonly ScannedFinding[]): Promise<SeparatedFinding[]> {
    const sla = (await this.slas.findOfVisible(organizationId)) ?? defaultSla;
    const separated: SeparatedFinding[] = [];
    for (const part of parts) {
      const after = await this.afterSeparation(part, sla);
      await this.merged.saveSeparated(after);
      separated.push({ part, after });
    }
    return separated;
  }

  /** Its due date follows the SLA of today, which has not moved it while it was merged. */
  private async afterSeparation(part: ScannedFinding, sla: Sla): Promise<ScannedFinding> {
    const isReopened = await this.wasSeenAgain(part);
    const separated = isReopened
      ? {
          ...part,
          status: statusWhenSeen(part.status),
          previousStatus: part.status,
          deadlineStart: dayOf(this.clock.now()),
        }
      : part;
    return isOpen(separated.status) ? { ...separated, dueDate: dueDateOfFinding(sla, separated) } : separated;
  }

  /** Since it was resolved. */
  private async wasSeenAgain({ id, status }: ScannedFinding): Promise<boolean> {
    if (statusWhenSeen(status) === status) return false;
    const [seenAt, resolved] = await Promise.all([this.merged.findLastSeen(id), this.merged.listResolved([id])]);
    const resolvedAt = resolved.get(id);
    return seenAt !== null && (resolvedAt === undefined || seenAt > resolvedAt);
  }
}
