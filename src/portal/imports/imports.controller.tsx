import { Body, Controller, Get, Query, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import {
  csvTemplate,
  ImportAnswersService,
  ImportRowsQuery,
  ImportsService,
  KeptFilesService,
  ProposalsService,
  UploadsService,
} from '../../modules/imports';
import { FindingBulkService } from '../../modules/retests';
import type { Attachment } from '../../platform/http/attachment';
import { noticeOfBulk } from '../findings/bulk-notice';
import { Fragment, Page, SeeOther } from '../frame/page';
import type { PortalRequest } from '../http/portal-request';
import { InOrganization } from '../http/in-organization';
import type { Place } from '../http/places';
import { PostChange } from '../http/route-metadata';
import { requireStreamedFile } from '../http/streamed-form';
import { LiveStreams } from '../live/live-streams';
import { importUrl } from '../urls';
import { ImportPage, isRunning } from './import-page';
import { ImportReader } from './import-reader';
import { ImportsPage, nameOf } from './imports-page';
import { noticeOfDecisions } from './import-proposals';
import { AnswersForm, ColumnsForm, DecideProposalsForm, ImportForm, ImportsQuery } from './imports.requests';

const RELOAD_SECONDS = 5;

@Controller('o/:organization/imports')
export class ImportsPageController {
  constructor(
    private readonly reader: ImportReader,
    private readonly imports: ImportsService,
    private readonly uploads: UploadsService,
    private readonly keptFiles: KeptFilesService,
    private readonly proposals: ProposalsService,
    private readonly answers: ImportAnswersService,
    private readonly bulk: FindingBulkService,
    private readonly streams: LiveStreams,
  ) {}

  @Get()
  async list(
    @InOrganization() { caller, organizationId }: Place,
    @Query() { slice: page, for_real: isForReal = false, event: eventSlug, failed: isFailed = false }: ImportsQuery,
    @Req() { originalUrl: url }: PortalRequest,
  ): Promise<Page> {
    const view = await this.reader.list(caller, organizationId, page, isFailed);
    return new Page(
      'Imports',
      <ImportsPage {...{ view, page, url, eventSlug, isFailed }} isDryRun={!isForReal} />,
      'imports',
    );
  }

  /** The file is read while it arrives, when everything else was checked. */
  @PostChange('', { operation: 'import.create', resource: 'import' })
  async upload(
    @InOrganization() { caller, organizationId }: Place,
    @Body() form: ImportForm,
    @Req() request: PortalRequest,
  ): Promise<SeeOther> {
    await this.reader.requireEvent(caller, organizationId, form.event);
    const { name, body } = await requireStreamedFile(request);
    const { id } = await this.uploads.receive(caller, form.target(organizationId), form.optionsFor(name), body);
    return new SeeOther(importUrl(organizationId, id));
  }

  @Get('csv-template')
  csvTemplate(): Attachment {
    return csvTemplate();
  }

  @Get(':import_id')
  async show(
    @InOrganization() place: Place<'imported'>,
    @Query() { slice: page, result }: ImportRowsQuery,
    @Req() { originalUrl: url, refusedForm: refused }: PortalRequest,
  ): Promise<Page> {
    const view = await this.reader.read(place, { result, page, refused });
    return new Page(nameOf(view.one), <ImportPage {...{ view, result, page, url }} />, 'imports', {
      tabTitle: `Import ${view.one.id}`,
      reloadSeconds: isRunning(view) ? RELOAD_SECONDS : undefined,
    });
  }

  /** The page below its title, for a page that is shown already. */
  @Get(':import_id/live')
  async live(
    @InOrganization() place: Place<'imported'>,
    @Query() { slice: page, result }: ImportRowsQuery,
  ): Promise<Fragment> {
    const view = await this.reader.read(place, { result, page });
    return new Fragment(<ImportPage {...{ view, result, page }} url={importUrl(place.organizationId, view.one.id)} />);
  }

  @Get(':import_id/progress')
  async progress(
    @InOrganization() { organizationId, imported: { id } }: Place<'imported'>,
    @Req() request: PortalRequest,
    @Res() response: Response,
  ): Promise<void> {
    this.streams.open(request, response, this.reader.follow(organizationId, id));
  }

  @PostChange(':import_id/cancel', { operation: 'import.cancel', resource: 'import', id: 'import_id' })
  async cancel(@InOrganization() { caller, organizationId, imported: { id } }: Place<'imported'>): Promise<SeeOther> {
    await this.imports.cancel(caller, id);
    return new SeeOther(importUrl(organizationId, id));
  }

  /** To the questions about rows that are between several assets. */
  @PostChange(':import_id/answers', { operation: 'import.answer', resource: 'import', id: 'import_id' })
  async answer(
    @InOrganization() { caller, organizationId, imported: { id } }: Place<'imported'>,
    @Body() { answers, asset }: AnswersForm,
  ): Promise<SeeOther> {
    await this.answers.answer(caller, id, answers, asset);
    return new SeeOther(importUrl(organizationId, id));
  }

  @PostChange(':import_id/columns', { operation: 'import.answer', resource: 'import', id: 'import_id' })
  async nameColumns(
    @InOrganization() { caller, organizationId, imported: { id } }: Place<'imported'>,
    @Body() { columns }: ColumnsForm,
  ): Promise<SeeOther> {
    await this.answers.nameColumns(caller, id, columns);
    return new SeeOther(importUrl(organizationId, id));
  }

  @PostChange(':import_id/import', { operation: 'import.create', resource: 'import' })
  async importFile(@InOrganization() { caller, organizationId, imported }: Place<'imported'>): Promise<SeeOther> {
    const { id } = await this.keptFiles.importFile(caller, imported.id);
    return new SeeOther(importUrl(organizationId, id));
  }

  @PostChange(':import_id/undo', { operation: 'import.undo', resource: 'import', id: 'import_id' })
  async undo(@InOrganization() { caller, organizationId, imported: { id } }: Place<'imported'>): Promise<SeeOther> {
    await this.imports.undo(caller, id);
    return new SeeOther(importUrl(organizationId, id));
  }

  @PostChange(':import_id/proposals', { operation: 'import.decide_proposals', resource: 'import', id: 'import_id' })
  async decide(
    @InOrganization() { caller, organizationId, imported: { id } }: Place<'imported'>,
    @Body() form: DecideProposalsForm,
  ): Promise<SeeOther> {
    const decided = await this.proposals.decide(caller, id, form.decision, form.ids);
    return new SeeOther(importUrl(organizationId, id), noticeOfDecisions(form.decision, decided));
  }

  /** At most as many as can be changed at a time. */
  @PostChange(':import_id/retest-missing', { operation: 'finding.bulk_change', resource: 'finding' })
  async retestMissing(
    @InOrganization() { caller, organizationId, imported: { id } }: Place<'imported'>,
  ): Promise<SeeOther> {
    const missing = await this.reader.listMissing(caller, id);
    const changed = await this.bulk.apply(caller, missing, { kind: 'retest' }, organizationId);
    return new SeeOther(importUrl(organizationId, id), noticeOfBulk(changed));
  }
}
