import type { SnapshotFinding } from './snapshot-finding';

/** How many statements a VEX document lacks because an asset names no product, and what to do; null if it lacks none. */
export function vexNotice(findings: readonly SnapshotFinding[]): string | null {
  const lacking = findings.filter(
    ({ cve, product, status_name }) => cve !== null && !product && status_name !== 'duplicate',
  );
  if (lacking.length === 0) return null;
  const assets = [...new Set(lacking.map(({ asset_id }) => asset_id))].filter((id) => id !== null);
  const named = assets.slice(0, 10).join(', ') + (assets.length > 10 ? ' and others' : '');
  const which =
    assets.length === 0 ? 'Their assets were deleted.' : `Set purl or cpe with PATCH /v1/assets/{asset_id}: ${named}.`;
  return `${lacking.length} ${lacking.length === 1 ? 'finding' : 'findings'} with a CVE cannot be stated, because the asset has neither a purl nor a cpe, so that no consumer could match it. ${which}`;
}
