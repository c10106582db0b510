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

  /** The ids of findings of an event that follow an id, from open to resolved. */
  listOfEventAfter(scope: Scope, eventId: number, after: number, limit: number): Promise<number[]> {
    return this.findings.listOfEventAfter(scope, eventId, after, limit);
  }
}
