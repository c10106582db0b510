import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { type GatewayName, installedGateways } from '../support/gateways';

/** The end-to-end specs that control the service through its API alone. */
const SPECS = [
  'api-keys',
  'assets',
  'audit',
  'findings',
  'idempotency',
  'organization-race',
  'organizations',
  'paging',
  'reports',
  'retests',
];

/** Tests that cannot pass a gateway to other processes, each with its reason, and the gateway if it is not all. */
const LEFT_OUT: readonly (readonly [title: string, reason: string, of?: GatewayName])[] = [
  ['no-https-redirect%00', 'nginx refuses a path with %00 itself', 'nginx'],
  ['when the audit entry cannot be written', 'the test reads the metrics of the process of the spec'],
  ['a list of thousands of records', 'the tests record the SQL statements of the process of the spec'],
];

const escaped = (text: string): string => text.replace(/[%.*+?^${}()|[\]\\]/g, '\\$&');

it.each(installedGateways.filter((name) => name !== 'caddy'))(
  'the end-to-end specs pass through %s in front of two API processes, with two workers',
  (name) => {
    const leftOut = LEFT_OUT.filter(([, , of = name]) => of === name).map(([title]) => escaped(title));
    const titles = `^(?!.*(${leftOut.join('|')}))`;
    const paths = SPECS.map((spec) => `test/e2e/${spec}.spec.ts`);
    const { status, stderr } = spawnSync('npx', ['jest', '-w', '1', '--silent', '-t', titles, ...paths], {
      cwd: join(__dirname, '../..'),
      env: { ...process.env, ASSAY_TEST_GATEWAY: name },
      encoding: 'utf8',
      maxBuffer: 64 * 1_048_576,
    });
    const failed = [...stderr.matchAll(/^ {2}● (.*)$/gm)].map(([, title]) => title);
    expect({ status, failed: [...new Set(failed)] }).toEqual({ status: 0, failed: [] });
  },
);
