import { invalid } from '../../../kernel/domain-error';
import { OneOf, Text } from '../../../platform/http/fields';
import { ImageDigest, statedByCaller } from '../../evidence';
import type { AttestationOrder } from '../retest-attestations.service';
import { type RetestResult, RESULTS_BY_HAND } from '../domain/retest-status';

export class GiveVerdictRequest {
  @OneOf(RESULTS_BY_HAND)
  result!: RetestResult;

  @Text(0, 2_000, { nullable: true, description: 'The reason for the verdict, stored with it.' })
  comment?: string | null;
}

export class RetestEvidenceQuery {
  @OneOf(['json', 'dsse'], {
    optional: true,
    description: 'By default json. dsse is an in-toto statement in a DSSE envelope.',
  })
  format: 'json' | 'dsse' = 'json';

  @ImageDigest('Only with format=dsse. ')
  image_digest?: string;
}

/** Undefined for the format json, which has no claims of the caller. */
export function attestationOrderOf({
  format,
  image_digest: digest,
}: RetestEvidenceQuery): AttestationOrder | undefined {
  if (format === 'dsse') return { stated: statedByCaller(digest) };
  if (digest !== undefined) throw invalid('image_digest is only for format=dsse.');
  return undefined;
}
