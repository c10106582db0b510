import { Injectable } from '@nestjs/common';
import { isRecord } from '../../../kernel/is-record';
import { everything } from '../../../platform/api/scope';
import { CheckLibrary } from '../../checks';
import { FindingsRepository } from '../changes/data/findings.repository';
import { type RecordedCheck, testOfFinding } from '../domain/check-definition';
import { severityOfScan } from '../domain/severity-of-finding';
import { RepeatedResultsService } from './repeated-results.service';
import type { SeenFinding } from './seen-finding';

const scope = everything('what a check has shown concerns the organization of the finding');

/**
 * Raises findings to the severity that a check of this service has shown: a built-in check or one of the library. Other YAML does
 * not count, because anybody may write it.
 */
@Injectable()
export class ProvedChecks {
  constructor(
    private readonly library: CheckLibrary,
    private readonly findings: FindingsRepository,
    private readonly repeated: RepeatedResultsService,
  ) {}

  async isOurs({ checkId, checkDefinition }: RecordedCheck): Promise<boolean> {
    if (checkId === null || !isRecord(checkDefinition) || checkDefinition['replay'] === true) return false;
    const { http } = checkDefinition;
    return http === undefined || (typeof http === 'string' && (await this.library.hasSource(checkId, http)));
  }

  /** Call it after a test of its check has confirmed a finding. */
  async raiseConfirmed(id: number): Promise<void> {
    const finding = await this.findings.findWithCheck(scope, id);
    const check = finding?.verification === 'confirmed' ? testOfFinding(finding)?.check : undefined;
    if (finding === undefined || check === undefined || !(await this.isOurs(finding))) return;
    const { severity, cvss: cvssVector } = check;
    await this.raise(finding.organizationId, id, severityOfScan({ severity, cvssVector }));
  }

  /** Whether the severity, or what is kept beside a pinned one, was lower. */
  raise(
    organizationId: number,
    findingId: number,
    { severity, score, cvssVector }: Pick<SeenFinding, 'severity' | 'score' | 'cvssVector'>,
  ): Promise<boolean> {
    const said = { severity, score, cvssVector, cve: null, otherCves: [], seenAt: null, isProof: true };
    return this.repeated.amend(organizationId, [{ ...said, findingId }]);
  }
}
