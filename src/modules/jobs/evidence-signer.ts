import { Injectable } from '@nestjs/common';
import {
  type Baseline,
  type Check,
  type SignedEvidence,
  signEvidence,
  type Target,
  type Verification,
} from '../../engine';
import { SigningKeysService } from './signing-keys.service';

/** Makes a retest a proof: what was seen, signed, so that it can be checked by whoever was not there. */
@Injectable()
export class EvidenceSigner {
  constructor(private readonly keys: SigningKeysService) {}

  async sign(
    subject: Readonly<Record<string, string | number | null>>,
    check: Check,
    target: Target,
    before: Baseline | null,
    verification: Verification,
  ): Promise<SignedEvidence> {
    return signEvidence(subject, check, target, before, verification, await this.keys.current());
  }
}
