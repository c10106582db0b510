import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import type { Page, Slice } from '../../kernel/page';
import { uuidV7 } from '../../kernel/uuid-v7';
import type { AuditEntry } from '../../platform/audit/audit-entry';
import { AuditTrail } from '../../platform/audit/audit-trail';
import type { Sql } from '../../platform/database/sql';
import { RESOURCE_CATEGORIES } from '../../platform/api/resource-type';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import type { Caller } from '../../platform/api/caller';
import { OrganizationsService } from '../organizations';
import { type AuditLog, NO_ORGANIZATION } from './data/audit-log.entity';
import { type AuditFilter, AuditLogsRepository } from './data/audit-logs.repository';

export interface AuditLogPage {
  readonly slice: Slice<AuditLog>;
  /** The exact number of entries, however many. */
  readonly total: number;
}

/** Builds the statement of an entry, which the unit of work sends in its transaction. */
@Injectable()
export class DatabaseAuditTrail extends AuditTrail {
  constructor(
    private readonly logs: AuditLogsRepository,
    private readonly clock: Clock,
  ) {
    super();
  }

  override statementFor(entry: AuditEntry): Sql {
    const timestamp = this.clock.now();
    return this.logs.insertStatement({
      id: uuidV7(timestamp.getTime()),
      timestamp,
      organizationId: entry.organizationId ?? NO_ORGANIZATION,
      actorType: entry.actor.type,
      actorId: entry.actor.id,
      operation: entry.operation,
      operationCategory: RESOURCE_CATEGORIES[entry.resourceType],
      resourceType: entry.resourceType,
      resourceId: entry.resourceId ?? '',
      status: entry.status,
      metadata: { ...entry.metadata },
    });
  }
}

@Injectable()
export class AuditService {
  constructor(
    private readonly logs: AuditLogsRepository,
    private readonly organizations: OrganizationsService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async list(
    caller: Caller,
    organizationId: number | undefined,
    filter: Omit<AuditFilter, 'organizationId'>,
    page: Page,
  ): Promise<AuditLogPage> {
    const { id } = await this.organizations.resolveForAudit(caller.scope, organizationId);
    this.unitOfWork.note({ organizationId: id });
    caller.requireRole('admin', id);
    const organizationFilter = { ...filter, organizationId: id };
    return {
      slice: await this.logs.listFor(organizationFilter, page),
      total: await this.logs.count(organizationFilter),
    };
  }
}
