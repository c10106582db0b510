import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { FindingsRepository } from '../changes/data/findings.repository';
import type { ScannedFinding } from '../data/finding.entity';
import { verificationWhenRecorded } from '../domain/verification';
import type { CheckOfFinding, RecordingTarget } from './seen-finding';

export const CHECK_REPLACED = 'The check was replaced by a later one with the same id.';

/** Stores the check with which a job or a person recorded a finding again. Those of imports replace none. */
@Injectable()
export class CheckReplacement {
  constructor(private readonly findings: FindingsRepository) {}

  /** The finding was read with its check. */
  async replace<F extends ScannedFinding>(finding: F, check: CheckOfFinding | null, target: RecordingTarget) {
    const definition = check?.checkDefinition ?? null;
    const checkReplaced = definition !== null && !isDeepStrictEqual(definition, finding.checkDefinition);
    // What was allowed was another check.
    const allowUnsafe = check?.allowUnsafe ?? (finding.allowUnsafe && !checkReplaced);
    if (definition !== null && (checkReplaced || allowUnsafe !== finding.allowUnsafe))
      await this.findings.saveCheckDefinition(finding.id, definition, allowUnsafe);
    const verification = verificationWhenRecorded(target, definition !== null, finding.assetId);
    if (verification !== null && (checkReplaced || verification.result === 'confirmed'))
      await this.findings.resetVerification(finding.id, verification, { checkReplaced });
    return { finding: { ...finding, allowUnsafe }, checkReplaced };
  }
}
