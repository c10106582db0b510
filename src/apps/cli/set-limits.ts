import type { Client } from 'pg';
import { invalid } from '../../kernel/domain-error';
import { LIMIT_CLASSES, LIMIT_NAMES, type LimitClass } from '../../platform/api/limit-class';
import type { Config } from '../../platform/config/load-config';
import { asTableOwner } from './as-table-owner';
import { auditedChange } from './audited-change';
import { requireOrganization } from './require-organization';

export type LimitName = (typeof LIMIT_NAMES)[LimitClass];
/** Null: as configured. */
export type Limits = Readonly<Record<LimitName, number | null>>;

export interface SetLimitsOptions extends Partial<Record<LimitName, number>> {
  readonly reset?: boolean;
}

const NAMES: readonly LimitName[] = LIMIT_CLASSES.map((limitClass) => LIMIT_NAMES[limitClass]);
const MAX = 1_000_000;

/**
 * Sets the limits of one key of an organization, or returns them if no option is given. It runs under the role that owns the
 * tables, because the service may not change limits.
 */
export async function setLimits(config: Config, organizationId: number, options: SetLimitsOptions): Promise<Limits> {
  const { reset = false, ...given } = options;
  const changes = NAMES.filter((name) => given[name] !== undefined);
  for (const name of changes) requireLimit(name, given[name]);
  if (reset && changes.length > 0) throw invalid('Use --reset alone: it removes all limits of the organization.');
  return asTableOwner(config, async (owner) => {
    await requireOrganization(owner, organizationId);
    if (!reset && changes.length === 0) return read(owner, organizationId);
    const metadata: Record<string, unknown> = {};
    const resourceId = String(organizationId);
    const entry = { operation: 'organization.set_limits', resourceType: 'organization', resourceId } as const;
    return auditedChange(owner, { ...entry, organizationId, metadata }, async () => {
      await change(owner, organizationId, reset ? null : given);
      const limits = await read(owner, organizationId);
      metadata['limits_per_minute'] = limits;
      return limits;
    });
  });
}

export function limitsSentence(organizationId: number, limits: Limits): string {
  const own = NAMES.filter((name) => limits[name] !== null).map((name) => `${limits[name]} ${name}`);
  const others = NAMES.filter((name) => limits[name] === null);
  const asConfigured = others.length === 0 ? '' : ` As configured for all: ${others.join(', ')}.`;
  if (own.length === 0) return `Organization ${organizationId} has no limits of its own.${asConfigured}`;
  return `Organization ${organizationId}, a minute for each API key: ${own.join(', ')}; four times that for all its keys.${asConfigured}`;
}

function requireLimit(name: LimitName, value: number | undefined): void {
  if (value === undefined || !Number.isInteger(value) || value < 1 || value > MAX)
    throw invalid(`--${name} must be a whole number of requests a minute, from 1 to ${MAX}.`);
}

async function change(
  owner: Client,
  organizationId: number,
  given: Partial<Record<LimitName, number>> | null,
): Promise<void> {
  if (given === null) {
    await owner.query('DELETE FROM organization_limits WHERE organization_id = $1', [organizationId]);
    return;
  }
  const kept = NAMES.map((name, index) => `${name} = coalesce($${index + 2}, old.${name})`).join(', ');
  await owner.query(
    `INSERT INTO organization_limits AS old (organization_id, ${NAMES.join(', ')}) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (organization_id) DO UPDATE SET ${kept}`,
    [organizationId, ...NAMES.map((name) => given[name] ?? null)],
  );
}

async function read(owner: Client, organizationId: number): Promise<Limits> {
  const { rows } = await owner.query<Limits>(
    `SELECT ${NAMES.join(', ')} FROM organization_limits WHERE organization_id = $1`,
    [organizationId],
  );
  return rows[0] ?? { reads: null, writes: null, launches: null, retests: null, imports: null };
}
