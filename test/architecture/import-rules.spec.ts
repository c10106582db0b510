import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** For each rule a file that breaks it, and the import. The test fails when a rule does not report its file. */
const violationFiles: [rule: string, file: string, imports: string][] = [
  ['no-cycles-between-files', 'src/platform/circle/a.ts', './b'],
  ['platform-api', 'src/platform/api/seed.ts', '../config/used'],
  ['platform-config', 'src/platform/config/seed.ts', '../openapi/used'],
  ['platform-metrics', 'src/platform/metrics/seed.ts', '../openapi/used'],
  ['platform-logging', 'src/platform/logging/seed.ts', '../openapi/used'],
  ['platform-tracing', 'src/platform/tracing/seed.ts', '../openapi/used'],
  ['platform-mail', 'src/platform/mail/seed.ts', '../openapi/used'],
  ['platform-database', 'src/platform/database/seed.ts', '../openapi/used'],
  ['platform-audit', 'src/platform/audit/seed.ts', '../openapi/used'],
  ['platform-work', 'src/platform/work/seed.ts', '../openapi/used'],
  ['platform-idempotency', 'src/platform/idempotency/seed.ts', '../openapi/used'],
  ['platform-limits', 'src/platform/limits/seed.ts', '../openapi/used'],
  ['platform-http', 'src/platform/http/seed.ts', '../openapi/used'],
  ['platform-auth', 'src/platform/auth/seed.ts', '../openapi/used'],
  ['kernel-imports-nothing', 'src/kernel/seed.ts', '../platform/seed'],
  ['kernel-imports-nothing', 'src/kernel/orm.ts', 'typeorm'],
  ['platform-knows-no-domain', 'src/platform/seed.ts', '../modules/assets'],
  ['engine-is-plain', 'src/engine/seed.ts', '../platform/other'],
  ['engine-is-plain', 'src/engine/database.ts', 'pg'],
  ['engine-only-for-modules-that-test', 'src/modules/beacons/engine.ts', '../../engine/probe'],
  ['modules-know-no-apps', 'src/modules/findings/seed.ts', '../../apps/main'],
  ['modules-only-through-the-door', 'src/modules/findings/shortcut.ts', '../organizations/data/row'],
  ['only-rules-import-rules', 'src/modules/findings/shortcut-to-rule.ts', '../organizations/domain/rule'],
  ['rules-load-no-module', 'src/modules/findings/domain/loading.ts', '../../organizations'],
  ['rules-load-no-module', 'src/modules/findings/domain/engine.ts', '../../../engine'],
  ['apps-only-through-the-door', 'src/apps/shortcut.ts', '../modules/organizations/data/row'],
  ['apps-only-through-the-door', 'src/portal/shortcut.ts', '../modules/organizations/data/row'],
  ['portal-only-for-apps', 'src/modules/findings/page.ts', '../../portal/seed'],
  ['portal-knows-no-apps-and-no-engine', 'src/portal/seed.ts', '../apps/main'],
  ['portal-knows-no-apps-and-no-engine', 'src/portal/probe.ts', '../engine/probe'],
  ['typeorm-stays-with-the-data', 'src/modules/findings/service.ts', 'typeorm'],
  ['typeorm-stays-with-the-data', 'src/modules/findings/scans/service.ts', 'typeorm'],
  ['beacon-protocol-is-plain', 'src/beacon-protocol/seed.ts', '../platform/other'],
  ['beacon-protocol-is-plain', 'src/beacon-protocol/database.ts', 'pg'],
  ['beacon-agent-is-small', 'src/apps/beacon/seed.ts', '../../modules/assets'],
  ['beacon-agent-is-small', 'src/apps/beacon/probe.ts', '../../engine/probe'],
  ['beacon-agent-is-small', 'src/apps/beacon/database.ts', 'pg'],
  ['beacon-agent-is-small', 'src/apps/beacon/sibling.ts', '../main'],
  ['scanner-files-is-plain', 'src/scanner-files/seed.ts', '../platform/other'],
  ['scanner-files-is-plain', 'src/scanner-files/database.ts', 'pg'],
  ['scanner-files-only-for-imports', 'src/modules/findings/scanner.ts', '../../scanner-files'],
  ['scanner-files-only-through-the-door', 'src/modules/imports/scanner.ts', '../../scanner-files/formats/used'],
  ['clients-know-no-server', 'clients/sdk/src/seed.ts', '../../../src/engine/probe'],
  ['clients-know-no-server', 'clients/cli/src/seed.ts', '../../../test/support'],
  ['clients-only-for-the-api', 'src/modules/jobs/client.ts', '../../../clients/sdk/src/used'],
  ['clients-only-for-the-api', 'src/apps/api/client.ts', '../../../clients/mcp/src/used'],
  ['no-tests-in-the-product', 'src/platform/tested.ts', '../../test/support'],
  ['no-tests-in-the-product', 'src/platform/measured.ts', '../kernel/testing/used'],
  ['module-organizations', 'src/modules/organizations/seed.ts', '../assets'],
  ['module-identity', 'src/modules/identity/seed.ts', '../assets'],
  ['module-audit', 'src/modules/audit/seed.ts', '../assets'],
  ['module-approvals', 'src/modules/approvals/seed.ts', '../assets'],
  ['module-beacons', 'src/modules/beacons/seed.ts', '../assets'],
  ['module-settings', 'src/modules/settings/seed.ts', '../assets'],
  ['module-vulnerabilities', 'src/modules/vulnerabilities/upward.ts', '../assets'],
  ['module-checks', 'src/modules/checks/upward.ts', '../assets'],
  ['module-findings', 'src/modules/findings/upward.ts', '../assets'],
  ['module-assets', 'src/modules/assets/seed.ts', '../events'],
  ['module-accounts', 'src/modules/accounts/seed.ts', '../jobs'],
  ['module-discovery', 'src/modules/discovery/seed.ts', '../events'],
  ['module-events', 'src/modules/events/seed.ts', '../jobs'],
  ['module-evidence', 'src/modules/evidence/seed.ts', '../findings'],
  ['module-callbacks', 'src/modules/callbacks/seed.ts', '../findings'],
  ['module-observations', 'src/modules/observations/seed.ts', '../jobs'],
  ['module-feed', 'src/modules/feed/seed.ts', '../jobs'],
  ['module-webhooks', 'src/modules/webhooks/seed.ts', '../audit'],
  ['module-notifications', 'src/modules/notifications/seed.ts', '../audit'],
  ['module-trackers', 'src/modules/trackers/seed.ts', '../audit'],
  ['module-providers', 'src/modules/providers/seed.ts', '../audit'],
  ['module-retests', 'src/modules/retests/seed.ts', '../jobs'],
  ['module-jobs', 'src/modules/jobs/seed.ts', '../reports'],
  ['module-imports', 'src/modules/imports/seed.ts', '../jobs'],
  ['module-reports', 'src/modules/reports/seed.ts', '../audit'],
  ['module-machine-events', 'src/modules/machine-events/seed.ts', '../audit'],
  ['module-schedules', 'src/modules/schedules/seed.ts', '../audit'],
  ['module-webhooks', 'src/modules/webhooks/seed.ts', '../jobs'],
  ['findings-changes', 'src/modules/findings/changes/seed.ts', '../scans/used'],
  ['findings-lists', 'src/modules/findings/lists/seed.ts', '../scans/used'],
  ['findings-scans', 'src/modules/findings/scans/seed.ts', '../details/used'],
  ['findings-details', 'src/modules/findings/details/seed.ts', '../http/controller'],
  ['layer-data', 'src/modules/findings/data/seed.ts', '../http/controller'],
  ['layer-data', 'src/modules/findings/scans/data/seed.ts', '../work/used'],
  ['layer-domain', 'src/modules/findings/domain/seed.ts', '../data/row'],
];

