import { Flag, Id, RuledText, Text } from '../../../platform/http/fields';
import { PageQueryOf } from '../../../platform/http/page-query';
import { requireAttachmentUrl } from '../domain/attachment-url';
import type { ScopeAssetDraft } from '../event-scope.service';

export class AddScopeAssetRequest {
  @Id()
  asset_id!: number;

  @Flag({
    optional: true,
    description:
      'False says that the asset must not be tested: of a URL its path and what is below it, of every other asset all that it covers. The more specific asset decides; of two that are equally specific the excluded one. By default true.',
  })
  in_scope?: boolean;

  @Text(0, 2_000, { nullable: true })
  description?: string | null;

  @Flag({
    nullable: true,
    description:
      'All subdomains too; for an asset of type domain alone. False: only the name itself may be tested. Null or left out is as true. Out of scope, a domain always takes its subdomains with it.',
  })
  wildcard?: boolean | null;

  @RuledText(
    requireAttachmentUrl,
    { format: 'uri', maxLength: 2_048 },
    { nullable: true, description: 'An https URL of a document that says more.' },
  )
  attachment_url?: string | null;
}

/** A scope is mostly read whole, so a page of it is as large as a page may be. */
export class ListScopeQuery extends PageQueryOf(100) {}

export const scopeDraftOf = (body: AddScopeAssetRequest): ScopeAssetDraft => ({
  assetId: body.asset_id,
  inScope: body.in_scope ?? true,
  description: body.description ?? null,
  wildcard: body.wildcard ?? null,
  attachmentUrl: body.attachment_url ?? null,
});
