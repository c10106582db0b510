import { Injectable } from '@nestjs/common';
import { Work } from '../../../platform/work/work';
import { type BoundFinding, ImportTestsRepository } from './data/import-tests.repository';
import { initialVerificationReference, INITIAL_VERIFICATION_KIND } from '../domain/initial-verification';
import { NO_CHECK, WAITING } from '../domain/verification';
import type { ScanTarget } from './scanned-findings.service';

/** Requests and counts the initial verifications of an import's findings. */
@Injectable()
export class ScannedVerificationsService {
  constructor(
    private readonly findings: ImportTestsRepository,
    private readonly work: Work,
  ) {}

  /** Findings of the import that a check can test, the most severe first. */
  listBound(
    { organizationId, importId }: ScanTarget,
    requested: readonly number[],
    limit: number,
  ): Promise<BoundFinding[]> {
    return this.findings.listBound(organizationId, importId, requested, limit);
  }

  /** Updates findings that `listBound` left out. Returns how many, at most `limit`. */
  saveMissingReason({ organizationId, importId }: ScanTarget, reason: string, limit: number): Promise<number> {
    return this.findings.saveMissingReason(organizationId, importId, reason, limit);
  }

  /** Why findings of the import whose tests it did not request were not tested. */
  async countUntested(
    { organizationId, importId }: ScanTarget,
    requested: readonly number[],
  ): Promise<{ reason: string; findings: number }[]> {
    const counted = await this.findings.countUntested(organizationId, importId, requested);
    return counted.map(({ reason, findings }) => ({ reason: reason ?? NO_CHECK, findings }));
  }

  saveUntestedReason(organizationId: number, ids: readonly number[], reason: string): Promise<void> {
    return this.findings.saveUntestedReason(organizationId, ids, reason);
  }

  /** Enqueues tests in the order of the findings. The worker evaluates the launch rule again. */
  async request({ organizationId, eventId }: ScanTarget, findings: readonly BoundFinding[]): Promise<void> {
    for (const { id, assetId, checkDefinition } of findings) {
      const reference = initialVerificationReference(id, eventId, checkDefinition);
      const owner = { organizationId, assetId: assetId ?? undefined, eventId: eventId ?? undefined };
      await this.work.enqueue({ kind: INITIAL_VERIFICATION_KIND, reference, ...owner });
    }
    await this.findings.saveUntestedReason(organizationId, idsOf(findings), WAITING);
  }

  /** Cancels the tests that have not ended. */
  async withdraw({ organizationId, eventId }: ScanTarget, ids: readonly number[], reason: string): Promise<void> {
    const findings = await this.findings.listWithCheck(organizationId, ids);
    const withdrawn: number[] = [];
    for (const { id, checkDefinition } of findings) {
      const reference = initialVerificationReference(id, eventId, checkDefinition);
      if (await this.work.cancel(INITIAL_VERIFICATION_KIND, reference)) withdrawn.push(id);
    }
    if (withdrawn.length > 0) await this.findings.saveUntestedReason(organizationId, withdrawn, reason);
  }
}

const idsOf = (findings: readonly BoundFinding[]): number[] => findings.map(({ id }) => id);
