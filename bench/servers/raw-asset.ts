import { riskScore } from '../../src/modules/findings/domain/risk-score';

/** Of `assets a LEFT JOIN asset_totals t`. */
export const assetColumns = `a.id, a.value, a.type, a.tier, a.organization_id, a.beacon_id, a.labels, a.owner_user_id, a.owner_group_id,
  t.findings, t.cosmic, t.critical, t.high, t.medium, t.low`;

type Counts = Parameters<typeof riskScore>[0];

export interface AssetRow extends Counts {
  readonly id: number;
  readonly value: string;
  readonly type: string;
  readonly tier: number | null;
  readonly organization_id: number;
  readonly beacon_id: number | null;
  readonly labels: string[];
  readonly owner_user_id: number | null;
  readonly owner_group_id: number | null;
  readonly findings: number | null;
}

/** The properties have the order of the service. */
export const presentAsset = (row: AssetRow): object => ({
  id: row.id,
  value: row.value,
  type: row.type,
  tier: row.tier,
  organization_id: row.organization_id,
  private: row.beacon_id !== null,
  risk_score: riskScore(row),
  n_findings: row.findings ?? 0,
  labels: row.labels,
  owner: ownerOf(row),
});

const ownerOf = ({ owner_user_id: user, owner_group_id: group }: AssetRow): string | null =>
  user !== null ? `user:${user}` : group !== null ? `group:${group}` : null;
