import { createHash } from 'node:crypto';
import { type Envelope, ENVELOPE_TYPE, type StatedByCaller } from '../../../engine';
import { invalid } from '../../../kernel/domain-error';
import { Attachment, piecesOf } from '../../../platform/http/attachment';
import { TextWithRule } from '../../../platform/http/fields';

const DIGEST = /^sha256:[0-9a-f]{64}$/;

function requireDigest(text: string): void {
  if (!DIGEST.test(text)) throw invalid('must be sha256: and 64 lowercase hex digits');
}

/** The field with a claim of the caller, which no test confirms. */
export const ImageDigest = (when = ''): PropertyDecorator =>
  TextWithRule(
    requireDigest,
    { maxLength: 71, pattern: DIGEST.source },
    {
      optional: true,
      description: `${when}The digest of the image that you have deployed. It is signed as \`stated_by_caller\`, and not verified.`,
    },
  );

export const statedByCaller = (digest: string | undefined): StatedByCaller | null =>
  digest === undefined ? null : { image_digest: digest };

export function envelopeAttachment(envelope: Envelope, name: string): Attachment {
  const content = Buffer.from(JSON.stringify(envelope));
  const digest = createHash('sha256').update(content).digest('hex');
  return new Attachment({
    contentType: ENVELOPE_TYPE,
    name,
    size: content.length,
    digest,
    read: (range) => piecesOf(content, range),
  });
}
