import { Injectable } from '@nestjs/common';
import type { Scope } from '../../../platform/api/scope';
import { RetestSelectionRepository, type FindingsToRetest } from './data/retest-selection.repository';

/** Selects findings for retests and bulk changes. */
@Injectable()
export class RetestSelection {
  constructor(private readonly findings: RetestSelectionRepository) {}

  /** The ids of findings with a check, the most severe first. */
  listToRetest(scope: Scope, wanted: FindingsToRetest, limit: number): Promise<number[]> {
    return this.findings.listToRetest(scope, wanted, limit);
  }

  /** The ids of the open and resolved findings of an event that follow an id. */
  listOfEventAfter(scope: Scope, eventId: number, after: number, limit: number): Promise<number[]> {
    return this.findings.listOfEventAfter(scope, eventId, after, limit);
  }
}
