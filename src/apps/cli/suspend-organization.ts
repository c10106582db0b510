import type { Config } from '../../platform/config/load-config';
import { asService } from './as-table-owner';
import { auditedChange } from './audited-change';
import { requireOrganization } from './require-organization';

/**
 * Since then nothing in it can be changed, and no worker claims its work. What runs is handed back, and goes on after
 * `resumeOrganization`. Returns false if it is suspended already.
 */
export const suspendOrganization = (config: Config, organizationId: number, reason?: string): Promise<boolean> =>
  change(config, organizationId, 'suspend', reason);

/** Returns false if it is not suspended. */
export const resumeOrganization = (config: Config, organizationId: number): Promise<boolean> =>
  change(config, organizationId, 'resume');

function change(config: Config, organizationId: number, verb: 'suspend' | 'resume', reason?: string): Promise<boolean> {
  return asService(config, async (client) => {
    await requireOrganization(client, organizationId);
    const entry = { resourceType: 'organization', resourceId: String(organizationId), organizationId } as const;
    const metadata = reason === undefined ? {} : { reason };
    const changed = await auditedChange(client, { ...entry, operation: `organization.${verb}`, metadata }, async () => {
      const isSuspension = verb === 'suspend';
      const { rowCount } = await client.query(
        `UPDATE organizations SET suspended_at = CASE WHEN $2 THEN now() END WHERE id = $1 AND (suspended_at IS NULL) = $2`,
        [organizationId, isSuspension],
      );
      if (rowCount === 0) return undefined;
      if (isSuspension)
        await client.query(
          `UPDATE work SET state = 'waiting', lease_until = NULL, run_at = now(), progress = NULL
           WHERE organization_id = $1 AND state = 'running'`,
          [organizationId],
        );
      return true;
    });
    return changed === true;
  });
}
