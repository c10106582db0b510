import { Body, Controller, Get, Post, Query, Req } from '@nestjs/common';
import { invalid } from '../../kernel/domain-error';
import { AssetsService } from '../../modules/assets';
import { EventFindingsService, EventsService } from '../../modules/events';
import { SEVERITIES } from '../../kernel/severity';
import { FindingChangesService, type FindingTemplate, FindingTemplatesService } from '../../modules/findings';
import { Form, Select } from '../frame/form';
import { Fragment, Page, SeeOther } from '../frame/page';
import { InOrganization } from '../http/in-organization';
import { type Place, requireInOrganization } from '../http/places';
import type { PortalRequest } from '../http/portal-request';
import { ChangesNothing, PostChange } from '../http/route-metadata';
import { findingsUrl, findingUrl, newFindingUrl } from '../urls';
import { NewFindingForm, NewFindingQuery } from './finding-edits.requests';
import { FindingFields, type Preview, PreviewPart } from './finding-fields';
import { FindingPreviews } from './finding-previews';
import { TemplateChoice } from './template-choice';

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
    if (request.get('hx-request') !== undefined) return new Fragment(<PreviewPart preview={preview} />);
    return this.pageOf(place, form, preview);
  }

  /** One with the same title on the same asset is seen again, and keeps its texts. */
  @PostChange('', { operation: 'finding.record', resource: 'finding' })
  async record(@InOrganization() { caller, organizationId }: Place, @Body() form: NewFindingForm): Promise<SeeOther> {
    const { asset_id: assetId, event } = form;
    const { remediation, evidence, reason: _reason, unpin: _unpin, ...stated } = form.edit;
    if (event !== undefined) requireInOrganization(await this.events.get(caller.scope, event), organizationId);
    if (assetId === undefined) throw invalid('asset_id must be an asset of the organization.');
    const { finding, outcome } = await this.findings.record(caller, event ?? { organizationId }, {
      ...stated,
      md: stated.md ?? null,
      assetReference: { assetId },
    });
    const url = findingUrl(organizationId, finding.id);
    if (outcome !== 'created')
      return new SeeOther(
        url,
        'A finding with this title is on this asset already. It was seen again, and keeps its texts.',
      );
    await this.changes.changeVisible(caller, finding, { edit: { remediation, evidence } });
    return new SeeOther(url, 'The finding was recorded.');
  }

  private async pageOf(
    { caller: { scope }, organizationId }: Place,
    values: Partial<NewFindingForm>,
    preview: Preview | null,
    templateId?: number,
  ): Promise<Page> {
    const assets = await this.assets.listFor(scope, organizationId, OFFERED);
    const events = await this.events.list(scope, organizationId, OFFERED);
    const templates = await this.templates.list(scope, organizationId);
    const action = newFindingUrl(organizationId);
    const form = (
      <Form action={action} class="finding-form">
        <div class="inline-form">
          <Select
            name="asset_id"
            label="Asset"
            options={assets.items.map(({ id, value }) => ({ value: id, label: value }))}
            value={values.asset_id}
          />
          <Select
            name="event"
            label="Event"
            options={[
              { value: '', label: 'None' },
              ...events.items.map(({ slug, name }) => ({ value: slug, label: name })),
            ]}
            value={values.event}
          />
        </div>
        <FindingFields {...{ values, choices: values.choices ?? {}, preview, previewUrl: `${action}/preview` }} />
        <p>
          <button class="primary">Record the finding</button> <a href={findingsUrl(organizationId)}>Cancel</a>
        </p>
      </Form>
    );
    const body = (
      <>
        {templates.length > 0 && <TemplateChoice {...{ action, templates, templateId }} />}
        {form}
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
