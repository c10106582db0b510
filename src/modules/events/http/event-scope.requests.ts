import { Flag, Id, TextWithRule, Text } from '../../../platform/http/fields';
import { PageQueryOf } from '../../../platform/http/page-query';
import { requireAttachmentUrl } from '../domain/attachment-url';
import type { ScopeAssetDraft } from '../event-scope.service';

export class AddScopeAssetRequest {
  @Id()
  asset_id!: number;

  @Flag({
    optional: true,
    description:
      'False excludes the asset from tests: the path of a URL and everything below it, or everything that another asset covers. The more specific asset decides; of two equally specific ones the excluded one wins. The default is true.',
  })
  in_scope?: boolean;

  @Text(0, 2_000, { nullable: true })
  description?: string | null;

  @Flag({
    nullable: true,
    description:
      'Includes all subdomains; only for assets of type domain. False includes only the name itself. The default is true, and null means the same. An out-of-scope domain always includes its subdomains.',
  })
  wildcard?: boolean | null;

  @TextWithRule(
    requireAttachmentUrl,
    { format: 'uri', maxLength: 2_048 },
    { nullable: true, description: 'The https URL of a document with more information.' },
  )
  attachment_url?: string | null;
}

/** Clients mostly read the whole scope, so the default page size is the maximum. */
export class ListScopeQuery extends PageQueryOf(100) {}

export const scopeDraftOf = (body: AddScopeAssetRequest): ScopeAssetDraft => ({
  assetId: body.asset_id,
  inScope: body.in_scope ?? true,
  description: body.description ?? null,
  wildcard: body.wildcard ?? null,
  attachmentUrl: body.attachment_url ?? null,
});
