import { raw } from '../../../platform/database/sql';

/** The condition that the organization of `memberships m` is closed to its user without its provider. */
export const requiresProvider = raw(`EXISTS (SELECT 1 FROM provider_requirements r
  WHERE r.organization_id = m.organization_id AND NOT (r.break_glass_user_id IS NOT DISTINCT FROM m.user_id AND m.role = 'owner'))`);
