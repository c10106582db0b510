import { type Sql, sql } from '../../../platform/database/sql';

/** The factors that a user has beside the password. */
export interface OwnFactors {
  readonly hasCode: boolean;
  readonly hasPasskey: boolean;
}

/** The columns of `OwnFactors`. */
export const ownFactors = (userId: Sql | number): Sql => sql`
  EXISTS (SELECT 1 FROM second_factors f WHERE f.user_id = ${userId} AND f.confirmed IS NOT NULL) AS "hasCode",
  EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = ${userId}) AS "hasPasskey"`;
