import { Attachment } from '../../../platform/http/attachment';
import type { OrganizationLogo } from '../data/organization-logo.entity';

/** A logo as a download. A browser that opens it runs nothing in it. */
export const presentLogo = ({ mediaType, content, sha256 }: OrganizationLogo): Attachment =>
  new Attachment({
    contentType: mediaType,
    name: mediaType === 'image/png' ? 'logo.png' : 'logo.jpg',
    size: content.length,
    digest: sha256.toString('hex'),
    headers: { 'Content-Security-Policy': "sandbox; default-src 'none'" },
    async *read({ from, to }) {
      yield content.subarray(from, to + 1);
    },
  });
