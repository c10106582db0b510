import { type Sql, sql } from '../../../platform/database/sql';

/**
 * The events that end ways into an account. `proved`: the first proof of its address. `withdrawn`: a link that an owner handed over.
 * `new_password`: a later link by mail. `left`: a removal from an organization, by a person or by its provider. `signed_out`: the
 * user ends all other sessions, or changes how to sign in.
 */
export const OCCASIONS = ['proved', 'withdrawn', 'new_password', 'left', 'signed_out'] as const;
export type Occasion = (typeof OCCASIONS)[number];

export interface Leaving {
  readonly userId: number;
  /** Of `left`. */
  readonly organizationId: number;
  /** Of `signed_out`, 0 for none. */
  readonly keptSessionId: number;
  /** Identities that the first proof does not end. */
  readonly keptIdentityIds: readonly number[];
}

/** A statement that ends it, or asks the user to decide, and returns a label for each; otherwise the reason why it stays. */
export type Fate = ((leaving: Leaving) => Sql) | string;

/** A way into an account, and what happens to it at each occasion. */
export type AccessPath = Readonly<Record<Occasion, Fate>> & {
  readonly name: string;
  /** All tables that have a part of it. Empty if it is stored nowhere. */
  readonly tables: readonly string[];
};

const ofUser = ({ userId }: Leaving): Sql => sql`user_id = ${userId}`;
const usable = sql`revoked IS NULL AND (expires IS NULL OR expires > now())`;

const endKeys = (leaving: Leaving): Sql =>
  sql`UPDATE api_keys SET revoked = now() WHERE ${ofUser(leaving)} AND ${usable} RETURNING label`;

const endIdentities = (leaving: Leaving): Sql => sql`
  DELETE FROM provider_identities WHERE ${ofUser(leaving)} AND id <> ALL(${leaving.keptIdentityIds}::int[])
  RETURNING issuer AS label`;

const endSessions = (leaving: Leaving): Sql => sql`
  DELETE FROM sessions WHERE ${ofUser(leaving)} AND id <> ${leaving.keptSessionId}
  RETURNING coalesce(user_agent, '') AS label`;

const endSteps = (leaving: Leaving): Sql =>
  sql`DELETE FROM sign_in_challenges WHERE ${ofUser(leaving)} RETURNING 'sign-in' AS label`;

/** Also those that a newer link replaced. */
const endPasswordLinks = (leaving: Leaving): Sql => sql`
  WITH mailed AS (DELETE FROM mailed_password_resets WHERE ${ofUser(leaving)}),
    replaced AS (DELETE FROM replaced_password_resets WHERE ${ofUser(leaving)})
  DELETE FROM password_resets WHERE ${ofUser(leaving)} RETURNING 'link' AS label`;

/** Those that the user has sent, and links for new passwords that the user has created. */
const endInvitations = ({ userId }: Leaving): Sql => sql`
  WITH links AS (DELETE FROM password_resets WHERE requested_by = ${userId})
  UPDATE invitations SET revoked = now()
  WHERE invited_by = ${userId} AND accepted IS NULL AND revoked IS NULL AND expires > now() RETURNING email AS label`;

/** The same person may have noted them. With what is left, the user creates new ones. */
const endCodes = (leaving: Leaving): Sql =>
  sql`codes AS (DELETE FROM recovery_codes WHERE ${ofUser(leaving)} AND EXISTS (SELECT 1 FROM ended))`;

/** An app without a first code always ends: its set-up could still be completed as a second factor. */
const endApp = (leaving: Leaving, isEnded: Sql): Sql => sql`
  WITH removed AS (
    DELETE FROM second_factors WHERE ${ofUser(leaving)} AND (confirmed IS NULL OR ${isEnded}) RETURNING confirmed),
  ended AS (SELECT 'app' AS label FROM removed WHERE confirmed IS NOT NULL),
  ${endCodes(leaving)}
  SELECT label FROM ended`;

const endPasskeys = (leaving: Leaving): Sql => sql`
  WITH ended AS (DELETE FROM passkeys WHERE ${ofUser(leaving)} AND is_unproved RETURNING name AS label),
  ${endCodes(leaving)}
  SELECT label FROM ended`;

const SIGNS_IN_AGAIN = 'it opens what is left of the account';

/**
 * All ways into an account, in the order in which they end. A module that owns another one adds it with `AccessPaths.register`. A
 * test refuses a table that refers to users and is in none.
 */
