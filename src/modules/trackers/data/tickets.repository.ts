import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { conflict } from '../../../kernel/domain-error';
import type { Page, Slice } from '../../../kernel/page';
import type { Scope } from '../../../platform/api/scope';
import { Database } from '../../../platform/database/database';
import { onViolation } from '../../../platform/database/database-errors';
import { byId, readSlice } from '../../../platform/database/list-order';
import { allOf, emptySql, raw, type Sql, sql } from '../../../platform/database/sql';
import { visibleTo } from '../../../platform/database/visible';
import type { DestinationReference } from '../../feed';
import { FOLLOWED_STATES, type TicketState } from '../domain/ticket-states';
import { Ticket, type TicketReference } from './ticket.entity';

export type NewTicketRow = Pick<Ticket, 'organizationId' | 'trackerId' | 'findingId' | 'byHand'> &
  Partial<Pick<Ticket, 'key' | 'replaces'>>;

export interface TicketFilter {
  readonly state?: TicketState;
  /** Only those whose last step failed. */
  readonly isFailing?: boolean;
}

const ofTracker = ({ id, organizationId }: DestinationReference): Sql =>
  sql`t.tracker_id = ${id} AND t.organization_id = ${organizationId}`;

const isOfAnother = () => conflict('The ticket belongs to another finding.');

const newestFirst = byId<Ticket>('t.id');

@Injectable()
export class TicketsRepository {
  private readonly columns = this.database.columns(Ticket, 't');

  constructor(private readonly database: Database) {}

  countWaitingOfLocked(tracker: DestinationReference): Promise<number> {
    return this.database.count(
      sql`SELECT count(*)::int AS count FROM tickets t WHERE ${ofTracker(tracker)} AND t.state = 'wanted'`,
    );
  }

  /** Findings that have a ticket are left out. Returns how many were added. */
  async add(rows: readonly NewTicketRow[], now: Date): Promise<number> {
    if (rows.length === 0) return 0;
    const full = rows.map((row) => ({
      ...row,
      marker: randomUUID(),
      state: 'wanted' as const,
      key: row.key ?? null,
      replaces: row.replaces ?? null,
      nextAttempt: now,
      changed: now,
    }));
    return this.database.change(sql`
      INSERT INTO tickets ${this.database.insertedRows(Ticket, full)}
      ON CONFLICT (finding_id, organization_id) WHERE state <> 'replaced' DO NOTHING`);
  }

  findOfFinding(scope: Scope, findingId: number): Promise<Ticket | undefined> {
    return this.ofFinding(scope, findingId, emptySql);
  }

  lockOfFinding(scope: Scope, findingId: number): Promise<Ticket | undefined> {
    return this.ofFinding(scope, findingId, raw('FOR NO KEY UPDATE OF t'));
  }

  /** Of the ticket before, whose successor the caller has read in scope. */
  async findUrlOfVisible(id: number): Promise<string | null> {
    const row = await this.database.row<Pick<Ticket, 'url'>>(sql`SELECT t.url FROM tickets t WHERE t.id = ${id}`);
    return row?.url ?? null;
  }

  async findOrganization(scope: Scope, id: number): Promise<number | undefined> {
    const row = await this.database.row<TicketReference>(sql`
      SELECT t.organization_id AS "organizationId" FROM tickets t
      WHERE t.id = ${id} AND ${visibleTo(scope, 't.organization_id')}`);
    return row?.organizationId;
  }

  listOfVisible(tracker: DestinationReference, { state, isFailing }: TicketFilter, page: Page): Promise<Slice<Ticket>> {
    const conditions = allOf([
      state && sql`t.state = ${state}`,
      isFailing === undefined ? undefined : sql`(t.error IS NOT NULL) = ${isFailing}::boolean`,
    ]);
    const list = sql`FROM tickets t WHERE ${ofTracker(tracker)} AND ${conditions}`;
    return readSlice(this.database, page, newestFirst, {
      rows: sql`SELECT ${this.columns} ${list}${newestFirst.page(page)}`,
      list,
    });
  }

