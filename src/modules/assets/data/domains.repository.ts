import { Injectable } from '@nestjs/common';
import type { Page, Slice } from '../../../kernel/page';
import type { Scope } from '../../../platform/api/scope';
import { Database } from '../../../platform/database/database';
import { onViolation } from '../../../platform/database/database-errors';
import { type Sql, emptySql, raw, sql } from '../../../platform/database/sql';
import { byId, readSlice } from '../../../platform/database/list-order';
import { visibleTo } from '../../../platform/database/visible';
import { domainExists } from '../domain/domain.errors';
import type { LookupState } from '../domain/domain-lookups';
import { selfAndParents } from '../domain/domain-name';
import { Domain } from './domain.entity';

export type NewDomain = Pick<Domain, 'organizationId' | 'value' | 'registrable' | 'verificationToken' | 'nextLookup'>;

export interface LookupRecord {
  readonly at: Date;
  /** The result as a sentence. */
  readonly result: string;
}

/** A verified domain of another organization that is the same domain, a parent or a subdomain. */
export type VerifiedOwner = Domain & { readonly ofDeleted: boolean };

/** An arbitrary number that separates these advisory locks from other locks on the same texts. */
const LOCK_SEED = 528_917_043;

const newestFirst = byId<Domain>('d.id');

@Injectable()
export class DomainsRepository {
  private readonly columns = this.database.columns(Domain, 'd');

  constructor(private readonly database: Database) {}

  findOne(scope: Scope, id: number): Promise<Domain | undefined> {
    return this.one(scope, sql`d.id = ${id}`);
  }

  findIn(scope: Scope, organizationId: number, id: number): Promise<Domain | undefined> {
    return this.one(scope, sql`d.id = ${id} AND d.organization_id = ${organizationId}`);
  }

  lockOne(scope: Scope, id: number): Promise<Domain | undefined> {
    return this.one(scope, sql`d.id = ${id}`, raw('FOR UPDATE'));
  }

  lockIn(scope: Scope, organizationId: number, id: number): Promise<Domain | undefined> {
    return this.one(scope, sql`d.id = ${id} AND d.organization_id = ${organizationId}`, raw('FOR UPDATE'));
  }

  /** Serializes decisions on who owns domains below the same registrable domain, until the transaction ends. */
  async lockOwnership(id: number): Promise<void> {
    await this.database.rows(sql`
      SELECT pg_advisory_xact_lock(hashtextextended(registrable, ${LOCK_SEED})) FROM domains WHERE id = ${id}`);
  }

  /** Includes deleted organizations, because their rows count for the unique index until they are purged. */
  listVerifiedOwners({ organizationId, registrable, value }: Domain): Promise<VerifiedOwner[]> {
    const below = `.${value}`;
    return this.database.rows<VerifiedOwner>(sql`
      SELECT ${this.columns}, o.deleted_at IS NOT NULL AS "ofDeleted"
      FROM domains d JOIN organizations o ON o.id = d.organization_id
      WHERE d.registrable = ${registrable} AND d.verified AND d.organization_id <> ${organizationId}
        AND (d.value = ANY(${selfAndParents(value)}::text[]) OR right(d.value, ${below.length}) = ${below})
      ORDER BY d.id`);
  }

  async isAnyVerified(organizationId: number, names: readonly string[]): Promise<boolean> {
    const row = await this.database.row(sql`
      SELECT 1 FROM domains WHERE organization_id = ${organizationId} AND value = ANY(${names}::text[]) AND verified LIMIT 1`);
    return row !== undefined;
  }

  /** Those of the names that are verified domains of the organization. */
  async listOrganizationsWithVerified(names: readonly string[]): Promise<number[]> {
    const rows = await this.database.rows<{ id: number }>(sql`
      SELECT DISTINCT organization_id AS id FROM domains WHERE value = ANY(${names}::text[]) AND verified`);
    return rows.map(({ id }) => id);
  }

  async listVerifiedAmong(organizationId: number, names: readonly string[]): Promise<string[]> {
    const rows = await this.database.rows<{ value: string }>(sql`
      SELECT value FROM domains WHERE organization_id = ${organizationId} AND value = ANY(${names}::text[]) AND verified`);
    return rows.map(({ value }) => value);
  }

  /** The closest first. */
  listVerifiedOf(organizationId: number, names: readonly string[]): Promise<Domain[]> {
    return this.database.rows<Domain>(sql`
      SELECT ${this.columns} FROM domains d
      WHERE d.organization_id = ${organizationId} AND d.value = ANY(${names}::text[]) AND d.verified ORDER BY length(d.value) DESC`);
  }

  /** Not verified, or not found by the last lookups. */
  listUnproven(scope: Scope, organizationId: number, page: Page): Promise<Slice<Domain>> {
    const list = sql`FROM domains d WHERE d.organization_id = ${organizationId} AND (NOT d.verified OR d.misses > 0)
      AND ${visibleTo(scope, 'd.organization_id')}`;
    const rows = sql`SELECT ${this.columns} ${list}${newestFirst.page(page)}`;
    return readSlice(this.database, page, newestFirst, { rows, list });
  }

  listFor(scope: Scope, organizationId: number, page: Page): Promise<Slice<Domain>> {
    const list = sql`FROM domains d WHERE d.organization_id = ${organizationId} AND ${visibleTo(scope, 'd.organization_id')}`;
    const rows = sql`
      SELECT ${this.columns} FROM (SELECT d.id ${list}${newestFirst.page(page)}) page
      JOIN domains d USING (id) ${newestFirst.by(page)}`;
    return readSlice(this.database, page, newestFirst, { rows, list });
  }

  /** Domains whose lookup is due, longest overdue first. */
  listDue(scope: Scope, limit: number): Promise<Pick<Domain, 'id' | 'organizationId'>[]> {
    return this.database.rows(sql`
      SELECT d.id, d.organization_id AS "organizationId" FROM domains d
      WHERE d.next_lookup <= now() AND ${visibleTo(scope, 'd.organization_id')}
      ORDER BY d.next_lookup LIMIT ${limit}`);
  }

  async save(domain: NewDomain): Promise<number> {
    const repository = await this.database.repository(Domain);
    const row = repository.create(domain);
    await onViolation(repository.insert(row), { uq_domains_value: domainExists });
    return row.id;
  }

  /** Returns the domain after the change. */
  saveLookup(
    id: number,
    { verified, failedLookups, misses, lastMiss, next }: LookupState,
    record: LookupRecord,
  ): Promise<Domain | undefined> {
    return this.database.row<Domain>(sql`
      UPDATE domains d SET verified = ${verified}, lookups = ${failedLookups}, misses = ${misses}, last_miss = ${lastMiss},
        next_lookup = ${next}, last_lookup = ${record.at}, last_result = ${record.result}
      WHERE d.id = ${id} RETURNING ${this.columns}`);
  }

  async remove(id: number): Promise<void> {
    const repository = await this.database.repository(Domain);
    await repository.delete({ id });
  }

  private one(scope: Scope, condition: Sql, suffix: Sql = emptySql): Promise<Domain | undefined> {
    return this.database.row<Domain>(
      sql`SELECT ${this.columns} FROM domains d WHERE ${condition} AND ${visibleTo(scope, 'd.organization_id')} ${suffix}`,
    );
  }
}
