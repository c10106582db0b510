import { Injectable, type OnModuleInit } from '@nestjs/common';
import { SecondApproval } from '../approvals';
import { BaselinesService } from './baselines.service';
import type { RetestResult } from './domain/retest-status';
import { RefusalSetting } from './refusal-setting.service';
import { RetestsService } from './retests.service';

interface OfRetest {
  readonly finding_id: number;
  readonly retest: string;
}

/** Makes the statements about tests that a second admin has confirmed. */
@Injectable()
export class RetestApprovals implements OnModuleInit {
  constructor(
    private readonly approval: SecondApproval,
    private readonly retests: RetestsService,
    private readonly baselines: BaselinesService,
    private readonly refusals: RefusalSetting,
  ) {}

  onModuleInit(): void {
    const { approval, retests, baselines } = this;
    approval.register<OfRetest & { result: RetestResult; comment: string | null }>('retest.verdict', (proposer, of) =>
      retests.giveVerdict(proposer, of.finding_id, of),
    );
    approval.register<OfRetest>('finding.confirm_baseline', (proposer, of) =>
      baselines.confirm(proposer, of.finding_id, of.retest),
    );
    approval.register<OfRetest & { reason: string; all: boolean }>('finding.confirm_refusal', (proposer, of) =>
      baselines.confirmRefusal(proposer, of.finding_id, { ...of, isForOrigin: of.all }),
    );
    approval.register('settings.refusals_change', (proposer, _of, { organizationId }) =>
      this.refusals.change(proposer, organizationId, true),
    );
  }
}
