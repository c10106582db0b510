import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/database/sql';
import { ProviderSignIn } from './provider-sign-in.entity';

@Injectable()
export class ProviderSignInsRepository {
  private readonly columns = this.database.columns(ProviderSignIn, 's');

  constructor(private readonly database: Database) {}

  async save(signIn: ProviderSignIn): Promise<void> {
    const repository = await this.database.repository(ProviderSignIn);
    await repository.insert(signIn);
  }

  /** Each works once, in the browser that began it. */
  take(stateHash: Buffer, browserHash: Buffer, now: Date): Promise<ProviderSignIn | undefined> {
    return this.database.row(sql`
      DELETE FROM provider_sign_ins s WHERE s.state_hash = ${stateHash} AND s.browser_hash = ${browserHash} AND s.expires > ${now}
      RETURNING ${this.columns}`);
  }

  /** Returns false if the logout token was used before. */
  async useLogout(tokenHash: Buffer, expires: Date): Promise<boolean> {
    const used = await this.database.change(sql`
      INSERT INTO provider_logouts (token_hash, expires) VALUES (${tokenHash}, ${expires}) ON CONFLICT DO NOTHING`);
    return used === 1;
  }

  async deleteExpired(now: Date): Promise<void> {
    await this.database.change(sql`DELETE FROM provider_sign_ins WHERE expires < ${now}`);
    await this.database.change(sql`DELETE FROM provider_logouts WHERE expires < ${now}`);
  }
}
