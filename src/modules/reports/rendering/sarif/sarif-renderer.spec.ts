import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import type { Log, Result } from 'sarif';
import { demoSnapshot, emptySnapshot, hostileSnapshot, thousandSnapshot, worldSnapshot } from '../testing/snapshots';
import { finding, move, snapshotOf } from '../testing/snapshot-of';
import { SarifRenderer, sarifLog } from './sarif-renderer';

const file = join(__dirname, '../../../../../test/support/schemas/sarif-2.1.0-rtm.5.json');

/** The published schema. It is draft 4; the validator reads it as a later draft once `id` is renamed. */
function validator() {
  const { id: _id, $schema: _draft, ...schema } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
  (addFormats as unknown as (ajv: Ajv) => void)(ajv);
  return ajv.compile(schema);
}

const validate = validator();
const problemsOf = (log: unknown): unknown[] => (validate(log) ? [] : (validate.errors ?? []));

const resultsOf = (log: Log): Result[] => log.runs[0]?.results ?? [];

describe('SARIF', () => {
  it.each([
    ['an empty event', emptySnapshot],
    ['the demo', demoSnapshot],
    ['texts of the world', worldSnapshot],
    ['hostile texts', hostileSnapshot],
    ['a thousand findings', thousandSnapshot],
  ])('conforms to the published schema: %s', async (_name, snapshot) => {
    const log = JSON.parse((await new SarifRenderer().render(snapshot())).toString()) as Log;
    expect(problemsOf(log).slice(0, 3)).toEqual([]);
    expect(resultsOf(log)).toHaveLength(snapshot().findings.length);
  });

  it('fails the schema when it is not SARIF', () => {
    const log = sarifLog(demoSnapshot());
    expect(problemsOf({ ...log, version: '2.0.0' })).not.toEqual([]);
    expect(problemsOf({ ...log, extra: 1 })).not.toEqual([]);
    expect(problemsOf({ ...log, runs: [{ results: [] }] })).not.toEqual([]);
  });

  it('has a rule for each check and each title, with the highest severity of its findings', () => {
    const log = sarifLog(
      snapshotOf({
        findings: [
          finding(1, { title: 'One', check: 'c', severity: 'low' }),
          finding(2, { title: 'Two', check: 'c', severity: 'critical' }),
          finding(3, { title: 'By hand', fingerprint: 'ab'.repeat(32), score: 6.2 }),
          finding(4, { title: 'By hand', fingerprint: 'ab'.repeat(32), asset_value: 'other.example' }),
          finding(5, { title: 'Told', fingerprint: 'cd'.repeat(32), severity: 'info' }),
        ],
      }),
    );
    const rules = log.runs[0]?.tool.driver.rules ?? [];
    expect(rules.map(({ id, properties }) => [id, properties?.['security-severity']])).toEqual([
      ['c', '9.5'],
      ['finding-abababababababab', '6.2'],
      ['finding-cdcdcdcdcdcdcdcd', undefined],
    ]);
    for (const { ruleId, ruleIndex } of resultsOf(log)) expect(rules[ruleIndex ?? -1]?.id).toBe(ruleId);
  });

  it('has the location of a finding, and a fingerprint that is the same in the next report', () => {
    const uri = (parts: object): string | undefined =>
      resultsOf(sarifLog(snapshotOf({ findings: [finding(1, { title: 'x', ...parts })] })))[0]?.locations?.[0]
        ?.physicalLocation?.artifactLocation?.uri;
    expect(uri({ location: 'tcp://mail.example:993' })).toBe('tcp://mail.example:993');
    expect(uri({ asset_value: 'https://a.example/x' })).toBe('https://a.example/x');
    expect(uri({ asset_value: 'a.example' })).toBe('a.example');
    expect(uri({ asset_value: '2001:db8::/32' })).toBe('2001%3Adb8%3A%3A/32');

    const prints = (parts: object) =>
      resultsOf(sarifLog(snapshotOf({ findings: [finding(1, { title: 'x', ...parts })] })))[0]?.partialFingerprints?.[
        'assayFinding/v1'
      ];
    expect(prints({ id: 7, status: 3, title: 'y' })).toBe(prints({}));
    expect(prints({ asset_value: 'b.example' })).not.toBe(prints({}));
    expect(prints({ fingerprint: 'ff' })).not.toBe(prints({}));
  });

  it('marks resolved findings as passed, and suppresses dismissed findings with their reason', () => {
    const history = [move(1, null, 'open'), move(2, 'open', 'risk_accepted', 'user 3', 'Until January.')];
    const [open, resolved, accepted, duplicate] = resultsOf(
      sarifLog(
        snapshotOf({
          findings: [
            finding(1, { title: 'a', severity: 'high' }),
            finding(2, { title: 'b', severity: 'high', status: 5 }),
            finding(3, { title: 'c', severity: 'medium', status: 6, history }),
            finding(4, { title: 'd', severity: 'none', status: 8 }),
          ],
        }),
      ),
    );
    expect([open?.kind, open?.level, open?.suppressions]).toEqual(['fail', 'error', []]);
    expect([resolved?.kind, resolved?.level, resolved?.suppressions]).toEqual(['pass', 'none', []]);
    expect([accepted?.kind, accepted?.level]).toEqual(['fail', 'warning']);
    expect(accepted?.suppressions).toEqual([
      { kind: 'external', status: 'accepted', justification: 'risk_accepted: Until January.' },
    ]);
    expect([duplicate?.level, duplicate?.suppressions?.[0]?.justification]).toEqual(['note', 'duplicate']);
  });
});
