import type { Demo } from '../demo-file';

/** Records of the first organization by the names of path parameters and fields. Swagger UI shows them as examples. */
export function examplesOf({ organizations: [first], demo_target_url: url }: Demo): NonNullable<Demo['examples']> {
  if (first === undefined) return {};
  const { id, event_slug, finding_ids, asset_ids, report_id, job_uuid } = first;
  const all = {
    organization_id: id,
    event_slug,
    finding_id: finding_ids[0],
    asset_id: asset_ids[0],
    report_id,
    uuid: job_uuid,
    url,
  };
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) => (value === null || value === undefined ? [] : [[name, value]])),
  );
}
