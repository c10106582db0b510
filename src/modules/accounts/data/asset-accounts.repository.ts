import { Injectable } from '@nestjs/common';
import type { EndingRequest, SignInReport } from '../../../engine';
import type { Scope } from '../../../platform/api/scope';
import { Database } from '../../../platform/database/database';
import { onViolation } from '../../../platform/database/database-errors';
import { type Sql, emptySql, raw, sql } from '../../../platform/database/sql';
import { visibleTo } from '../../../platform/database/visible';
import { accountExists } from '../domain/account.errors';
import type { Turn } from '../domain/turns';
import { type AssetAccount, AssetAccountRow, type SignInState, UNREAD } from './asset-account.entity';

export type NewAccount = Pick<
  AssetAccountRow,
  | 'organizationId'
  | 'assetId'
  | 'name'
  | 'role'
  | 'recipe'
  | 'origins'
  | 'launchRole'
  | 'ciKeys'
  | 'ownValues'
  | 'expires'
  | 'sealed'
>;

export type StoredChange = Partial<
  Omit<AssetAccountRow, 'id' | 'organizationId' | 'assetId' | 'signIns' | 'turns' | 'created'>
>;

/** The most sign-ins in an hour, of all workers together. */
const MAX_SIGN_INS_AN_HOUR = 60;

/** The failed sign-ins in a row after which the account is stopped. */
const MAX_FAILURES = 2;

const MAX_SHOWN = 50;

const MAX_ENDING_REQUESTS = 100;

const lastHour = raw(
  `(SELECT coalesce(array_agg(at ORDER BY at), '{}') FROM unnest(a.sign_ins) at WHERE at > now() - interval '1 hour')`,
);

@Injectable()
export class AssetAccountsRepository {
  private readonly columns = sql`${this.database.columns(AssetAccountRow, 'a', UNREAD)}, a.sealed IS NOT NULL AS "hasSecrets"`;

  constructor(private readonly database: Database) {}

  findOne(scope: Scope, assetId: number, id: number): Promise<AssetAccount | undefined> {
    return this.one(scope, sql`a.asset_id = ${assetId} AND a.id = ${id}`);
  }

  findById(scope: Scope, id: number): Promise<AssetAccount | undefined> {
    return this.one(scope, sql`a.id = ${id}`);
  }

  listByIds(scope: Scope, ids: readonly number[]): Promise<AssetAccount[]> {
    return this.database.rows<AssetAccount>(sql`
      SELECT ${this.columns} FROM asset_accounts a WHERE a.id = ANY(${ids}::int[]) AND ${visibleTo(scope, 'a.organization_id')}
      ORDER BY array_position(${ids}::int[], a.id)`);
  }

  lockById(scope: Scope, id: number): Promise<AssetAccount | undefined> {
    return this.one(scope, sql`a.id = ${id}`, raw('FOR UPDATE'));
  }

  /** Sorted by name. */
  listOfVisible(assetId: number): Promise<AssetAccount[]> {
    return this.database.rows<AssetAccount>(
      sql`SELECT ${this.columns} FROM asset_accounts a WHERE a.asset_id = ${assetId} ORDER BY a.name, a.id`,
    );
  }

  /** The accounts of an organization that may sign in at an origin. */
  listAtOrigin(scope: Scope, organizationId: number, origin: string): Promise<AssetAccount[]> {
    return this.database.rows<AssetAccount>(sql`
      SELECT ${this.columns} FROM asset_accounts a
      WHERE a.organization_id = ${organizationId} AND ${visibleTo(scope, 'a.organization_id')} AND ${origin} = ANY(a.origins)
      ORDER BY a.name, a.id`);
  }

  /** At most as many as a form shows. */
  listConsentedOfVisible(organizationId: number): Promise<AssetAccount[]> {
    return this.database.rows<AssetAccount>(sql`
      SELECT ${this.columns} FROM asset_accounts a
      WHERE a.organization_id = ${organizationId} AND a.consented_at IS NOT NULL ORDER BY a.name, a.id LIMIT ${MAX_SHOWN}`);
  }

