import { invalid } from '../../../kernel/domain-error';

const MAX_LENGTH = 2048;

/** An https URL and nothing else: people follow it from the scope, in the trust that they have in that. */
export function requireAttachmentUrl(text: string): string {
  const isPlain =
    text.length <= MAX_LENGTH && /^https:\/\/[^/?#@\\]+(?:[/?#]|$)/i.test(text) && !/[\s\p{Cc}\\]/u.test(text);
  if (isPlain && URL.canParse(text)) return text;
  throw invalid(
    `attachment_url must be an https URL of at most ${MAX_LENGTH} characters, without user information, spaces or backslashes.`,
  );
}
