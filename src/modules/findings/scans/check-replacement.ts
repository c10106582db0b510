import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { FindingsRepository } from '../changes/data/findings.repository';
import type { ScannedFinding } from '../data/finding.entity';
import { refusalOfCheck } from '../domain/check-definition';
import { verificationWhenRecorded } from '../domain/verification';
import { ProvedChecks } from './proved-checks';
import type { CheckOfFinding, RecordingTarget } from './seen-finding';

export const CHECK_REPLACED = 'The check was replaced by a later one with the same id.';

/** Stores the check with which a job or a person recorded a finding again. Checks from imports do not replace any. */
@Injectable()
export class CheckReplacement {
  constructor(
    private readonly findings: FindingsRepository,
    private readonly proved: ProvedChecks,
  ) {}

  /** The finding was read with its check. */
  async replace<F extends ScannedFinding>(finding: F, check: CheckOfFinding | null, target: RecordingTarget) {
    const definition = check?.checkDefinition ?? null;
    const isOther = definition !== null && !isDeepStrictEqual(definition, finding.checkDefinition);
    if (isOther && (await this.isKept(finding, check, target)))
      return { finding, checkReplaced: false, checkKept: true };
    const checkReplaced = isOther;
    // The permission was for the previous check.
    const allowUnsafe = check?.allowUnsafe ?? (finding.allowUnsafe && !checkReplaced);
    if (definition !== null && (checkReplaced || allowUnsafe !== finding.allowUnsafe))
      await this.findings.saveCheckDefinition(finding.id, definition, allowUnsafe);
    const verification = verificationWhenRecorded(target, definition !== null, finding.assetId);
    const known = { ...finding, allowUnsafe };
    if (verification === null || (!checkReplaced && verification.result !== 'confirmed'))
      return { finding: known, checkReplaced, checkKept: false };
    await this.findings.resetVerification(finding.id, verification, { checkReplaced });
    return { finding: { ...known, verification: verification.result }, checkReplaced, checkKept: false };
  }

  /**
   * A check that has shown the weakness also decides whether it is gone, while this version can run it. A check of this service
   * is replaced only by a job with another such check, any other only by jobs and admins. Otherwise a member could write a check
   * that shows a fix.
   */
  private async isKept(finding: ScannedFinding, check: CheckOfFinding | null, target: RecordingTarget) {
    const { checkId, checkDefinition, verification } = finding;
    const known = { checkId, checkDefinition };
    if (verification !== 'confirmed' || refusalOfCheck(known) !== null) return false;
    const isOfJob = target.jobUuid !== null;
    if (!(await this.proved.isOurs(known))) return !isOfJob && target.isByAdmin !== true;
    return !isOfJob || check === null || !(await this.proved.isOurs(check));
  }
}
