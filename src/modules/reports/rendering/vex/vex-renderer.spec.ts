import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { openVexSchema } from '../../../../../test/support/schemas/openvex';
import type { SnapshotProduct } from '../../domain/snapshot-parts';
import { vexNotice } from '../../domain/vex-notice';
import { ReportGenerationError } from '../../domain/report.errors';
import { demoSnapshot, emptySnapshot, worldSnapshot } from '../testing/snapshots';
import { type FindingParts, finding, move, retest, snapshotOf } from '../testing/snapshot-of';
import { VexRenderer, vexDocument } from './vex-renderer';
import { vexStatementOf } from './vex-statements';

const ajv = new Ajv({ strict: false, allErrors: true });
(addFormats as unknown as (ajv: Ajv) => void)(ajv);
const validate = ajv.compile(openVexSchema);

const product = { purl: 'pkg:npm/shop@4.2.0', cpe: null };

const statement = (parts: Partial<FindingParts>) =>
  vexStatementOf(finding(1, { title: 'Old library', cve: 'CVE-2026-12345', product, ...parts }));

const statuses = ['open', 'accepted', 'in_progress', 'ready_for_retest', 'resolved'].concat([
  'risk_accepted',
  'false_positive',
  'duplicate',
  'informative',
  'out_of_scope',
]);

