import { invalid } from '../../../kernel/domain-error';

export const MAX_EMAIL_LENGTH = 254;

/** Printable ASCII, so that no two addresses look the same and folding makes none longer. */
export const EMAIL_PATTERN = '^[!-?A-~]+@[!-?A-~]+$';
const EMAIL = new RegExp(EMAIL_PATTERN);

export function requireEmail(text: string): void {
  if (!EMAIL.test(text)) throw invalid('email must be an e-mail address, such as olga@example.com.');
}
