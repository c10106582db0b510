import { contentsOf } from '../../src/modules/reports/domain/report-snapshot';
import { defaultReportOptions, type ReportOptions } from '../../src/modules/reports';
import { canReadPdf, ReadPdf } from '../../src/modules/reports/rendering/testing/pdf-reader';
import { PdfRenderer } from '../../src/modules/reports/rendering/pdf/pdf-renderer';
import { SnapshotReader } from '../../src/modules/reports/snapshot-reader';
import { useApi } from '../support/api';
import { query } from '../support/database';
import { Factories } from '../support/factories';
import { multiplyRows } from '../support/multiplied-rows';

const api = useApi();
const make = new Factories(api);

async function organizationWith(findings: number) {
  const { id: organizationId } = await make.organization();
  const { id } = await make.finding(organizationId, { title: 'Equal', severity: 'high' });
  await multiplyRows('findings', organizationId, findings);
  await query(`UPDATE findings SET severity = 1 WHERE organization_id = $1 AND id <> $2 AND id % 2 = 0`, [
    organizationId,
    id,
  ]);
  const read = (options: Partial<ReportOptions>, limits?: { findings: number; characters: number }) =>
    api.app.get(SnapshotReader, { strict: false }).read(
      {
        id: 1,
        organizationId,
        eventSlug: null,
        jobUuid: null,
        startDate: new Date('2000-01-01T00:00:00Z'),
        endDate: new Date('2100-01-01T00:00:00Z'),
        options: { ...defaultReportOptions, ...options },
      },
      limits,
    );
  return { organizationId, read };
}

it('a PDF counts all of 3,100 findings, has the 3,000 most urgent in full, and two pages before its annex', async () => {
  const { read } = await organizationWith(3_100);
  const snapshot = await read({ sections: ['summary', 'plan'], order: 'asset' });
  expect([snapshot.findings.length, snapshot.totals.findings, snapshot.totals.open]).toEqual([3_000, 3_100, 3_100]);
  const urgent = snapshot.summary.severities.map(({ severity, open }) => [severity, open]);
  expect(urgent.map(([severity]) => severity)).toEqual(['high', 'info']);
  expect(snapshot.findings.filter(({ severity }) => severity === 'high')).toHaveLength(Number(urgent[0]?.[1]));
  expect(snapshot.summary.groups).toMatchObject([{ title: 'Equal', severity: 'high', findings: 3_100, proved: 0 }]);
  expect(snapshot.timeline.reduce((sum, { found }) => sum + found, 0)).toBe(3_100);
  expect(contentsOf(snapshot).findings).toHaveLength(3_100);
  if (!canReadPdf) return;
  const pdf = new ReadPdf(await new PdfRenderer().render(snapshot));
  const annex = pdf.words().find(({ text }) => text === 'Annex');
  expect(annex?.page).toBeLessThanOrEqual(4);
  expect(
    pdf.lacks(['The annex has the 3,000 most urgent of 3,100 findings', '3,100 open findings, by priority']),
  ).toEqual([]);
});

it('a summary alone reads ten findings in full, and a file for programs is refused above its limit', async () => {
  const { read } = await organizationWith(60);
  const { findings, totals } = await read({ sections: ['summary'] });
  expect([findings.length, totals.findings]).toEqual([10, 60]);
  const limits = { findings: 50, characters: 2 ** 20 };
  await expect(read({ format: 'json' }, limits)).rejects.toThrow('It includes more than 50 findings.');
  expect((await read({ format: 'html' }, limits)).findings).toHaveLength(60);
});

it('an annex ends at the maximum size of a report, and other files fail', async () => {
  const { read } = await organizationWith(40);
  const limits = { findings: 100, characters: 20_000 };
  const { findings, totals } = await read({ format: 'html' }, limits);
  expect(findings.length).toBeGreaterThan(0);
  expect(findings.length).toBeLessThan(40);
  expect(totals.findings).toBe(40);
  await expect(read({ format: 'csv' }, limits)).rejects.toThrow('It holds more than');
});

it('the summary counts fixes that a retest proved, and findings as they were last resolved', async () => {
  const { organizationId, read } = await organizationWith(3);
  const ids = (
    await query<{ id: number }>('SELECT id FROM findings WHERE organization_id = $1 ORDER BY id', [organizationId])
  ).map(({ id }) => id);
  const at = (minutes: number): Date => new Date(Date.now() - 3_600_000 + minutes * 60_000);
  const moves = [
    [null, 1, 0],
    [1, 5, 10],
    [5, 5, 20],
    [5, 1, 30],
    [1, 5, 40],
    [5, 5, 50],
  ] as const;
  await query('DELETE FROM finding_history WHERE organization_id = $1', [organizationId]);
  for (const id of ids.slice(0, 2)) {
    await query('UPDATE findings SET status = 5 WHERE id = $1', [id]);
    for (const [from, to, minutes] of moves)
      await query(
        `INSERT INTO finding_history (organization_id, finding_id, previous_status, status, actor_type, actor_id, created)
         VALUES ($1, $2, $3, $4, 'user', '1', $5)`,
        [organizationId, id, from, to, at(minutes)],
      );
  }
  const [proved, outdated] = ids;
  for (const [id, minutes] of [
    [proved, 35],
    [outdated, 25],
  ] as const)
    await query(
      `INSERT INTO retests (uuid, organization_id, finding_id, status, result, finished)
       VALUES (gen_random_uuid(), $1, $2, 'finished', 'fixed', $3)`,
      [organizationId, id, at(minutes)],
    );
  const { summary, totals, findings, time_to_fix } = await read({});
  const sum = (name: 'resolved' | 'fixes_proved'): number =>
    summary.severities.reduce((all, row) => all + row[name], 0);
  expect([sum('resolved'), sum('fixes_proved'), totals.resolved]).toEqual([2, 1, 2]);
  expect(time_to_fix.reduce((all, { count }) => all + count, 0)).toBe(2);
  expect(findings.filter(({ resolved }) => resolved !== null).map(({ resolved }) => resolved)).toEqual(
    [0, 1].map(() => expect.stringMatching(at(40).toISOString().slice(0, 16))),
  );
});
