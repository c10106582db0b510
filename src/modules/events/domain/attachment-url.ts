import { requireWebUrl } from '../../../kernel/web-url';

/** Only https, because people trust the links in a scope. The text is stored unchanged. */
export function requireAttachmentUrl(text: string): string {
  requireWebUrl(text, 'attachment_url', ['https']);
  return text;
}
