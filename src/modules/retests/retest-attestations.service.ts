import { Injectable } from '@nestjs/common';
import { attestEvidence, type Envelope, type SignedEvidence, type StatedByCaller } from '../../engine';
import type { Scope } from '../../platform/api/scope';
import { SigningKeysService } from '../evidence';
import type { Retest } from './data/retest.entity';
import { notAttested } from './domain/retest.errors';
import { RetestsService } from './retests.service';

export interface AttestationOrder {
  readonly stated: StatedByCaller | null;
}

export interface RetestEvidence {
  readonly retest: Retest;
  readonly evidence: SignedEvidence | null;
  /** Only if it was ordered. */
  readonly envelope?: Envelope;
}

/** The evidence of a retest, as it is stored or as a statement that other tools verify. */
@Injectable()
export class RetestAttestations {
  constructor(
    private readonly retests: RetestsService,
    private readonly keys: SigningKeysService,
  ) {}

  async evidence(scope: Scope, findingId: number, order: AttestationOrder | undefined): Promise<RetestEvidence> {
    const stored = await this.retests.evidence(scope, findingId);
    if (order === undefined) return stored;
    if (stored.evidence === null) throw notAttested('nothing_signed');
    const key = await this.keys.find();
    if (key === undefined) throw notAttested('other_key');
    const attested = attestEvidence(stored.evidence, order.stated, key);
    if ('refused' in attested) throw notAttested(attested.refused);
    return { ...stored, envelope: attested.envelope };
  }
}
