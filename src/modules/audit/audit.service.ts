import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import type { Page, Position, Slice } from '../../kernel/page';
import { uuidV7 } from '../../kernel/uuid-v7';
import type { AuditEntry } from '../../platform/audit/audit-entry';
import { AuditTrail } from '../../platform/audit/audit-trail';
import { needsActiveOrganization } from '../../platform/audit/suspension';
import type { Sql } from '../../platform/database/sql';
import { RESOURCE_CATEGORIES } from '../../platform/api/resource-type';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import type { Actor, Caller } from '../../platform/api/caller';
import { OrganizationsService } from '../organizations';
import { type AuditLog, NO_ORGANIZATION } from './data/audit-log.entity';
import { type AuditFilter, AuditLogsRepository, type ChangedRecord } from './data/audit-logs.repository';

type FilterOfOrganization = Omit<AuditFilter, 'organizationId'>;

const ENTRIES_IN_PIECE = 1_000;

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
    const row = {
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
    };
    return this.logs.insertStatement(row, needsActiveOrganization(entry));
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
    filter: FilterOfOrganization,
    page: Page,
  ): Promise<AuditLogPage> {
    const organizationFilter = await this.readable(caller, organizationId, filter);
    return {
      slice: await this.logs.listFor(organizationFilter, page),
      total: await this.logs.count(organizationFilter),
    };
  }
  /** One page, without counting a log that may be long. */
  async page(
    caller: Caller,
    organizationId: number,
    filter: FilterOfOrganization,
    page: Page,
  ): Promise<Slice<AuditLog>> {
    return this.logs.listFor(await this.readable(caller, organizationId, filter), page);
  }

  /** The caller has checked that the organization is visible. Names only the actors of changes that members see, and nothing else of the log. */
  actorsOfVisible(organizationId: number, changes: readonly ChangedRecord[]): Promise<Map<string, Actor>> {
    return this.logs.listActors(organizationId, changes);
  }

  /** All entries that match, in pieces, newest first. The next piece is read when it is asked for. */
  async read(
    caller: Caller,
    organizationId: number,
    filter: FilterOfOrganization,
  ): Promise<AsyncIterable<readonly AuditLog[]>> {
    return this.pieces(await this.readable(caller, organizationId, filter));
  }

  private async *pieces(filter: AuditFilter): AsyncGenerator<readonly AuditLog[]> {
    let after: Position | undefined;
    do {
      const { items, next } = await this.logs.listFor(filter, { page: 1, perPage: ENTRIES_IN_PIECE, after });
      yield items;
      after = next;
    } while (after !== undefined);
  }

  private async readable(
    caller: Caller,
    organizationId: number | undefined,
    filter: FilterOfOrganization,
  ): Promise<AuditFilter> {
    const { id } = await this.organizations.resolveForAudit(caller.scope, organizationId);
    this.unitOfWork.note({ organizationId: id });
    caller.requireRole('admin', id);
    return { ...filter, organizationId: id };
  }
}