  /** The number in an organization that is locked for counting, and how many of them an asset has. */
  async countOfLocked(organizationId: number, assetId: number): Promise<{ all: number; ofAsset: number }> {
    const row = await this.database.row<{ all: number; ofAsset: number }>(sql`
      SELECT count(*)::int AS "all", (count(*) FILTER (WHERE a.asset_id = ${assetId}))::int AS "ofAsset"
      FROM asset_accounts a WHERE a.organization_id = ${organizationId}`);
    return row ?? { all: 0, ofAsset: 0 };
  }

  async add(account: NewAccount): Promise<number> {
    const repository = await this.database.repository(AssetAccountRow);
    const row = repository.create(account);
    await onViolation(repository.insert(row as never), { uq_asset_accounts_name: accountExists });
    return row.id;
  }

  /** The caller has locked it. */
  async change(
    { id, organizationId }: Pick<AssetAccount, 'id' | 'organizationId'>,
    change: StoredChange,
  ): Promise<void> {
    const repository = await this.database.repository(AssetAccountRow);
    const changed = repository.update({ id, organizationId }, change);
    await onViolation(changed, { uq_asset_accounts_name: accountExists });
  }

  /** Other accounts are no longer compared with it. */
  async remove({ id, organizationId }: Pick<AssetAccount, 'id' | 'organizationId'>): Promise<void> {
    await this.database.change(sql`
      UPDATE asset_accounts a SET relations = coalesce(
        (SELECT jsonb_agg(r) FROM jsonb_array_elements(a.relations) r WHERE (r->>'account')::int <> ${id}), '[]')
      WHERE a.organization_id = ${organizationId} AND a.relations @> ${JSON.stringify([{ account: id }])}::jsonb`);
    const repository = await this.database.repository(AssetAccountRow);
    await repository.delete({ id, organizationId });
  }

  findSealedOfVisible(id: number): Promise<Pick<AssetAccountRow, 'sealed' | 'sealedSteps'> | undefined> {
    return this.database.row(
      sql`SELECT a.sealed, a.sealed_steps AS "sealedSteps" FROM asset_accounts a WHERE a.id = ${id}`,
    );
  }

  /** Counts one sign-in. Returns null if it is allowed, otherwise the seconds until one is. */
  async countSignIn(id: number): Promise<number | null> {
    const counted = await this.database.change(sql`
      UPDATE asset_accounts a SET sign_ins = ${lastHour} || now()::timestamptz(3)
      WHERE a.id = ${id} AND cardinality(${lastHour}) < ${MAX_SIGN_INS_AN_HOUR}`);
    if (counted === 1) return null;
    const row = await this.database.row<{ seconds: number | null }>(sql`
      SELECT ceil(extract(epoch FROM min(at) + interval '1 hour' - now()))::int AS seconds
      FROM asset_accounts a CROSS JOIN unnest(a.sign_ins) at WHERE a.id = ${id} AND at > now() - interval '1 hour'`);
    return row?.seconds ?? 0;
  }

  /** Returns whether this has stopped the account. A sign-in with an earlier recipe does not count. */
  async countFailure(id: number, version: number, reason: string): Promise<boolean> {
    const row = await this.database.row<{ stopped: boolean }>(sql`
      UPDATE asset_accounts a SET failures = a.failures + 1, refused_at = now(), refusal = ${reason},
        stopped_at = CASE WHEN a.failures + 1 >= ${MAX_FAILURES} THEN coalesce(a.stopped_at, now()) ELSE a.stopped_at END
      WHERE a.id = ${id} AND a.version = ${version} RETURNING a.failures = ${MAX_FAILURES} AS stopped`);
    return row?.stopped === true;
  }

  async saveSignedIn(id: number, version: number): Promise<void> {
    await this.database.change(
      sql`UPDATE asset_accounts a SET failures = 0 WHERE a.id = ${id} AND a.version = ${version}`,
    );
  }

  async saveProved(id: number, version: number): Promise<void> {
    await this.database.change(sql`
      UPDATE asset_accounts a SET proved_at = now() WHERE a.id = ${id} AND a.version = ${version}`);
  }

  async saveRefused(id: number, version: number, reason: string): Promise<void> {
    await this.database.change(sql`
      UPDATE asset_accounts a SET refused_at = now(), refusal = ${reason} WHERE a.id = ${id} AND a.version = ${version}`);
  }