/** The files that the violations import. */
const targets = [
  'src/platform/circle/b.ts',
  'src/platform/config/used.ts',
  'src/platform/openapi/used.ts',
  'src/platform/other.ts',
  'src/engine/probe.ts',
  'src/apps/main.ts',
  'src/scanner-files/index.ts',
  'src/scanner-files/formats/used.ts',
  'test/support.ts',
  'clients/sdk/src/used.ts',
  'clients/mcp/src/used.ts',
  'src/kernel/testing/used.ts',
  'src/engine/index.ts',
  'src/modules/organizations/data/row.ts',
  'src/modules/organizations/domain/rule.ts',
  'src/modules/findings/http/controller.ts',
  'src/modules/findings/data/row.ts',
  'src/modules/findings/scans/used.ts',
  'src/modules/findings/scans/work/used.ts',
  'src/modules/findings/details/used.ts',
  ...['organizations', 'assets', 'events', 'findings', 'jobs', 'reports', 'audit'].map(
    (name) => `src/modules/${name}/index.ts`,
  ),
  'node_modules/typeorm/index.js',
  'node_modules/pg/index.js',
];

interface Violation {
  readonly rule: { readonly name: string };
  readonly from: string;
}

const project = join(__dirname, '..', '..');

function violationsIn(folder: string): Violation[] {
  const cli = join(project, 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruise.mjs');
  const config = join(project, '.dependency-cruiser.cjs');
  const report = execFileSync(
    process.execPath,
    [cli, '--config', config, '--output-type', 'json', 'src', 'test', 'clients'],
    {
      cwd: folder,
      maxBuffer: 50_000_000,
    },
  );
  return (JSON.parse(report.toString()) as { summary: { violations: Violation[] } }).summary.violations;
}

describe('the import rules', () => {
  let violations: Violation[] = [];

  beforeAll(() => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-violationFiles-'));
    const write = (file: string, text: string): void => {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    };
    for (const target of targets) write(target, 'export const target = 1;\n');
    write('src/platform/circle/b.ts', "import './a';\nexport const target = 1;\n");
    for (const [, file, imports] of violationFiles) write(file, `import '${imports}';\nexport const seed = 1;\n`);
    write('tsconfig.json', JSON.stringify({ compilerOptions: { module: 'commonjs' } }));
    try {
      violations = violationsIn(folder);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it.each(violationFiles)('%s reports %s', (rule, file) => {
    expect(violations.filter(({ from }) => from === file).map((violation) => violation.rule.name)).toContain(rule);
  });

  it('every rule has a violation in this test', () => {
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    const { forbidden } = require(join(project, '.dependency-cruiser.cjs')) as { forbidden: { name: string }[] };
    expect([...new Set(violationFiles.map(([rule]) => rule))].sort()).toEqual(forbidden.map(({ name }) => name).sort());
  });
});
