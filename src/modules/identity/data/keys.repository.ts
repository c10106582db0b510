import { Injectable } from '@nestjs/common';
import type { Role } from '../../../kernel/role';
import type { KeyScope } from '../../../platform/api/caller';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/database/sql';
import { ApiKey } from './api-key.entity';

/** A key with its user and the user's memberships, read in one query. */
export interface KeyRecord {
  readonly id: number;
  readonly accessKey: string;
  readonly secretHash: Buffer;
  readonly label: string;
  readonly scopes: KeyScope[];
  readonly organizationId: number | null;
  readonly expires: Date | null;
  readonly revoked: Date | null;
  readonly userId: number;
  readonly email: string;
  readonly integratorId: number | null;
  readonly integratorName: string | null;
  readonly machineEvents: boolean | null;
  readonly memberships: { organization_id: number; role: Role }[];
  readonly limitedToDeleted: boolean;
}

export type NewKey = Pick<
  ApiKey,
  'accessKey' | 'secretHash' | 'userId' | 'label' | 'scopes' | 'organizationId' | 'expires'
>;

@Injectable()
export class KeysRepository {
  constructor(private readonly database: Database) {}

  findByAccessKey(accessKey: string): Promise<KeyRecord | undefined> {
    return this.database.row<KeyRecord>(sql`
      SELECT k.id, k.access_key AS "accessKey", k.secret_hash AS "secretHash", k.label, k.scopes,
        k.organization_id AS "organizationId", k.expires, k.revoked,
        u.id AS "userId", u.email, u.integrator_id AS "integratorId",
        i.name AS "integratorName", i.machine_events AS "machineEvents",
        coalesce(limited.deleted_at IS NOT NULL, false) AS "limitedToDeleted",
        (SELECT coalesce(json_agg(json_build_object('organization_id', m.organization_id, 'role', m.role)), '[]')
           FROM memberships m JOIN organizations o ON o.id = m.organization_id AND o.deleted_at IS NULL
          WHERE m.user_id = u.id AND (k.organization_id IS NULL OR k.organization_id = m.organization_id)) AS memberships
      FROM api_keys k
      JOIN users u ON u.id = k.user_id
      LEFT JOIN integrators i ON i.id = u.integrator_id
      LEFT JOIN organizations limited ON limited.id = k.organization_id
      WHERE k.access_key = ${accessKey}`);
  }

  async save(key: NewKey): Promise<number> {
    const repository = await this.database.repository(ApiKey);
    const { identifiers } = await repository.insert(key);
    return (identifiers[0] as { id: number }).id;
  }

  /** Returns the owner of the key; undefined if there is no such key, or it is already revoked. */
  revoke(accessKey: string): Promise<{ userId: number; organizationId: number | null } | undefined> {
    return this.database.row(sql`
      UPDATE api_keys SET revoked = now() WHERE access_key = ${accessKey} AND revoked IS NULL
      RETURNING user_id AS "userId", organization_id AS "organizationId"`);
  }

  /** At most once a minute for all processes, so that requests with one key do not contend for its row. */
  async touch(id: number): Promise<void> {
    await this.database.change(sql`
      UPDATE api_keys SET last_used = now()
      WHERE id = ${id} AND (last_used IS NULL OR last_used < now() - interval '1 minute')`);
  }
}
