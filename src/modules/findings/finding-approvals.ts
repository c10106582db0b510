import { Injectable, type OnModuleInit } from '@nestjs/common';
import { SecondApproval } from '../approvals';
import type { MergePayload, StatusPayload } from './domain/approvable';
import { FindingsService } from './findings.service';
import { FindingMergesService } from './scans/finding-merges.service';

/** Makes the changes of findings that a second admin has confirmed. */
@Injectable()
export class FindingApprovals implements OnModuleInit {
  constructor(
    private readonly approval: SecondApproval,
    private readonly findings: FindingsService,
    private readonly merges: FindingMergesService,
  ) {}

  onModuleInit(): void {
    this.approval.register<StatusPayload>(
      'finding.status_update',
      async (proposer, { finding_id: id, until, ...change }, { second }) => {
        await this.findings.changeStatus(proposer, id, { ...change, until: until === null ? null : new Date(until) });
        const finding = await this.findings.lock(second.scope, id);
        await this.findings.note(second.actor, finding, 'Confirmed the change of its status.');
      },
    );
    this.approval.register<MergePayload>('finding.merge', (proposer, of) =>
      this.merges.merge(proposer, of.finding_id, of.finding_ids),
    );
  }
}
