import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { UnitOfWork } from '../../../platform/audit/unit-of-work';
import { system } from '../../../platform/api/caller';
import { everything } from '../../../platform/api/scope';
import { runEach } from '../../../platform/work/run-each';
import type { ScheduledTask } from '../../../platform/work/work-handler';
import { WorkRegistry } from '../../../platform/work/work-registry';
import { FindingsRepository } from '../data/findings.repository';
import { FINDING_STATUS } from '../domain/finding-status';
import { FindingStatusWriter } from '../finding-status-writer';

const scope = everything('an acceptance ends in whatever organization it is');
const batch = 100;

/** Acceptances of a risk that were given until a day end then: the status that the finding had before comes back. */
@Injectable()
export class AcceptanceExpiry implements ScheduledTask, OnModuleInit {
  readonly name = 'findings.acceptance_end';
  readonly everySeconds = 5;

  constructor(
    private readonly findings: FindingsRepository,
    private readonly statusWriter: FindingStatusWriter,
    private readonly unitOfWork: UnitOfWork,
    private readonly registry: WorkRegistry,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.registry.schedule(this);
  }

  async run(): Promise<void> {
    const now = this.clock.now();
    for (;;) {
      const due = await this.findings.listExpiredAcceptances(scope, now, batch);
      if (due.length === 0) return;
      await runEach(due, (id) => this.end(id, now));
    }
  }

  private async end(id: number, now: Date): Promise<void> {
    const description = {
      actor: system,
      operation: 'finding.acceptance_end',
      resourceType: 'finding',
      resourceId: String(id),
    } as const;
    await this.unitOfWork.runIfDue(description, scope, () => this.restore(id, now));
  }

  /** Not by the table of moves: that is for people, and knows no way from accepted back to in progress. */
  private async restore(id: number, now: Date): Promise<true | undefined> {
    const finding = await this.findings.lockOne(scope, id);
    if (finding?.acceptedUntil == null || finding.acceptedUntil > now) return undefined;
    const { organizationId, status: from, previousStatus, acceptedUntil } = finding;
    const to = previousStatus ?? FINDING_STATUS.open;
    this.unitOfWork.note({ organizationId, metadata: { from, to, until: acceptedUntil.toISOString() } });
    await this.statusWriter.apply(system, finding, to, { comment: 'The acceptance has ended.' });
    return true;
  }
}
