import { invalid } from '../../../kernel/domain-error';
import { OneOf, Text, TextWithRule } from '../../../platform/http/fields';
import type { AttestationOrder } from '../retest-attestations.service';
import { type RetestResult, RESULTS_BY_HAND } from '../domain/retest-status';

export class GiveVerdictRequest {
  @OneOf(RESULTS_BY_HAND)
  result!: RetestResult;

  @Text(0, 2_000, { nullable: true, description: 'The reason for the verdict, stored with it.' })
  comment?: string | null;
}

const DIGEST = /^sha256:[0-9a-f]{64}$/;

function requireDigest(text: string): void {
  if (!DIGEST.test(text)) throw invalid('must be sha256: and 64 lowercase hex digits');
}

export class RetestEvidenceQuery {
  @OneOf(['json', 'dsse'], {
    optional: true,
    description: 'By default json. dsse is an in-toto statement in a DSSE envelope.',
  })
  format: 'json' | 'dsse' = 'json';

  @TextWithRule(
    requireDigest,
    { maxLength: 71, pattern: DIGEST.source },
    {
      optional: true,
      description:
        'Only with format=dsse: the digest of the image that you have deployed. It is signed as `stated_by_caller`, and not verified.',
    },
  )
  image_digest?: string;
}

/** Undefined for the format json, which has no claims of the caller. */
export function attestationOrderOf({
  format,
  image_digest: digest,
}: RetestEvidenceQuery): AttestationOrder | undefined {
  if (format === 'dsse') return { stated: digest === undefined ? null : { image_digest: digest } };
  if (digest !== undefined) throw invalid('image_digest is only for format=dsse.');
  return undefined;
}