  /** Undefined if the account was deleted. Locks it until the transaction ends. */
  async lockTurns(id: number): Promise<{ readonly turns: readonly Turn[]; readonly now: number } | undefined> {
    return this.database.row(sql`
      SELECT a.turns, (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now FROM asset_accounts a WHERE a.id = ${id} FOR UPDATE`);
  }

  async saveTurns(id: number, turns: readonly Turn[]): Promise<void> {
    await this.database.change(sql`UPDATE asset_accounts SET turns = ${JSON.stringify(turns)}::jsonb WHERE id = ${id}`);
  }

  /** Of all accounts of its asset. */
  async endingRequestsOfVisible({
    assetId,
    organizationId,
  }: Pick<AssetAccount, 'assetId' | 'organizationId'>): Promise<EndingRequest[]> {
    const rows = await this.database.rows<Pick<AssetAccountRow, 'endingRequests'>>(sql`
      SELECT a.ending_requests AS "endingRequests" FROM asset_accounts a
      WHERE a.asset_id = ${assetId} AND a.organization_id = ${organizationId}`);
    return rows.flatMap(({ endingRequests }) => endingRequests);
  }

  async addEndingRequest(id: number, request: EndingRequest): Promise<void> {
    const text = JSON.stringify([request]);
    await this.database.change(sql`
      UPDATE asset_accounts SET ending_requests = ending_requests || ${text}::jsonb
      WHERE id = ${id} AND NOT ending_requests @> ${text}::jsonb AND jsonb_array_length(ending_requests) < ${MAX_ENDING_REQUESTS}`);
  }

  /** Undefined if the sign-in is over, or was deleted. */
  beginSignIn(scope: Scope, uuid: string): Promise<AssetAccount | undefined> {
    return this.database.row<AssetAccount>(sql`
      UPDATE asset_accounts a SET sign_in_status = 'IN_PROGRESS'
      WHERE a.sign_in_uuid = ${uuid} AND a.sign_in_status IN ('PENDING', 'IN_PROGRESS') AND ${visibleTo(scope, 'a.organization_id')}
      RETURNING ${this.columns}`);
  }

  /** Does nothing if the sign-in is over. */
  async endSignIn(
    uuid: string,
    status: Extract<SignInState, 'FINISHED' | 'ERROR'>,
    {
      error,
      report,
      sealedSteps = null,
    }: { readonly error: string | null; readonly report: SignInReport | null; readonly sealedSteps?: Buffer | null },
  ): Promise<void> {
    await this.database.change(sql`
      UPDATE asset_accounts SET sign_in_status = ${status}, sign_in_error = ${error}, sealed_steps = ${sealedSteps},
        sign_in_report = ${report === null ? null : JSON.stringify(report)}::json
      WHERE sign_in_uuid = ${uuid} AND sign_in_status IN ('PENDING', 'IN_PROGRESS')`);
  }

  async listAfter(id: number, limit: number): Promise<{ id: number; sealed: Buffer }[]> {
    return this.database.rows(sql`
      SELECT id, sealed FROM asset_accounts WHERE id > ${id} AND sealed IS NOT NULL ORDER BY id LIMIT ${limit}`);
  }

  /** Returns false if the secret was replaced meanwhile. */
  async reencrypt({ id, sealed }: { id: number; sealed: Buffer }, resealed: Buffer): Promise<boolean> {
    const changed = await this.database.change(
      sql`UPDATE asset_accounts SET sealed = ${resealed} WHERE id = ${id} AND sealed = ${sealed}`,
    );
    return changed === 1;
  }

  /** In all organizations: they are recorded again. */
  async removeSealedSteps(): Promise<void> {
    await this.database.change(sql`UPDATE asset_accounts SET sealed_steps = NULL WHERE sealed_steps IS NOT NULL`);
  }

  /** In all organizations. */
  removeName(userId: number, replacement: string): Promise<number> {
    return this.database.change(
      sql`UPDATE asset_accounts SET consented_by = ${replacement}, consented_by_id = NULL WHERE consented_by_id = ${userId}`,
    );
  }

  private one(scope: Scope, condition: Sql, rest: Sql = emptySql): Promise<AssetAccount | undefined> {
    return this.database.row<AssetAccount>(sql`
      SELECT ${this.columns} FROM asset_accounts a WHERE ${condition} AND ${visibleTo(scope, 'a.organization_id')} ${rest}`);
  }
}
