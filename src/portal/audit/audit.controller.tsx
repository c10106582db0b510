import { Controller, Get, Query, Req } from '@nestjs/common';
import { AuditHeadsService, AuditService, proofsFile } from '../../modules/audit';
import type { FileStream } from '../../platform/http/file-stream';
import { People } from '../findings/people';
import { Page } from '../frame/page';
import { SettingsTabs } from '../frame/settings-tabs';
import { exportFile } from '../http/export-file';
import type { PortalRequest } from '../http/portal-request';
import { InOrganization } from '../http/in-organization';
import type { Place } from '../http/places';
import { Changes } from '../http/route-metadata';
import { auditExport } from './audit-export';
import { AuditPage, userIdsOf } from './audit-page';
import { AuditExportQuery, AuditQuery } from './audit.requests';

/** Every read of the log adds an entry to it, as by API. */
const READ = { operation: 'audit_log.list', resource: 'audit_log' } as const;

@Controller('o/:organization/audit')
export class AuditPageController {
  constructor(
    private readonly audit: AuditService,
    private readonly heads: AuditHeadsService,
    private readonly people: People,
  ) {}

  @Get()
  @Changes(READ)
  async show(
    @InOrganization() { caller, organizationId }: Place,
    @Query() query: AuditQuery,
    @Req() { originalUrl: url }: PortalRequest,
  ): Promise<Page> {
    const { slice: page } = query;
    const slice = await this.audit.page(caller, organizationId, query.filter, page);
    const names = await this.people.namesOf(userIdsOf(slice.items));
    const members = await this.people.assignable(caller.scope, organizationId);
    const head = (await this.heads.findNewest(caller, organizationId))?.head;
    const body = (
      <>
        <SettingsTabs current="audit" />
        <AuditPage {...{ organizationId, query, page, slice, names, members, url, head }} />
      </>
    );
    return new Page('Audit log', body, 'audit');
  }

  @Get('proofs')
  async proofs(@InOrganization() { caller, organizationId }: Place): Promise<FileStream> {
    return proofsFile(await this.heads.proofs(caller, organizationId), organizationId);
  }

  @Get('export')
  @Changes(READ)
  async export(
    @InOrganization() { caller, organizationId }: Place,
    @Query() query: AuditExportQuery,
  ): Promise<FileStream> {
    const pieces = await this.audit.read(caller, organizationId, query.filter);
    return exportFile(auditExport(pieces, `audit-log-${organizationId}`), query.format);
  }
}
