import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/database/sql';
import { SignInChallenge } from './sign-in-challenge.entity';

export interface ChallengeRecord extends Pick<SignInChallenge, 'userId' | 'expires'> {
  readonly integratorId: number | null;
}

@Injectable()
export class SignInChallengesRepository {
  constructor(private readonly database: Database) {}

  /** Without a scope, because the token is the credential. */
  findByToken(tokenHash: Buffer): Promise<ChallengeRecord | undefined> {
    return this.database.row(sql`
      SELECT c.user_id AS "userId", c.expires, u.integrator_id AS "integratorId"
      FROM sign_in_challenges c JOIN users u ON u.id = c.user_id WHERE c.token_hash = ${tokenHash}`);
  }

  async save(challenge: SignInChallenge): Promise<void> {
    const repository = await this.database.repository(SignInChallenge);
    await repository.insert(challenge);
  }

  /** Those of a user that expire last stay. */
  async removeOldest(userId: number, kept: number): Promise<void> {
    await this.database.change(sql`
      DELETE FROM sign_in_challenges WHERE user_id = ${userId} AND expires <= (
        SELECT expires FROM sign_in_challenges WHERE user_id = ${userId} ORDER BY expires DESC OFFSET ${kept} LIMIT 1)`);
  }

  /** Returns false if another request has completed it. */
  async complete(tokenHash: Buffer): Promise<boolean> {
    return (await this.database.change(sql`DELETE FROM sign_in_challenges WHERE token_hash = ${tokenHash}`)) === 1;
  }

  deleteExpiredBefore(date: Date): Promise<number> {
    return this.database.change(sql`DELETE FROM sign_in_challenges WHERE expires < ${date}`);
  }
}
