import { Body, Controller, Get, Post, Query, Req } from '@nestjs/common';
import { DomainError, invalid } from '../../kernel/domain-error';
import { SEVERITIES } from '../../kernel/severity';
import { AssetsService } from '../../modules/assets';
import { EventFindingsService, EventsService } from '../../modules/events';
import {
  FindingAttachmentsService,
  FindingChangesService,
  type FindingTemplate,
  FindingTemplatesService,
  MAX_ATTACHMENT_BYTES,
  MAX_ATTACHMENTS,
} from '../../modules/findings';
import { asDomainError } from '../../platform/database/database-errors';
import { uploadedName } from '../../platform/http/content-disposition';
import { People } from '../findings/people';
import { Fragment, Page, SeeOther } from '../frame/page';
import { pluralize } from '../frame/words';
import { AfterCommit, type MakeChange } from '../http/after-commit';
import { InOrganization } from '../http/in-organization';
import { type Place, requireInOrganization } from '../http/places';
import type { PortalRequest, StreamedFile } from '../http/portal-request';
import { ChangesNothing, PostChange } from '../http/route-metadata';
import { streamedFilesOf } from '../http/streamed-form';
import { findingUrl, newFindingUrl } from '../urls';
import { NewFindingForm, NewFindingQuery } from './finding-edits.requests';
import { type Preview, PreviewParts } from './finding-fields';
import { FindingPreviews } from './finding-previews';
import { NewFinding } from './new-finding-form';
import { TemplateChoice } from './template-choice';

const ATTACH = { operation: 'finding.attach', resource: 'finding' } as const;

const RECORDED = 'The finding was recorded.';
const SEEN_AGAIN = 'A finding with this title is on this asset already. It was seen again, and keeps its texts.';

/** The selects offer at most so many, the newest. */
const OFFERED = { page: 1, perPage: 200 };

/** Records a finding by hand. */
@Controller('o/:organization/findings/new')
export class NewFindingController {
  constructor(
    private readonly assets: AssetsService,
    private readonly events: EventsService,
    private readonly findings: EventFindingsService,
    private readonly changes: FindingChangesService,
    private readonly templates: FindingTemplatesService,
    private readonly previews: FindingPreviews,
    private readonly attachments: FindingAttachmentsService,
    private readonly people: People,
  ) {}

  @Get()
  async show(@InOrganization() place: Place, @Query() { template: id, ...values }: NewFindingQuery): Promise<Page> {
    if (id === undefined) return this.pageOf(place, values, null);
    const template = await this.templates.get(place.caller.scope, place.organizationId, id);
    return this.pageOf(place, { ...valuesOf(template), ...values }, null, id);
  }

  @Post('preview')
  @ChangesNothing()
  async preview(
    @InOrganization() place: Place,
    @Body() form: NewFindingForm,
    @Req() request: PortalRequest,
  ): Promise<Page | Fragment> {
    const preview = await this.previews.of(place.caller, form);
    if (request.get('hx-request') !== undefined) return new Fragment(<PreviewParts preview={preview} />);
    return this.pageOf(place, form, preview);
  }

  /** One with the same title on the same asset is seen again, and keeps its texts. */
  @PostChange('', { operation: 'finding.record', resource: 'finding' })
  async record(
    @InOrganization() place: Place,
    @Body() form: NewFindingForm,
    @Req() request: PortalRequest,
  ): Promise<AfterCommit> {
    const { caller, organizationId } = place;
    const { asset_id: assetId, event, location, parameter } = form;
    const { remediation, evidence, reason: _reason, unpin: _unpin, ...stated } = form.edit;
    const files = streamedFilesOf(request, MAX_ATTACHMENTS * MAX_ATTACHMENT_BYTES);
    if (event !== undefined) requireInOrganization(await this.events.get(caller.scope, event), organizationId);
    if (assetId === undefined) throw invalid('asset_id must be an asset of the organization.');
    const { finding, outcome } = await this.findings.record(caller, event ?? { organizationId }, {
      ...stated,
      location,
      parameter,
      md: stated.md ?? null,
      assetReference: { assetId },
    });
    const isNew = outcome === 'created';
    if (isNew) await this.changes.changeVisible(caller, finding, { ...form.work, edit: { remediation, evidence } });
    return new AfterCommit(async (change) => {
      const attached = await this.attach(place, finding.id, files, change);
      return new SeeOther(
        findingUrl(organizationId, finding.id),
        `${isNew ? RECORDED : SEEN_AGAIN} ${attached}`.trim(),
      );
    });
  }

  /** Each with an audit entry of its own. The finding stays, whatever is refused. */
  private async attach(
    { caller, organizationId }: Place,
    findingId: number,
    files: AsyncIterable<StreamedFile>,
    change: MakeChange,
  ): Promise<string> {
    const refused: string[] = [];
    let attached = 0;
    const attachOne = async ({ name, body }: StreamedFile): Promise<void> => {
      await change(ATTACH, () => this.attachments.add(caller, { organizationId, findingId }, name, body));
      attached++;
    };
    const noteRefusal = (what: string, error: unknown): void => {
      const reason = asDomainError(error);
      if (!(reason instanceof DomainError)) throw error;
      refused.push(`${what} not attached: ${reason.message}`);
    };
    try {
      for await (const file of files)
        await attachOne(file).catch((error: unknown) => noteRefusal(`${uploadedName(file.name)} was`, error));
    } catch (error) {
      noteRefusal('The files after it were', error);
    }
    return [...(attached === 0 ? [] : [`${pluralize(attached, 'file')} attached.`]), ...refused].join(' ');
  }

  private async pageOf(
    { caller: { scope }, organizationId }: Place,
    values: Partial<NewFindingForm>,
    preview: Preview | null,
    templateId?: number,
  ): Promise<Page> {
    const assets = [...(await this.assets.listFor(scope, organizationId, OFFERED)).items];
    const chosen = values.asset_id === undefined ? undefined : await this.assets.find(scope, values.asset_id);
    if (chosen?.organizationId === organizationId && assets.every(({ id }) => id !== chosen.id)) assets.push(chosen);
    const events = await this.events.list(scope, organizationId, OFFERED);
    const templates = await this.templates.list(scope, organizationId);
    const body = (
      <>
        {templates.length > 0 && (
          <TemplateChoice {...{ action: newFindingUrl(organizationId), templates, templateId }} />
        )}
        <NewFinding
          {...{ organizationId, values, preview }}
          assets={assets.map(({ id, value }) => ({ value: id, label: value }))}
          events={events.items.map(({ slug, name }) => ({ value: slug, label: name }))}
          people={await this.people.assignable(scope, organizationId)}
        />
      </>
    );
    return new Page('New finding', body, 'findings');
  }
}

const valuesOf = ({ title, md, remediation, cwe, severity, cvssVector }: FindingTemplate): Partial<NewFindingForm> => ({
  title,
  md,
  remediation,
  cwe,
  rating: cvssVector === null ? 'severity' : 'vector',
  severity: severity === null ? undefined : SEVERITIES[severity],
  cvss_vector: cvssVector,
});
