import { requireWebUrl } from '../../../kernel/web-url';

/** With https and nothing else: people follow it from the scope, in the trust that they have in that. As it was given. */
export function requireAttachmentUrl(text: string): string {
  requireWebUrl(text, 'attachment_url', ['https']);
  return text;
}
