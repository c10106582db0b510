import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { installedGateways } from '../support/gateways';

const project = join(__dirname, '../..');
const filter = process.env['GATEWAY_SPECS'] ?? '';

/** Specs whose tests are not about requests through a gateway, each with its reason. */
const LEFT_OUT: Readonly<Record<string, string>> = {};

const specs = readdirSync(join(project, 'test/e2e'))
  .map((file) => file.replace(/\.spec\.ts$/, ''))
  .filter((name) => !(name in LEFT_OUT) && name.includes(filter));

it.each(installedGateways.filter((name) => name !== 'caddy'))(
  'the end-to-end specs pass through %s in front of two API processes, with two workers',
  (name) => {
    const paths = specs.map((spec) => `test/e2e/${spec}.spec.ts`);
    const { status, stderr } = spawnSync('npx', ['jest', '-w', '1', '--silent', ...paths], {
      cwd: project,
      env: { ...process.env, ASSAY_TEST_GATEWAY: name },
      encoding: 'utf8',
      maxBuffer: 64 * 1_048_576,
    });
    const failed = [...stderr.matchAll(/^ {2}● (.*)$/gm)].map(([, title]) => title);
    expect({ status, failed: [...new Set(failed)] }).toEqual({ status: 0, failed: [] });
  },
);
