import { Body, Controller, Get, Post, Req } from '@nestjs/common';
import type { VNode } from 'preact';
import { preconditionFailed } from '../../kernel/domain-error';
import { SEVERITIES } from '../../kernel/severity';
import { FindingChangesService, FindingTextsService, type WrittenTexts } from '../../modules/findings';
import { Form, TextArea } from '../frame/form';
import { Fragment, Page, SeeOther } from '../frame/page';
import { InOrganization } from '../http/in-organization';
import type { Place } from '../http/places';
import type { PortalRequest } from '../http/portal-request';
import { Changes, ChangesNothing } from '../http/route-metadata';
import { editFindingUrl, findingUrl } from '../urls';
import { choicesIn } from './cvss-fields';
import { EditForm, UnpinForm } from './finding-edits.requests';
import { FindingFields, type Preview, PreviewParts } from './finding-fields';
import { FindingPreviews } from './finding-previews';

const change = { operation: 'finding.change', resource: 'finding', id: 'finding_id' } as const;

type Edited = Place<'finding'>;

/** When it was edited last, so that no edit replaces one that its user has not seen. */
const versionOf = ({ edits }: Pick<Edited['finding'], 'edits'>): string => edits?.at ?? 'never';

@Controller('o/:organization/findings/:finding_id/edit')
export class EditFindingController {
  constructor(
    private readonly changes: FindingChangesService,
    private readonly texts: FindingTextsService,
    private readonly previews: FindingPreviews,
  ) {}

  @Get()
  async show(@InOrganization() place: Edited): Promise<Page> {
    const { texts } = await this.texts.get(place.caller.scope, place.finding.id);
    return pageOf(place, valuesOf(place.finding, texts), null);
  }

  /** With scripts only the part of the page that has changed. */
  @Post('preview')
  @ChangesNothing()
  async preview(
    @InOrganization() place: Edited,
    @Body() form: EditForm,
    @Req() request: PortalRequest,
  ): Promise<Page | Fragment> {
    const preview = await this.previews.of(place.caller, form);
    if (request.get('hx-request') !== undefined) return new Fragment(<PreviewParts preview={preview} />);
    return pageOf(place, form, preview);
  }

  @Post()
  @Changes(change)
  async save(@InOrganization() { caller, organizationId, finding }: Edited, @Body() form: EditForm): Promise<SeeOther> {
    await this.changes.changeVisible(caller, finding, { edit: form.edit }, (locked) => {
      if (versionOf(locked) !== form.version) throw editedMeanwhile();
    });
    return new SeeOther(findingUrl(organizationId, finding.id), 'The finding was saved.');
  }

  @Post('unpin')
  @Changes(change)
  async unpin(
    @InOrganization() { caller, organizationId, finding }: Edited,
    @Body() { field, reason }: UnpinForm,
  ): Promise<SeeOther> {
    await this.changes.changeVisible(caller, finding, { edit: { unpin: [field], reason } });
    return new SeeOther(findingUrl(organizationId, finding.id), 'It is what the scanner says again.');
  }
}

const editedMeanwhile = () =>
  preconditionFailed(
    'Another person has edited this finding since you opened the page, and your change was not saved. Compare it with the finding, and send it again.',
  );

function valuesOf(finding: Edited['finding'], texts: WrittenTexts['texts']): Partial<EditForm> {
  const { title, md, severity, cvssVector, cve, cwe } = finding;
  return {
    title,
    md: md ?? undefined,
    remediation: texts?.remediationMd ?? undefined,
    evidence: texts?.evidence ?? undefined,
    severity: SEVERITIES[severity],
    cvss_vector: cvssVector ?? undefined,
    cve: cve ?? undefined,
    cwe: cwe ?? undefined,
  };
}

function pageOf({ organizationId, finding }: Edited, values: Partial<EditForm>, preview: Preview | null): Page {
  const action = editFindingUrl(organizationId, finding.id);
  const { severity, score, cvssVector } = finding;
  const rated = { severity: SEVERITIES[severity], score: score === null ? null : Number(score) };
  const choices = { ...choicesIn(cvssVector), ...values.choices };
  const body: VNode = (
    <Form action={action} class="finding-form">
      <input type="hidden" name="version" value={values.version ?? versionOf(finding)} />
      <FindingFields {...{ values, choices, rated, preview, previewUrl: `${action}/preview` }} />
      <TextArea
        name="reason"
        label="Reason"
        hint="For the history. Needed if a check or a file has found the finding and it becomes less severe, which only an admin can do."
        value={values.reason}
        maxLength={2_000}
      />
      <p>
        <button class="primary">Save</button> <a href={findingUrl(organizationId, finding.id)}>Cancel</a>
      </p>
    </Form>
  );
  return new Page(`Edit #${finding.id}`, body, 'findings');
}
