import type { Client } from 'pg';
import { invalid, notFound } from '../../kernel/domain-error';
import type { Config } from '../../platform/config/load-config';
import { asTableOwner } from './as-table-owner';
import { asOperator, runWithModules } from './run-in-domain';

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
  return asTableOwner(config, (owner) =>
    runWithModules(config, async (app) => {
      await requireOrganization(owner, organizationId);
      if (days !== undefined || reset) {
        const resourceId = String(organizationId);
        const entry = { operation: 'organization.set_retention', resourceType: 'organization', resourceId } as const;
        await owner.query('BEGIN');
        await (days === undefined
          ? owner.query('DELETE FROM history_retentions WHERE organization_id = $1', [organizationId])
          : owner.query(
              `INSERT INTO history_retentions (organization_id, days) VALUES ($1, $2)
               ON CONFLICT (organization_id) DO UPDATE SET days = excluded.days`,
              [organizationId, days],
            ));
        // The entry first: if the process ends between the two, the log has more than happened, and not less.
        const metadata = { history_days: days ?? null };
        await asOperator(app, { ...entry, organizationId, metadata }, async () => undefined);
        await owner.query('COMMIT');
      }
      const { rows } = await owner.query<{ days: number }>(
        'SELECT days FROM history_retentions WHERE organization_id = $1',
        [organizationId],
      );
      return rows[0]?.days ?? null;
    }),
  );
}

/** Also a deleted one, whose audit log stays. */
async function requireOrganization(owner: Client, organizationId: number): Promise<void> {
  const { rowCount } = await owner.query('SELECT 1 FROM organizations WHERE id = $1', [organizationId]);
  if (rowCount === 0) throw notFound('Organization');
}
