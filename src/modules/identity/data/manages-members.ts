import { type Sql, raw } from '../../../platform/database/sql';

/** The condition that a user may manage the members of an organization: as its owner, or as a user of its integrator. */
export const managesMembers = (userColumn: string, organizationColumn: string): Sql =>
  raw(`(EXISTS (SELECT 1 FROM memberships managing
      WHERE managing.user_id = ${userColumn} AND managing.organization_id = ${organizationColumn} AND managing.role = 'owner')
    OR EXISTS (SELECT 1 FROM users partner JOIN organizations created ON created.integrator_id = partner.integrator_id
      WHERE partner.id = ${userColumn} AND created.id = ${organizationColumn}))`);
