import { invalid } from '../../kernel/domain-error';
import type { Config } from '../../platform/config/load-config';
import { asTableOwner } from './as-table-owner';
import { auditedChange } from './audited-change';
import { requireOrganization } from './require-organization';

const MIN_DAYS = 30;
const MAX_DAYS = 36_500;

export interface SetRetentionOptions {
  readonly days?: number;
  readonly reset?: boolean;
}

/** Sets how long the history of an organization is kept, or returns it if no option is given. Null: as that of the others. */
export async function setRetention(
  config: Config,
  organizationId: number,
  { days, reset = false }: SetRetentionOptions,
): Promise<number | null> {
  if (days !== undefined && (!Number.isInteger(days) || days < MIN_DAYS || days > MAX_DAYS))
    throw invalid(`--days must be a whole number of days, from ${MIN_DAYS} to ${MAX_DAYS}.`);
  if (days !== undefined && reset) throw invalid('Use either --days or --reset.');
  return asTableOwner(config, async (owner) => {
    // Also a deleted one, whose audit log stays.
    await requireOrganization(owner, organizationId, { isDeletedToo: true });
    if (days !== undefined || reset) {
      const resourceId = String(organizationId);
      const entry = { operation: 'organization.set_retention', resourceType: 'organization', resourceId } as const;
      await auditedChange(owner, { ...entry, organizationId, metadata: { history_days: days ?? null } }, () =>
        days === undefined
          ? owner.query('DELETE FROM history_retentions WHERE organization_id = $1', [organizationId])
          : owner.query(
              `INSERT INTO history_retentions (organization_id, days) VALUES ($1, $2)
               ON CONFLICT (organization_id) DO UPDATE SET days = excluded.days`,
              [organizationId, days],
            ),
      );
    }
    const { rows } = await owner.query<{ days: number }>(
      'SELECT days FROM history_retentions WHERE organization_id = $1',
      [organizationId],
    );
    return rows[0]?.days ?? null;
  });
}
