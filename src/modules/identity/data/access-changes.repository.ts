import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/database/sql';

@Injectable()
export class AccessChangesRepository {
  constructor(private readonly database: Database) {}

  /** Another text after each commit of a change. The highest id would hide one that commits after a later one. */
  async version(): Promise<string> {
    this.database.readFromPrimary();
    const row = await this.database.row<{ version: string }>(
      sql`SELECT count(*) || ' ' || coalesce(sum(id), 0) AS version FROM access_changes`,
    );
    return row?.version ?? '';
  }

  async removeOld(minutes: number): Promise<void> {
    await this.database.change(
      sql`DELETE FROM access_changes WHERE at < now() - make_interval(mins => ${minutes}::int)`,
    );
  }
}
