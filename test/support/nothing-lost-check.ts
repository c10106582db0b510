import type { CheckedTenant } from './checked-tenant';
import type { QueriedDatabase } from './database';

interface StoredFinding {
  readonly id: number;
  readonly title: string;
  readonly status: number;
  readonly recordings: number;
  /** The titles of its history, in order, and those of its audit entries. */
  readonly titles: string[];
  readonly audited: string[];
  /** The same for its statuses. */
  readonly statuses: number[];
  readonly audited_statuses: number[];
}

/** What is stored is what was confirmed, once, and of what was not confirmed each thing once or not at all. */
export async function expectNothingLost(postgres: QueriedDatabase, tenant: CheckedTenant): Promise<void> {
  const stored = await postgres.query<StoredFinding>(storedFindings, [tenant.id]);
  expect(stored.map(({ id }) => id)).toEqual(tenant.findings.map(({ id }) => id).sort((one, other) => one - other));
  for (const row of stored) {
    const finding = tenant.findings.find(({ id }) => id === row.id);
    if (finding === undefined) continue;
    const { id, title, status } = finding;
    const of = (values: object): object => ({ finding: id, ...values });
    expect(of({ recordings: row.recordings })).toEqual(of({ recordings: 1 }));
    expect(of({ audited: row.audited })).toEqual(of({ audited: row.titles }));
    expect(of({ audited: row.audited_statuses })).toEqual(of({ audited: row.statuses }));
    expect(of({ titles: row.titles })).toEqual(of({ titles: expectedOf(title.changes, row.titles) }));
    expect([title.possibleSince(performance.now()), status.possibleSince(performance.now())]).toEqual([
      expect.arrayContaining([row.title]),
      expect.arrayContaining([row.status]),
    ]);
  }
  const assets = await postgres.query<{ value: string; entries: number }>(storedAssets, [tenant.id]);
  expect(assets).toEqual(tenant.assets.toSorted().map((value) => ({ value, entries: 1 })));
}

/** All that was confirmed, and of the rest what is stored, in the order of the attempts. Titles are unique. */
const expectedOf = (changes: CheckedTenant['findings'][number]['title']['changes'], stored: readonly string[]) =>
  changes
    .filter(({ value, confirmedAt }) => confirmedAt < Infinity || stored.includes(value))
    .map(({ value }) => value);

const storedFindings = `
  SELECT f.id, f.title, f.status,
    (SELECT count(*)::int FROM audit_logs a
     WHERE a.organization_id = $1 AND a.operation = 'finding.record' AND a.status = 'success' AND a.resource_id = f.id::text) AS recordings,
    ARRAY(SELECT change ->> 'to' FROM finding_history h, jsonb_array_elements(h.changes) change
          WHERE h.finding_id = f.id AND change ->> 'field' = 'title' ORDER BY h.id) AS titles,
    ARRAY(SELECT a.metadata -> 'changes' -> 'title' ->> 'to' FROM audit_logs a
          WHERE a.organization_id = $1 AND a.operation = 'finding.change' AND a.status = 'success' AND a.resource_id = f.id::text
          ORDER BY a.id) AS audited,
    ARRAY(SELECT h.status::int FROM finding_history h
          WHERE h.finding_id = f.id AND h.previous_status <> h.status ORDER BY h.id) AS statuses,
    ARRAY(SELECT (a.metadata ->> 'to')::int FROM audit_logs a
          WHERE a.organization_id = $1 AND a.operation = 'finding.status_update' AND a.status = 'success'
            AND a.resource_id = f.id::text AND a.metadata ->> 'from' <> a.metadata ->> 'to'
          ORDER BY a.id) AS audited_statuses
  FROM findings f WHERE f.organization_id = $1 ORDER BY f.id`;

const storedAssets = `
  SELECT s.value, (SELECT count(*)::int FROM audit_logs a
    WHERE a.organization_id = $1 AND a.operation = 'asset.create' AND a.status = 'success' AND a.resource_id = s.id::text) AS entries
  FROM assets s WHERE s.organization_id = $1 ORDER BY s.value COLLATE "C"`;