describe('VEX', () => {
  it.each([
    ['the demo', demoSnapshot()],
    [
      'every status',
      snapshotOf({
        findings: statuses.map((_, at) =>
          finding(at + 1, { title: 'x', cve: 'CVE-2026-1000', status: at + 1, product }),
        ),
      }),
    ],
    [
      'hostile texts',
      snapshotOf({
        findings: [finding(1, { title: '"\u202e<b>', cve: 'CVE-2026-1000', asset_value: '2001:db8::/32', product })],
      }),
    ],
  ])('is valid by the schema: %s', async (_name, snapshot) => {
    const document: unknown = JSON.parse((await new VexRenderer().render(snapshot)).toString());
    expect(validate(document) ? [] : validate.errors).toEqual([]);
  });

  it('fails the schema when it is not OpenVEX', () => {
    const document = vexDocument(demoSnapshot()) as { statements: object[] };
    expect(validate({ ...document, statements: [] })).toBe(false);
    expect(validate({ ...document, more: 1 })).toBe(false);
    expect(
      validate({
        ...document,
        statements: [{ ...document.statements[0], status: 'affected', action_statement: undefined }],
      }),
    ).toBe(false);
    expect(validate({ ...document, statements: [{ vulnerability: { name: 'x' }, status: 'not_affected' }] })).toBe(
      false,
    );
  });

  it('refuses a report in which no finding has a CVE, with the reason', async () => {
    for (const snapshot of [emptySnapshot(), snapshotOf({ findings: [finding(1, { title: 'x' })] })])
      await expect(new VexRenderer().render(snapshot)).rejects.toThrow(ReportGenerationError);
    expect(worldSnapshot().findings.length).toBeGreaterThan(0);
  });

  it.each([
    ['open', 'affected'],
    ['accepted', 'affected'],
    ['in_progress', 'affected'],
    ['ready_for_retest', 'under_investigation'],
    ['resolved', 'under_investigation'],
    ['risk_accepted', 'affected'],
    ['false_positive', 'not_affected'],
    ['duplicate', undefined],
    ['informative', 'not_affected'],
    ['out_of_scope', 'under_investigation'],
  ])('%s is %s', (status_name, expected) => {
    const status = statuses.indexOf(status_name) + 1;
    expect(
      statement({ status, history: [move(1, null, 'open'), move(2, 'open', status_name, 'user 3')] })?.status,
    ).toBe(expected);
  });

  it.each(['risk_accepted', 'false_positive', 'informative'])(
    'states %s with a justification as not affected, until the status changes again',
    (status_name) => {
      const status = statuses.indexOf(status_name) + 1;
      const justification = 'inline_mitigations_already_exist' as const;
      const decided = { ...move(2, 'open', status_name, 'user 3', 'Behind a filter.'), justification };
      const edited = move(3, status_name, status_name, 'user 3', 'Changed: title.');
      const history = [move(1, null, 'open'), decided, edited];
      const justified = statement({ status, history });
      expect(justified).toMatchObject({
        status: 'not_affected',
        justification,
        timestamp: decided.at,
        status_notes: `Finding 1, ${status_name}: Old library. Behind a filter.`,
      });
      expect(justified).not.toHaveProperty('impact_statement');
      const moreHistory = [...history, move(4, status_name, 'open'), move(5, 'open', status_name)];
      expect(statement({ status, history: moreHistory })).not.toHaveProperty('justification');
      expect(statement({ status: 1, history: moreHistory.slice(0, -1) })?.status).toBe('affected');
      const findings = [finding(1, { title: 'x', cve: 'CVE-2026-1000', status, product, history })];
      expect(validate(vexDocument(snapshotOf({ findings }))) ? [] : validate.errors).toEqual([]);
    },
  );

  it('gives the reason of a status although the finding was edited afterwards', () => {
    const decided = move(2, 'open', 'false_positive', 'user 3', 'Not our code.');
    const edited = move(3, 'false_positive', 'false_positive', 'user 3', 'Changed: title.');
    expect(statement({ status: 7, history: [move(1, null, 'open'), decided, edited] })).toMatchObject({
      impact_statement: 'Assessed as a false positive. Not our code.',
      timestamp: decided.at,
    });
  });

  it('states "fixed" only for findings that a test has shown to be fixed', () => {
    const resolvedBy = (actor: string) => [move(1, null, 'open'), move(9, 'open', 'resolved', actor)];
    const edited = move(10, 'resolved', 'resolved', 'user 3', 'Changed: title.');
    expect(statement({ status: 5, history: [...resolvedBy('Assay'), edited] })?.status).toBe('fixed');
    expect(statement({ status: 5, history: resolvedBy('Assay') })?.status).toBe('fixed');
    expect(statement({ status: 5, history: resolvedBy('user 3') })?.status).toBe('under_investigation');
    const retests = [retest(2, { result: 'still_vulnerable' }), retest(8, { result: 'fixed' })];
    expect(statement({ status: 5, history: resolvedBy('user 3'), retests })?.status).toBe('fixed');
    expect(statement({ status: 5, history: resolvedBy('user 3'), retests: retests.toReversed() })?.status).toBe(
      'under_investigation',
    );
  });

  it.each([
    [
      'a user named Assay resolved it',
      { history: [move(1, null, 'open'), { ...move(9, 'open', 'resolved', 'Assay'), actor_type: 'user' as const }] },
    ],
    [
      'a report of an earlier version does not say who resolved it',
      { history: [move(1, null, 'open'), { ...move(9, 'open', 'resolved', 'Assay'), actor_type: undefined }] },
    ],
    [
      'a scan saw it again after the retest, and a person resolved it',
      {
        history: [
          move(1, null, 'open'),
          move(2, 'open', 'resolved', 'Assay'),
          move(5, 'resolved', 'open', 'Assay'),
          move(9, 'open', 'resolved'),
        ],
        retests: [retest(2)],
      },
    ],
    [
      'a person gave the verdict of the retest',
      { history: [move(1, null, 'open'), move(9, 'open', 'resolved')], retests: [retest(9, { judged_by: 'Ada Ito' })] },
    ],
  ])('states "under_investigation" without a test that shows the fix: %s', (_name, parts) => {
    expect(statement({ status: 5, ...parts })?.status).toBe('under_investigation');
  });

  it('has the comment, the time and the product of each decision', () => {
    const history = [move(1, null, 'open'), move(2, 'open', 'false_positive', 'user 3', 'The library is not loaded.')];
    expect(statement({ status: 7, history })).toEqual({
      vulnerability: { name: 'CVE-2026-12345' },
      timestamp: history[1]?.at,
      products: [{ '@id': 'pkg:npm/shop@4.2.0', identifiers: { purl: 'pkg:npm/shop@4.2.0' } }],
      status: 'not_affected',
      impact_statement: 'Assessed as a false positive. The library is not loaded.',
      status_notes: 'Finding 1, false_positive: Old library',
    });
  });

  it('states what tests have shown of the finding', () => {
    const belief = { value: 'claimed', since: '2026-01-01T00:00:00.000Z' } as const;
    expect(statement({ belief })?.status_notes).toBe('Finding 1, open, claimed: Old library');
  });

  it('names the product by its package URL, its CPE or both', () => {
    const cpe = 'cpe:2.3:a:f5:nginx:1.28.0:*:*:*:*:*:*:*';
    const productsWith = (product: SnapshotProduct | null) => statement({ product })?.products;
    expect(productsWith({ purl: null, cpe })).toEqual([{ identifiers: { cpe23: cpe } }]);
    expect(productsWith({ purl: 'pkg:npm/shop', cpe })).toEqual([
      { '@id': 'pkg:npm/shop', identifiers: { purl: 'pkg:npm/shop', cpe23: cpe } },
    ]);
    expect(productsWith(null)).toBeUndefined();
  });

  it('counts the statements that it lacks because an asset names no product', async () => {
    const lacking = finding(2, { title: 'y', cve: 'CVE-2026-1001', asset_id: 9 });
    expect(vexNotice([lacking, finding(3, { title: 'z' })])).toMatch(
      /^1 finding with a CVE cannot be stated.*PATCH \/v1\/assets\/\{asset_id\}: 9\.$/,
    );
    expect(vexNotice([finding(3, { title: 'z' }), { ...lacking, product }])).toBeNull();
    await expect(new VexRenderer().render(snapshotOf({ findings: [lacking] }))).rejects.toThrow(
      /1 finding with a CVE cannot be stated/,
    );
  });

  it('has the same id for the same statements, and a different id for different ones', () => {
    const idOf = (snapshot = demoSnapshot()): unknown => (vexDocument(snapshot) as Record<string, unknown>)['@id'];
    expect(idOf({ ...demoSnapshot(), report_id: 99, taken: '2026-12-01T00:00:00.000Z' })).toBe(idOf());
    expect(idOf()).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const [first, ...rest] = demoSnapshot().findings;
    const changed = {
      ...demoSnapshot(),
      findings: [{ ...(first ?? finding(1, { title: 'x' })), title: 'Other' }, ...rest],
    };
    expect(idOf(changed)).not.toBe(idOf());
  });
});
