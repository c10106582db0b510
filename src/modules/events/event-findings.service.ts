import { Injectable } from '@nestjs/common';
import type { Page, Slice } from '../../kernel/page';
import { conflict } from '../../kernel/domain-error';
import { hostOf, portOf, requireWebUrl } from '../../kernel/web-url';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import type { Caller } from '../../platform/api/caller';
import type { Scope } from '../../platform/api/scope';
import { Work } from '../../platform/work/work';
import { AssetsService, assetNotFound, covers, recognizeAsset } from '../assets';
import {
  type CheckInput,
  type FindingDraft,
  type FindingFilter,
  type FindingOrder,
  FindingLists,
  FindingsService,
  MarkdownRenderer,
  type PresentedFinding,
  fingerprintOfCheck,
  initialVerificationReference,
  INITIAL_VERIFICATION_KIND,
  LibraryChecksService,
  type ParsedCheck,
  type RecordingResult,
  type SeverityStatement,
  type StatedFields,
} from '../findings';
import { EventsService } from './events.service';

/** A finding to record by hand, on an asset by its id or by its value in canonical form. */
export interface FindingToRecord extends StatedFields, SeverityStatement {
  readonly md: string | null;
  /** The score that the tester asks for. */
  readonly requestedScore?: number | null;
  /** The URL at which it was seen. */
  readonly location?: string | null;
  readonly parameter?: string | null;
  /** The check that a retest runs. A check of the library is not parsed yet. */
  readonly check?: ParsedCheck | CheckInput | null;
  readonly assetReference: { readonly assetId: number } | { readonly assetValue: string };
}

export interface RecordedFinding extends RecordingResult {
  /** Sentences about its check, for the person who recorded it. */
  readonly warnings: readonly string[];
}

@Injectable()
export class EventFindingsService {
  constructor(
    private readonly events: EventsService,
    private readonly assets: AssetsService,
    private readonly findings: FindingsService,
    private readonly lists: FindingLists,
    private readonly libraryChecks: LibraryChecksService,
    private readonly markdown: MarkdownRenderer,
    private readonly unitOfWork: UnitOfWork,
    private readonly work: Work,
  ) {}

  async list(
    scope: Scope,
    slug: string,
    filter: FindingFilter,
    order: FindingOrder,
    page: Page,
  ): Promise<Slice<PresentedFinding>> {
    const findings = await this.lists.list(scope, slug, filter, order, page);
    // Findings prove that the event exists and is visible. Only an empty page needs the check.
    if (findings.items.length === 0) await this.events.get(scope, slug);
    return findings;
  }

  /** In the event with this slug, or without an event in an organization that the caller can see. */
  async record(
    caller: Caller,
    place: string | { readonly organizationId: number },
    { assetReference, md, check: statedCheck = null, ...stated }: FindingToRecord,
  ): Promise<RecordedFinding> {
    // Rendered before the first read, so that waiting for a thread holds no database connection.
    const text = md === null ? null : await this.markdown.render(md, caller.tenant);
    const { id: eventId, organizationId } =
      typeof place === 'string' ? await this.events.get(caller.scope, place) : { id: null, ...place };
    const check = await this.parsed(statedCheck);
    this.unitOfWork.note({
      organizationId,
      metadata: { ...(typeof place === 'string' && { event: place }), title: stated.title },
    });
    const asset = await this.assetOf(caller.scope, organizationId, assetReference);
    caller.requireRole('member', organizationId);
    if (stated.location != null) requireLocationOn(asset.value, stated.location);
    if (check?.allowUnsafe === true) caller.requireRole('admin', organizationId);
    const fieldsOfCheck = check === null ? {} : checkFields(check, asset.value);
    const result = await this.findings.record(caller.actor, {
      ...stated,
      ...fieldsOfCheck,
      cwe: stated.cwe ?? check?.cwe ?? null,
      text,
      organizationId,
      eventId,
      asset,
      isByAdmin: caller.hasRole('admin', organizationId),
    });
    const { finding, outcome, checkReplaced, checkKept } = result;
    const check_replaced = checkReplaced || undefined;
    const check_kept = checkKept || undefined;
    const metadata = {
      asset_value: finding.assetValue,
      outcome,
      check: check?.checkId,
      check_replaced,
      check_kept,
      allow_unsafe: check?.allowUnsafe,
    };
    this.unitOfWork.note({ resourceId: String(finding.id), metadata });
    // The check of a merged finding is not the one of its main finding.
    if (check !== null && eventId !== null && finding.assetId !== null && result.ownId === finding.id) {
      const { id, assetId } = finding;
      const reference = initialVerificationReference(id, eventId, check.checkDefinition);
      await this.work.enqueue({ kind: INITIAL_VERIFICATION_KIND, reference, organizationId, assetId, eventId });
    }
    return { ...result, warnings: checkKept ? [CHECK_KEPT] : (check?.warnings ?? []) };
  }

  private async parsed(check: ParsedCheck | CheckInput | null): Promise<ParsedCheck | null> {
    return check === null || 'checkDefinition' in check ? check : this.libraryChecks.parse(check);
  }

  /** A finding may be on an asset that the organization does not list. Then only its value is stored. */
  private async assetOf(
    scope: Scope,
    organizationId: number,
    reference: FindingToRecord['assetReference'],
  ): Promise<FindingDraft['asset']> {
    if ('assetValue' in reference) {
      const listed = await this.assets.findByValue(scope, organizationId, reference.assetValue);
      return listed ?? { id: null, value: reference.assetValue, beaconId: null, tier: null };
    }
    const asset = await this.assets.lockForKeyShare(scope, reference.assetId);
    if (asset.organizationId !== organizationId) throw assetNotFound();
    return asset;
  }
}

function requireLocationOn(assetValue: string, location: string): void {
  const url = requireWebUrl(location, 'location');
  const asset = recognizeAsset(assetValue);
  if (asset !== undefined && covers(asset, { host: hostOf(url), port: portOf(url) })) return;
  throw conflict(`location is not on ${assetValue}: it must be a URL of the asset of the finding.`);
}
const CHECK_KEPT =
  'The finding keeps its check, and yours was not stored: its check has shown the weakness. Only an admin may replace it, if it is neither built-in nor of the library.';

/** A check must be on the asset of its finding. Its fingerprint is the one that a job would give the finding. */
function checkFields(
  { checkId, checkDefinition, allowUnsafe, target }: ParsedCheck,
  assetValue: string,
): Pick<FindingDraft, 'checkId' | 'checkDefinition' | 'allowUnsafe' | 'fingerprint'> {
  const asset = recognizeAsset(assetValue);
  if (asset === undefined || !covers(asset, target)) {
    throw conflict(
      `check.location is not on ${assetValue}: the check of a finding must test the asset of the finding.`,
    );
  }
  return { checkId, checkDefinition, allowUnsafe, fingerprint: fingerprintOfCheck(checkId, checkDefinition.location) };
}
