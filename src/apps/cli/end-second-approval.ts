import type { Config } from '../../platform/config/load-config';
import { asService } from './as-table-owner';
import { auditedChange } from './audited-change';
import { requireOrganization } from './require-organization';

/** For an organization whose second admin is gone. Returns false if it requires no second approval. */
export function endSecondApproval(config: Config, organizationId: number, reason: string): Promise<boolean> {
  return asService(config, async (client) => {
    await requireOrganization(client, organizationId);
    const entry = { resourceType: 'organization', resourceId: String(organizationId), organizationId } as const;
    const operation = 'organization.end_second_approval';
    const ended = await auditedChange(client, { ...entry, operation, metadata: { reason } }, async () => {
      const statement = 'UPDATE organizations SET second_approval = false WHERE id = $1 AND second_approval';
      return (await client.query(statement, [organizationId])).rowCount === 0 ? undefined : true;
    });
    return ended === true;
  });
}