  /** Which of these findings have none. */
  async listWithoutOfVisible(organizationId: number, findingIds: readonly number[]): Promise<number[]> {
    const rows = await this.database.rows<{ readonly findingId: number }>(sql`
      SELECT t.finding_id AS "findingId" FROM tickets t
      WHERE t.organization_id = ${organizationId} AND t.finding_id = ANY(${findingIds}::int[]) AND t.state <> 'replaced'`);
    const having = new Set(rows.map(({ findingId }) => findingId));
    return findingIds.filter((id) => !having.has(id));
  }

  /** Begins a step: another worker takes it only when it counts as lost. Those that people wait for come first. */
  async take(
    tracker: DestinationReference,
    { now, until }: { readonly now: Date; readonly until: Date },
  ): Promise<Ticket | undefined> {
    return this.database.row<Ticket>(sql`
      UPDATE tickets t SET claims = t.claims + 1, attempts = t.attempts + 1, next_attempt = ${until},
        first_attempt = coalesce(t.first_attempt, ${now})
      WHERE ${ofTracker(tracker)} AND t.id = ANY (ARRAY(
        SELECT t.id FROM tickets t WHERE ${ofTracker(tracker)} AND t.next_attempt <= ${now}
        ORDER BY t.by_hand DESC, t.next_attempt, t.id LIMIT 1 FOR UPDATE SKIP LOCKED))
      RETURNING ${this.columns}`);
  }

  /** The step that was taken. Returns undefined if another one has begun since. */
  lockTaken({ id, organizationId, claims }: Ticket): Promise<Ticket | undefined> {
    return this.database.row<Ticket>(sql`
      SELECT ${this.columns} FROM tickets t
      WHERE t.id = ${id} AND t.organization_id = ${organizationId} AND t.claims = ${claims} FOR NO KEY UPDATE OF t`);
  }

  async change({ id, organizationId }: TicketReference, change: Partial<Omit<Ticket, 'id' | 'organizationId'>>) {
    const repository = await this.database.repository(Ticket);
    await onViolation(repository.update({ id, organizationId }, change as object), { uq_tickets_remote: isOfAnother });
  }

  /** Those that are due: the most tickets of a minute or of a day are opened. */
  async postponeWanted(tracker: DestinationReference, now: Date, until: Date): Promise<void> {
    await this.database.change(sql`
      UPDATE tickets t SET next_attempt = ${until}
      WHERE ${ofTracker(tracker)} AND t.state = 'wanted' AND t.next_attempt <= ${now}`);
  }

  /** Tickets whose retest is not known to have ended. */
  countTestedOfLocked(organizationId: number): Promise<number> {
    return this.database.count(sql`
      SELECT count(*)::int AS count FROM tickets t
      WHERE t.organization_id = ${organizationId} AND t.state IN ('testing', 'verdict')`);
  }

  async hasAny(tracker: DestinationReference): Promise<boolean> {
    return (await this.database.row(sql`SELECT t.id FROM tickets t WHERE ${ofTracker(tracker)} LIMIT 1`)) !== undefined;
  }

  async remove({ id, organizationId }: TicketReference): Promise<void> {
    const repository = await this.database.repository(Ticket);
    await repository.delete({ id, organizationId });
  }

  /** Those that have changed in the tracker, or whose finding has. One whose last step failed keeps its time. */
  async lookAt(
    tracker: DestinationReference,
    { remoteIds = [], findingIds = [] }: { remoteIds?: readonly string[]; findingIds?: readonly number[] },
    now: Date,
  ): Promise<void> {
    await this.database.change(sql`
      UPDATE tickets t SET next_attempt = ${now} WHERE ${ofTracker(tracker)} AND t.attempts = 0
        AND t.state = ANY(${FOLLOWED_STATES}::text[]) AND coalesce(t.next_attempt > ${now}, true)
        AND (t.remote_id = ANY(${remoteIds}::text[]) OR t.finding_id = ANY(${findingIds}::int[]))`);
  }

  private ofFinding(scope: Scope, findingId: number, rest: Sql): Promise<Ticket | undefined> {
    return this.database.row<Ticket>(sql`
      SELECT ${this.columns} FROM tickets t
      WHERE t.finding_id = ${findingId} AND t.state <> 'replaced' AND ${visibleTo(scope, 't.organization_id')} ${rest}`);
  }
}
