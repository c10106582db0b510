import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import type { Log, Result } from 'sarif';
import {
  demoSnapshot,
  emptySnapshot,
  hostileSnapshot,
  jobSnapshot,
  thousandSnapshot,
  worldSnapshot,
} from '../testing/snapshots';
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
    ['a job', jobSnapshot],
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

  it('has a relative location, which code scanning requires, and the whole URL beside it', () => {
    const resultWith = (parts: object): Result | undefined =>
      resultsOf(sarifLog(snapshotOf({ findings: [finding(1, { title: 'x', ...parts })] })))[0];
    const locationWith = (parts: object) => {
      const result = resultWith(parts);
      return [result?.locations?.[0]?.physicalLocation?.artifactLocation?.uri, result?.webRequest?.target];
    };
    const url = 'https://a.example/x?y=1';
    expect(locationWith({ location: url })).toEqual(['a.example/x?y=1', url]);
    expect(locationWith({ location: 'https://a.example/' })).toEqual(['a.example', 'https://a.example/']);
    expect(locationWith({ asset_value: 'http://a.example:8080/x' })[0]).toBe('a.example%3A8080/x');
    expect(locationWith({ location: 'tcp://mail.example:993' })[0]).toBe('mail.example%3A993');
    expect(locationWith({ location: 'https://[2001:db8::1]/x' })[0]).toBe('%5B2001%3Adb8%3A%3A1%5D/x');
    expect(locationWith({ asset_value: 'a.example' })).toEqual(['a.example', undefined]);
    expect(locationWith({ asset_value: '2001:db8::/32' })[0]).toBe('2001%3Adb8%3A%3A/32');
    expect(resultWith({})?.locations?.[0]?.physicalLocation?.region).toEqual({
      startLine: 1,
      startColumn: 1,
      endLine: 1,
      endColumn: 1,
    });
  });

  it.each([
    ['the demo', demoSnapshot],
    ['hostile texts', hostileSnapshot],
    ['a job', jobSnapshot],
  ])('has what code scanning requires, within its limits: %s', (_name, snapshot) => {
    const run = sarifLog(snapshot()).runs[0];
    for (const rule of run?.tool.driver.rules ?? []) {
      const { name = '', shortDescription, fullDescription, help, helpUri, properties } = rule;
      const texts = [name, shortDescription?.text, fullDescription?.text, help?.text, help?.markdown];
      expect(texts.every((text) => text !== undefined && text.length > 0)).toBe(true);
      expect(name.length).toBeLessThanOrEqual(255);
      expect(shortDescription?.text.length).toBeLessThanOrEqual(1_024);
      expect(fullDescription?.text.length).toBeLessThanOrEqual(1_024);
      expect(properties?.tags?.length).toBeLessThanOrEqual(20);
      expect(helpUri ?? 'https://').toMatch(/^https:\/\//);
    }
    for (const { message, locations, partialFingerprints } of run?.results ?? []) {
      const { artifactLocation, region } = locations?.[0]?.physicalLocation ?? {};
      expect(message.text).not.toBe('');
      // Not empty, without a scheme, not absolute.
      expect(artifactLocation?.uri).toMatch(/^[^/:]/);
      expect(artifactLocation?.uri?.split('/')[0]).not.toContain(':');
      expect(run?.originalUriBaseIds?.[artifactLocation?.uriBaseId ?? '']).toBeDefined();
      expect(region?.startLine).toBe(1);
      expect(partialFingerprints?.['primaryLocationLineHash']).toMatch(/^[0-9a-f]{16}:1$/);
    }
  });

  it('has the text of the check, its CWE and a link in the rule, and the text of the finding without a check', () => {
    const log = sarifLog(jobSnapshot());
    const rule = log.runs[0]?.tool.driver.rules?.find(({ id }) => id === 'exposed-git');
    expect(rule).toMatchObject({
      name: 'ExposedGit',
      shortDescription: { text: 'Public Git repository' },
      fullDescription: { text: 'Anyone can download the repository. Block the folder .git.' },
      help: { markdown: 'Anyone can download the repository.\n\nBlock the folder `.git`.' },
      helpUri: 'https://git-scm.com/docs',
      defaultConfiguration: { level: 'error' },
      properties: {
        tags: ['security', 'external/cwe/cwe-527', 'external/cwe/cwe-538', 'A05:2021'],
        precision: 'high',
        'security-severity': '8.0',
      },
    });
    const own = sarifLog(snapshotOf({ findings: [finding(1, { title: 'Mine', md: '**Bold** text.', cwe: 79 })] }));
    expect(own.runs[0]?.tool.driver.rules?.[0]).toMatchObject({
      help: { text: 'Bold text.', markdown: '**Bold** text.' },
      helpUri: 'https://cwe.mitre.org/data/definitions/79.html',
      properties: { tags: ['security', 'external/cwe/cwe-79'] },
    });
  });

  it('puts all jobs on one page into one category, and says when a job was not complete', () => {
    const { automationDetails, invocations } = sarifLog(jobSnapshot()).runs[0] ?? {};
    expect(automationDetails?.id).toBe('assay/shop.nordwind.example/cart/3f8e0f0a-6d0c-4c55-9a53-0d8c0a4d3b11');
    expect(invocations?.[0]).toMatchObject({ executionSuccessful: true, endTimeUtc: '2026-11-02T08:01:00.000Z' });
    const failed = jobSnapshot({ status: 'ERROR', error: 'The target stopped answering.' });
    expect(sarifLog(failed).runs[0]?.invocations?.[0]).toMatchObject({
      executionSuccessful: false,
      toolExecutionNotifications: [{ level: 'warning', message: { text: expect.stringContaining('tls-certificate') } }],
    });
  });

  it('has a fingerprint that is the same in the next report', () => {
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
