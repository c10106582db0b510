import { Injectable } from '@nestjs/common';
import type { BegunImport } from '../data/import.entity';
import { ImportContradictions } from './import-contradictions';
import { ImportProposals } from './import-proposals';
import { ImportVerifications } from './import-verifications';
import { LibraryBinding } from './library-binding';
import { ProposalBinding } from './proposal-binding';

/**
 * The steps after the recording of an import: binds checks to its findings, proposes others, and requests initial verifications
 * and retests.
 */
@Injectable()
export class ImportTests {
  constructor(
    private readonly library: LibraryBinding,
    private readonly proposals: ImportProposals,
    private readonly binding: ProposalBinding,
    private readonly verifications: ImportVerifications,
    private readonly contradictions: ImportContradictions,
  ) {}

  async request(begun: BegunImport, signal: AbortSignal): Promise<void> {
    await this.library.bind(begun, signal);
    await this.proposals.collect(begun, signal);
    await this.binding.bindReplays(begun, signal);
    await this.verifications.request(begun, signal);
    await this.contradictions.retest(begun, signal);
  }

  /** Cancels the initial verifications that have not begun. */
  withdraw(begun: BegunImport): Promise<void> {
    return this.verifications.withdraw(begun);
  }

  withdrawApprovals(importId: number): Promise<void> {
    return this.binding.withdrawApprovals(importId);
  }
}
