import { Controller, Query } from '@nestjs/common';
import type { Caller } from '../../../platform/api/caller';
import { CurrentCaller } from '../../../platform/http/caller.decorator';
import { Operation } from '../../../platform/http/operation';
import { PagedBody } from '../../../platform/http/paged-body';
import { AuditService } from '../audit.service';
import { ListAuditLogsQuery } from './audit.requests';
import { AuditLogListResponse, presentAuditLog } from './audit.responses';

@Controller()
export class AuditController {
  constructor(private readonly audit: AuditService) {}

  @Operation('GET /v1/audit-logs/', {
    number: 26,
    id: 'listAuditLogs',
    tag: 'Audit logs',
    summary: 'List the audit log of an organization',
    description:
      'For owners and admins. Every read of the log adds an entry to it. Entries of a request with a trace, and those of its work, have the `trace_id` in their metadata.',
    role: 'admin',
    query: ListAuditLogsQuery,
    success: {
      description: 'The entries, newest first.',
      body: AuditLogListResponse,
      example: {
        total: 1,
        page: 1,
        per_page: 20,
        audit_logs: [
          {
            id: '019aa3f4-5c00-7c3e-9d0b-4f6f0e6b1a2c',
            timestamp: '2026-01-31T12:00:00.000Z',
            actor_type: 'user',
            actor_id: '12',
            operation: 'finding.status_update',
            operation_category: 'findings',
            resource_type: 'finding',
            resource_id: '4711',
            status: 'success',
            metadata: { request_id: 'b1f0…', ip: '192.0.2.7', from: 1, to: 3 },
          },
        ],
      },
      paged: true,
    },
    errors: [401, 403],
    audit: { operation: 'audit_log.list', resource: 'audit_log' },
  })
  async list(
    @CurrentCaller() caller: Caller,
    @Query() query: ListAuditLogsQuery,
  ): Promise<PagedBody<AuditLogListResponse>> {
    const page = query.slice;
    const { slice, total } = await this.audit.list(caller, query.organization_id, query.filter, page);
    const body = { total, page: page.page, per_page: page.perPage, audit_logs: slice.items.map(presentAuditLog) };
    return new PagedBody(body, page, slice);
  }
}
