import { type Sql, sql } from '../../../platform/database/sql';

/** The factors that a user has besides the password. */
export interface OwnFactors {
  readonly hasCode: boolean;
  readonly hasPasskey: boolean;
}

/** The columns of `OwnFactors`. */
export const ownFactors = (userId: Sql | number): Sql => sql`
  EXISTS (SELECT 1 FROM second_factors f WHERE f.user_id = ${userId} AND f.confirmed IS NOT NULL) AS "hasCode",
  EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = ${userId}) AS "hasPasskey"`;

/** Recovery codes end with the last factor. The caller has locked the user. */
export const endCodesOfNoFactor = (userId: number): Sql => sql`
  DELETE FROM recovery_codes r USING (SELECT ${ownFactors(userId)}) own
  WHERE r.user_id = ${userId} AND NOT own."hasCode" AND NOT own."hasPasskey"`;
