import { Body, Controller, Get, Post, Query, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { csvTemplate, ImportRowsQuery, ImportsService, ProposalsService, UploadsService } from '../../modules/imports';
import { FindingBulkService } from '../../modules/retests';
import type { Caller } from '../../platform/api/caller';
import type { Attachment } from '../../platform/http/attachment';
import { CurrentCaller } from '../../platform/http/caller.decorator';
import { PathId } from '../../platform/http/path-id';
import { noticeOfBulk } from '../findings/bulk-notice';
import { Fragment, Page, SeeOther } from '../frame/page';
import type { PortalRequest } from '../http/portal-request';
import { Changes } from '../http/route-metadata';
import { requireStreamedFile } from '../http/streamed-form';
import { LiveStreams } from '../live/live-streams';
import { importUrl } from '../urls';
import { ImportPage, isRunning } from './import-page';
import { ImportReader } from './import-reader';
import { ImportsPage, nameOf } from './imports-page';
import { noticeOfDecisions } from './import-proposals';
import { DecideProposalsForm, ImportForm, ImportsQuery } from './imports.requests';

const RELOAD_SECONDS = 5;

@Controller('o/:organization/imports')
export class ImportsPageController {
  constructor(
    private readonly reader: ImportReader,
    private readonly imports: ImportsService,
    private readonly uploads: UploadsService,
    private readonly proposals: ProposalsService,
    private readonly bulk: FindingBulkService,
    private readonly streams: LiveStreams,
  ) {}

  @Get()
  async list(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @Query() { slice: page, for_real: isForReal = false, event: eventSlug }: ImportsQuery,
    @Req() { originalUrl: url }: PortalRequest,
  ): Promise<Page> {
    const view = await this.reader.list(caller, organizationId, page);
    return new Page('Imports', <ImportsPage {...{ view, page, url, eventSlug }} isDryRun={!isForReal} />, 'imports');
  }

  /** The file is read while it arrives, when everything else was checked. */
  @Post()
  @Changes({ operation: 'import.create', resource: 'import' })
  async upload(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @Body() form: ImportForm,
    @Req() request: PortalRequest,
  ): Promise<SeeOther> {
    await this.reader.requireEvent(caller, organizationId, form.event);
    const { name, body } = requireStreamedFile(request);
    const { id } = await this.uploads.receive(caller, form.target(organizationId), form.optionsFor(name), body);
    return new SeeOther(importUrl(organizationId, id));
  }

  @Get('csv-template')
  async csvTemplate(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
  ): Promise<Attachment> {
    await this.reader.requireOrganization(caller, organizationId);
    return csvTemplate();
  }

  @Get(':import_id')
  async show(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @PathId('import_id') id: number,
    @Query() { slice: page, result }: ImportRowsQuery,
    @Req() { originalUrl: url, refusedForm: refused }: PortalRequest,
  ): Promise<Page> {
    const view = await this.reader.read(caller, { organizationId, id }, { result, page, refused });
    return new Page(nameOf(view.one), <ImportPage {...{ view, result, page, url }} />, 'imports', {
      tabTitle: `Import ${id}`,
      reloadSeconds: isRunning(view) ? RELOAD_SECONDS : undefined,
    });
  }

  /** The page below its title, for a page that is shown already. */
  @Get(':import_id/live')
  async live(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @PathId('import_id') id: number,
    @Query() { slice: page, result }: ImportRowsQuery,
  ): Promise<Fragment> {
    const view = await this.reader.read(caller, { organizationId, id }, { result, page });
    return new Fragment(<ImportPage {...{ view, result, page }} url={importUrl(organizationId, id)} />);
  }

  @Get(':import_id/progress')
  async progress(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @PathId('import_id') id: number,
    @Req() request: PortalRequest,
    @Res() response: Response,
  ): Promise<void> {
    await this.reader.requireImport(caller, organizationId, id);
    this.streams.open(request, response, this.reader.follow(organizationId, id));
  }

  @Post(':import_id/cancel')
  @Changes({ operation: 'import.cancel', resource: 'import', id: 'import_id' })
  async cancel(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @PathId('import_id') id: number,
  ): Promise<SeeOther> {
    await this.reader.requireImport(caller, organizationId, id);
    await this.imports.cancel(caller, id);
    return new SeeOther(importUrl(organizationId, id));
  }

  @Post(':import_id/undo')
  @Changes({ operation: 'import.undo', resource: 'import', id: 'import_id' })
  async undo(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @PathId('import_id') id: number,
  ): Promise<SeeOther> {
    await this.reader.requireImport(caller, organizationId, id);
    await this.imports.undo(caller, id);
    return new SeeOther(importUrl(organizationId, id));
  }

  @Post(':import_id/proposals')
  @Changes({ operation: 'import.decide_proposals', resource: 'import', id: 'import_id' })
  async decide(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @PathId('import_id') id: number,
    @Body() form: DecideProposalsForm,
  ): Promise<SeeOther> {
    await this.reader.requireImport(caller, organizationId, id);
    const decided = await this.proposals.decide(caller, id, form.decision, form.ids);
    return new SeeOther(importUrl(organizationId, id), noticeOfDecisions(form.decision, decided));
  }

  /** At most as many as can be changed at a time. */
  @Post(':import_id/retest-missing')
  @Changes({ operation: 'finding.bulk_change', resource: 'finding' })
  async retestMissing(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @PathId('import_id') id: number,
  ): Promise<SeeOther> {
    const missing = await this.reader.listMissing(caller, organizationId, id);
    const changed = await this.bulk.apply(caller, missing, { kind: 'retest' }, organizationId);
    return new SeeOther(importUrl(organizationId, id), noticeOfBulk(changed));
  }
}
