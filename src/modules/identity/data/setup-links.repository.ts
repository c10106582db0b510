import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/database/sql';
import type { SetupLink } from './setup-link.entity';

@Injectable()
export class SetupLinksRepository {
  constructor(private readonly database: Database) {}

  async replace({ tokenHash, expires }: Omit<SetupLink, 'id'>): Promise<void> {
    await this.database.change(sql`
      INSERT INTO setup_links (id, token_hash, expires) VALUES (1, ${tokenHash}, ${expires})
      ON CONFLICT (id) DO UPDATE SET token_hash = excluded.token_hash, expires = excluded.expires`);
  }

  async isOpen(tokenHash: Buffer, now: Date): Promise<boolean> {
    const found = await this.database.row(
      sql`SELECT 1 FROM setup_links WHERE token_hash = ${tokenHash} AND expires > ${now}`,
    );
    return found !== undefined;
  }

  /** Returns false if the link is not valid, or another request has used it. */
  async use(tokenHash: Buffer, now: Date): Promise<boolean> {
    return (
      (await this.database.change(
        sql`DELETE FROM setup_links WHERE token_hash = ${tokenHash} AND expires > ${now}`,
      )) === 1
    );
  }
}
