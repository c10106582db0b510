import { Injectable } from '@nestjs/common';
import type { Scope } from '../../../platform/api/scope';
import { RetestSelectionRepository, type FindingsToRetest } from './data/retest-selection.repository';

/** Findings that something is done with at once. */
@Injectable()
export class RetestSelection {
  constructor(private readonly findings: RetestSelectionRepository) {}

  /** The ids of findings with a check, the worst first. */
  listToRetest(scope: Scope, wanted: FindingsToRetest, limit: number): Promise<number[]> {
    return this.findings.listToRetest(scope, wanted, limit);
  }
}