export const ownAccessPaths: readonly AccessPath[] = [
  {
    name: 'password',
    tables: ['users'],
    proved: 'the link sets a new one; the operator removes it',
    withdrawn: 'the link sets a new one',
    new_password: 'the link sets a new one',
    left: SIGNS_IN_AGAIN,
    signed_out: 'the user changes it',
  },
  {
    name: 'identities',
    tables: ['provider_identities', 'session_identities'],
    proved: endIdentities,
    withdrawn: endIdentities,
    new_password: (leaving) => sql`
      UPDATE provider_identities SET review_since = now() WHERE ${ofUser(leaving)} AND ended IS NULL
      RETURNING issuer AS label`,
    left: (leaving) => sql`
      DELETE FROM provider_identities WHERE ${ofUser(leaving)} AND organization_id = ${leaving.organizationId}
      RETURNING issuer AS label`,
    signed_out: 'the user unlinks them under Linked providers',
  },
  {
    name: 'sessions',
    tables: ['sessions'],
    proved: endSessions,
    withdrawn: endSessions,
    new_password: endSessions,
    // Others read the memberships at each request.
    left: (leaving) => sql`
      DELETE FROM sessions s WHERE s.user_id = ${leaving.userId} AND NOT s.is_own
        AND NOT EXISTS (SELECT 1 FROM session_identities i WHERE i.session_id = s.id)
      RETURNING coalesce(s.user_agent, '') AS label`,
    signed_out: endSessions,
  },
  {
    name: 'sign-ins that wait for a code',
    tables: ['sign_in_challenges'],
    proved: endSteps,
    withdrawn: endSteps,
    new_password: endSteps,
    left: SIGNS_IN_AGAIN,
    signed_out: endSteps,
  },
  {
    name: 'keys',
    tables: ['api_keys', 'api_key_organizations', 'api_key_reviews'],
    proved: endKeys,
    withdrawn: endKeys,
    new_password: (leaving) => sql`
      WITH working AS (SELECT id, label FROM api_keys WHERE ${ofUser(leaving)} AND ${usable}),
      asked AS (
        INSERT INTO api_key_reviews (key_id, reason) SELECT id, 'new_password' FROM working
        ON CONFLICT (key_id) DO UPDATE SET reason = excluded.reason, created = excluded.created)
      SELECT label FROM working ORDER BY id`,
    // Also in case the user returns. Keys of several organizations lose this one with the membership.
    left: (leaving) => sql`
      UPDATE api_keys SET revoked = now()
      WHERE ${ofUser(leaving)} AND organization_id = ${leaving.organizationId} AND revoked IS NULL RETURNING label`,
    signed_out: 'programs use them; the user ends them under API keys',
  },
  {
    name: 'app',
    tables: ['second_factors', 'recovery_codes', 'code_attempts'],
    // One that was set up while the address was proved stays: no link may remove it.
    proved: (leaving) => endApp(leaving, sql`is_unproved`),
    withdrawn: (leaving) => endApp(leaving, sql`false`),
    new_password: (leaving) => endApp(leaving, sql`false`),
    left: SIGNS_IN_AGAIN,
    signed_out: 'the user turns it off',
  },
  {
    name: 'passkeys',
    tables: ['passkeys', 'recovery_codes'],
    proved: endPasskeys,
    withdrawn: 'no link may remove a second factor',
    new_password: 'no link may remove a second factor',
    left: SIGNS_IN_AGAIN,
    signed_out: 'the user removes them',
  },
  {
    name: 'password links',
    tables: ['password_resets', 'mailed_password_resets', 'replaced_password_resets'],
    proved: endPasswordLinks,
    withdrawn: endPasswordLinks,
    new_password: endPasswordLinks,
    left: 'those of an owner work only while the user is in no other organization',
    signed_out: endPasswordLinks,
  },
  {
    name: 'invitations',
    tables: ['invitations'],
    proved: endInvitations,
    withdrawn: endInvitations,
    new_password: 'they were sent to other people',
    left: 'they work only while their sender is an owner',
    signed_out: 'they were sent to other people',
  },
  {
    name: 'links of SCIM',
    tables: ['provisioned_members'],
    proved: 'they open nothing for a user whose address is proved',
    withdrawn: 'they open nothing for a user with a password',
    new_password: 'they open nothing for a user with a password',
    left: 'a provider may undo its own removal, and that of nobody else',
    signed_out: 'they open nothing for a user who has signed in',
  },
  {
    name: 'remembered browsers',
    tables: [],
    proved: 'their cookie is signed with the password that ends',
    withdrawn: 'their cookie is signed with the password that ends',
    new_password: 'their cookie is signed with the password that ends',
    left: SIGNS_IN_AGAIN,
    signed_out: 'they give attempts, and no way in',
  },
  {
    name: 'open streams, exports and uploads',
    tables: [],
    proved: 'they check their session regularly',
    withdrawn: 'they check their session regularly',
    new_password: 'they check their session regularly',
    left: 'they check the membership regularly',
    signed_out: 'they check their session regularly',
  },
];
