import { Controller, Query } from '@nestjs/common';
import type { Caller } from '../../../platform/api/caller';
import { Acknowledgement, done } from '../../../platform/http/acknowledgement';
import type { Attachment } from '../../../platform/http/attachment';
import { CurrentCaller } from '../../../platform/http/caller.decorator';
import { InOrganization, type Place } from '../../../platform/http/in-organization';
import { PagedBody } from '../../../platform/http/paged-body';
import { PageQuery } from '../../../platform/http/page-query';
import { PathId } from '../../../platform/http/path-id';
import { PathSlug } from '../../../platform/http/path-slug';
import { type StreamedBody, StreamedFile } from '../../../platform/http/streamed-body';
import { ImportsService } from '../imports.service';
import { KeptFilesService } from '../kept-files.service';
import { UploadsService } from '../uploads.service';
import { csvTemplate } from './csv-template';
import { importOptions, ImportQuery, ImportRowsQuery } from './import.requests';
import {
  ImportListResponse,
  ImportResponse,
  ImportRowListResponse,
  presentImport,
  presentImportRow,
} from './import.responses';
import * as operations from './imports.operations';

@Controller()
export class ImportsController {
  constructor(
    private readonly imports: ImportsService,
    private readonly uploads: UploadsService,
    private readonly keptFiles: KeptFilesService,
  ) {}

  @operations.importEventFindings
  async importIntoEvent(
    @CurrentCaller() caller: Caller,
    @PathSlug('event_slug') eventSlug: string,
    @Query() query: ImportQuery,
    @StreamedFile() file: StreamedBody,
  ): Promise<ImportResponse> {
    return presentImport(await this.uploads.receive(caller, { eventSlug }, importOptions(query), file));
  }

  @operations.importFindings
  async importIntoOrganization(
    @InOrganization() { caller, organizationId }: Place,
    @Query() query: ImportQuery,
    @StreamedFile() file: StreamedBody,
  ): Promise<ImportResponse> {
    return presentImport(await this.uploads.receive(caller, { organizationId }, importOptions(query), file));
  }

  @operations.listEventImports
  async listOfEvent(
    @CurrentCaller() caller: Caller,
    @PathSlug('event_slug') eventSlug: string,
    @Query() query: PageQuery,
  ): Promise<PagedBody<ImportListResponse>> {
    const page = query.slice;
    const slice = await this.imports.list(caller.scope, { eventSlug }, page);
    return new PagedBody({ imports: slice.items.map(presentImport) }, page, slice);
  }

  @operations.listImports
  async listOfOrganization(
    @InOrganization() { caller, organizationId }: Place,
    @Query() query: PageQuery,
  ): Promise<PagedBody<ImportListResponse>> {
    const page = query.slice;
    const slice = await this.imports.list(caller.scope, { organizationId }, page);
    return new PagedBody({ imports: slice.items.map(presentImport) }, page, slice);
  }

  @operations.getImportTemplate
  template(): Attachment {
    return csvTemplate();
  }

  @operations.getImport
  async get(@CurrentCaller() caller: Caller, @PathId('import_id') id: number): Promise<ImportResponse> {
    return presentImport(await this.imports.get(caller.scope, id));
  }

  @operations.listImportRows
  async rows(
    @CurrentCaller() caller: Caller,
    @PathId('import_id') id: number,
    @Query() query: ImportRowsQuery,
  ): Promise<PagedBody<ImportRowListResponse>> {
    const page = query.slice;
    const slice = await this.imports.listRows(caller.scope, id, query.result, page);
    return new PagedBody({ rows: slice.items.map(presentImportRow) }, page, slice);
  }

  @operations.cancelImport
  async cancel(@CurrentCaller() caller: Caller, @PathId('import_id') id: number): Promise<Acknowledgement> {
    await this.imports.cancel(caller, id);
    return done('Import canceled.');
  }

  @operations.importFileOfDryRun
  async importFile(@CurrentCaller() caller: Caller, @PathId('import_id') id: number): Promise<ImportResponse> {
    return presentImport(await this.keptFiles.importFile(caller, id));
  }

  @operations.undoImport
  async undo(@CurrentCaller() caller: Caller, @PathId('import_id') id: number): Promise<ImportResponse> {
    return presentImport(await this.imports.undo(caller, id));
  }
}
