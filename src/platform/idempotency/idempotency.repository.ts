import { Injectable } from '@nestjs/common';
import type { Scope } from '../api/scope';
import { Database } from '../database/database';
import { type Sql, sql } from '../database/sql';
import { ownedIn, visibleTo } from '../database/visible';

/** Identifies a request: an API key, a path and an Idempotency-Key. */
export interface RequestKey {
  readonly apiKeyId: number;
  readonly path: string;
  readonly key: string;
}

/** The right to answer a request: a later claim of the same has another token. */
export interface RequestClaim extends RequestKey {
  readonly token: string;
}

export interface StoredResponse {
  /** The organization of the record in the response, if there is one. */
  readonly organizationId: number | null;
  readonly status: number;
  readonly location: string | null;
  readonly etag: string | null;
  readonly body: unknown;
}

export interface StoredRequest extends Omit<StoredResponse, 'status'> {
  readonly requestHash: Buffer;
  /** Null while the first request is running. */
  readonly status: number | null;
  /** Since its claim was made or renewed. */
  readonly seconds: number;
  /** Whether the caller can no longer read the organization of the record. */
  readonly isHidden: boolean;
}

/**
 * A request whose claim nobody renewed was interrupted. If its process still runs, its transaction does not find its token, and
 * is rolled back: effect and response are committed together.
 */
export const LEASE_SECONDS = 10;

/** Processes of 0.2.0 have no tokens, and renew every five seconds. */
const LEASE_WITHOUT_TOKEN_SECONDS = 60;

const isMine = ({ apiKeyId, path, key, token }: RequestClaim): Sql =>
  sql`api_key_id = ${apiKeyId} AND path = ${path} AND key = ${key} AND status IS NULL AND token = ${token}`;

@Injectable()
export class IdempotencyRepository {
  constructor(private readonly database: Database) {}

  /**
   * Claims the request if it is new or was abandoned. Locks the row of any other, so that its commit waits for the synchronous
   * standbys too: they may lack the stored response.
   */
  async claim({ apiKeyId, path, key, token }: RequestClaim, requestHash: Buffer): Promise<boolean> {
    const claimed = await this.database.change(sql`
      INSERT INTO idempotency_keys AS known (api_key_id, path, key, request_hash, token)
      VALUES (${apiKeyId}, ${path}, ${key}, ${requestHash}, ${token})
      ON CONFLICT (api_key_id, path, key) DO UPDATE SET created = excluded.created, request_hash = excluded.request_hash, token = excluded.token
        WHERE known.status IS NULL AND known.created < now() - make_interval(secs =>
          CASE WHEN known.token IS NULL THEN ${LEASE_WITHOUT_TOKEN_SECONDS}::int ELSE ${LEASE_SECONDS} END)`);
    return claimed === 1;
  }

  find({ apiKeyId, path, key }: RequestKey, scope: Scope): Promise<StoredRequest | undefined> {
    return this.database.row<StoredRequest>(sql`
      SELECT k.request_hash AS "requestHash", k.status, k.location, k.etag, k.body, k.organization_id AS "organizationId",
        extract(epoch FROM now() - k.created)::float8 AS seconds, k.organization_id IS NOT NULL AND NOT ${visibleTo(scope, 'k.organization_id')} AS "isHidden"
      FROM idempotency_keys k
      WHERE k.api_key_id = ${apiKeyId} AND k.path = ${path} AND k.key = ${key}`);
  }

  /** Waits for no lock: the transaction that has it stores the response. */
  async renew(claim: RequestClaim): Promise<void> {
    await this.database.change(sql`
      UPDATE idempotency_keys SET created = now() WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM idempotency_keys WHERE ${isMine(claim)} FOR UPDATE SKIP LOCKED))`);
  }

  /** Returns false if another request has the claim now. */
  async store(claim: RequestClaim, { organizationId, status, location, etag, body }: StoredResponse): Promise<boolean> {
    const stored = await this.database.change(sql`
      UPDATE idempotency_keys SET organization_id = ${organizationId}, status = ${status}, location = ${location}, etag = ${etag}, body = ${JSON.stringify(body ?? null)}
      WHERE ${isMine(claim)}`);
    return stored === 1;
  }

  /** Removes the claim of a failed request, so that it can be repeated. */
  async release(claim: RequestClaim): Promise<void> {
    await this.database.change(sql`DELETE FROM idempotency_keys WHERE ${isMine(claim)}`);
  }

  /**
   * Skips locked rows, so that processes do not wait for each other. Uses ctid, because without statistics the planner would
   * choose a quadratic self-join.
   */
  removeSomeOlderThan(scope: Scope, hours: number, limit: number): Promise<number> {
    return this.database.change(sql`
      DELETE FROM idempotency_keys WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM idempotency_keys WHERE created < now() - make_interval(hours => ${hours})
          AND ${ownedIn(scope, 'organization_id')} LIMIT ${limit} FOR UPDATE SKIP LOCKED))`);
  }
}
