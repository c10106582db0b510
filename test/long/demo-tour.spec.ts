import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '../support/eventually';
import { LocalAssay, localSettings, localTimeoutMs, userOf } from '../support/local-assay';
import { programOf } from '../support/programs';
import { type Resource, specifiedFields } from '../support/specified-fields';

jest.setTimeout(localTimeoutMs);

const local = new LocalAssay();

beforeAll(async () => local.start(await localSettings()));
afterAll(() => local.remove());

const target = (): string => local.demo.demo_target_url ?? '';

async function setWeakness(path: string): Promise<void> {
  expect((await fetch(`${target()}-/${path}`, { method: 'POST' })).status).toBe(200);
}

async function finishedJob(order: object): Promise<string[]> {
  const { uuid } = (await local.request('POST', '/jobs/launch', { url: target(), ...order })).body;
  let titles: string[] = [];
  await eventually(async () => {
    const { job } = (await local.request('GET', `/jobs/${uuid}`)).body;
    expect(job).toMatchObject({ status: 'FINISHED', error: null });
    titles = job.findings.map(({ title }: { title: string }) => title);
  }, localTimeoutMs);
  return titles;
}

/** Runs a command with no other setting than the data folder. */
const cli = (...parameters: string[]) =>
  spawnSync(process.execPath, [programOf('cli'), ...parameters], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], ASSAY_DATA: local.dataDir },
  });

const readable = 'Session cookie without HttpOnly';

describe('the demo data', () => {
  it('has an event with findings, retests with each result, and reports', async () => {
    await eventually(async () => expect(local.demo.results).toBe('complete'), localTimeoutMs);
    const { event_slug: event, retested_finding_ids: retested = [], report_id: pdf, html_report_id: html } = local.ours;
    const results: unknown[] = [];
    for (const id of retested)
      results.push((await local.request('GET', `/events/${event}/findings/${id}/retest`)).body.result);
    expect(results).toEqual(['fixed', 'still_vulnerable', 'inconclusive']);
    const { findings } = (await local.request('GET', `/events/${event}/findings/?per_page=100`)).body;
    expect(findings).toHaveLength(15);
    expect(new Set(findings.map(({ status }: { status: number }) => status)).size).toBeGreaterThan(4);
    for (const { md } of findings) expect(md).toMatch(/\*\*(Remediation|How to fix it)/);
    const { history } = (await local.request('GET', `/findings/${retested[1]}/history`)).body;
    expect(new Set(history.map(({ actor }: { actor: { id: string } }) => actor.id)).size).toBeGreaterThan(2);
    for (const [id, beginning] of [
      [pdf, '%PDF-'],
      [html, '<!doctype html>'],
    ]) {
      await eventually(async () => {
        expect((await local.request('GET', `/reports/${id}/`)).body.generation_date).not.toBeNull();
      }, localTimeoutMs);
      expect((await local.download(`/reports/${id}/download`)).slice(0, 15)).toMatch(new RegExp(`^${beginning}`, 'i'));
    }
  });
});

describe('the asset of the demo target', () => {
  it('has a pace of its own, so that a first job beside those of the demo ends in seconds', async () => {
    const { asset_ids: ids } = local.ours;
    const assets = await Promise.all(ids.map(async (id) => (await local.request('GET', `/assets/${id}`)).body));
    expect(assets).toContainEqual(expect.objectContaining({ value: target(), requests_per_second: 20 }));
  });
});

describe('the machine event of the demo data', () => {
  it('observes and tests the demo target by itself, and says what it did', async () => {
    await eventually(async () => expect(local.demo.results).toBe('complete'), localTimeoutMs);
    const { machine_event_slug: slug } = local.ours;
    await eventually(async () => {
      expect((await local.request('GET', `/events/${slug}/progress`)).body).toMatchObject({
        assets: { done: 1, not_testable: 0 },
        origins: { done: 1, not_testable: 0 },
        days: [{ assets: 1, failed: 0 }],
      });
    }, localTimeoutMs);
    expect((await local.request('GET', `/events/${slug}`)).body).toMatchObject({
      status: 'running',
      sends: expect.stringContaining('every web origin there is tested'),
    });
  });
});

type Fields = Readonly<Record<string, unknown>>;

/** The records of an organization of the demo, as its admin reads them. */
async function demoRecords(
  organization: (typeof local.demo.organizations)[number],
): Promise<Record<Resource, Fields[]>> {
  const { id, event_slug: slug, asset_ids: assetIds, retested_finding_ids: retestedIds = [] } = organization;
  const admin = userOf(organization, 'admin');
  const read = async (path: string) => (await local.request('GET', path, undefined, admin)).body;
  const assets = await Promise.all(assetIds.map((asset) => read(`/assets/${asset}`)));
  const scope = await read(`/events/${slug}/scope`);
  const logs = await read(`/audit-logs/?organization_id=${id}&per_page=100`);
  const added = (path: string, body: object) => local.request('POST', path, body, admin);
  const beacon = { name: 'of-the-test', allowed_cidrs: ['10.99.0.0/16'] };
  return {
    finding: (await read(`/events/${slug}/findings/?per_page=100`)).findings,
    asset: assets,
    technology: assets.flatMap(({ technologies }) => technologies),
    shortAsset: await Promise.all(assetIds.map((asset) => read(`/organizations/${id}/assets/${asset}`))),
    organization: (await read('/organizations/')).organizations,
    domain: (await read(`/organizations/${id}/domains/`)).domains,
    // Secrets are in the response to the creation alone.
    beacon: [
      ...(await read(`/organizations/${id}/beacons/`)).beacons,
      (await added(`/organizations/${id}/beacons/`, beacon)).body,
    ],
    retest: await Promise.all(retestedIds.map((finding) => read(`/events/${slug}/findings/${finding}/retest`))),
    report: (await read('/reports/')).reports,
    event: (await read(`/organizations/${id}/events/`)).events,
    scopeAsset: [...scope.in_scope.assets, ...scope.out_of_scope.assets],
    auditLog: logs.audit_logs,
    auditLogs: [logs],
    acknowledgement: [(await added('/assets/', { asset_type: 'domain', asset_value: `x${id}.example` })).body],
  };
}

const isFilled = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== null && value !== undefined && value !== '';

/** They need a setting of the operator. */
const WITHOUT_VALUE = ['beacon.rathole_server', 'beacon.rathole_public_port'];

describe('the demo data', () => {
  it('has a value for every field of the specification', async () => {
    await eventually(async () => expect(local.demo.results).toBe('complete'), localTimeoutMs);
    await eventually(async () => {
      const [, contoso = local.ours] = local.demo.organizations;
      const { body } = await local.request('GET', '/reports/', undefined, userOf(contoso, 'admin'));
      expect(body.reports.map(({ error }: { error: string | null }) => error)).toContainEqual(expect.any(String));
    }, localTimeoutMs);
    const organizations = await Promise.all(local.demo.organizations.map(demoRecords));
    const empty = Object.entries(specifiedFields).flatMap(([resource, fields]) => {
      const records = organizations.flatMap((one) => one[resource as Resource]);
      expect([resource, records.length]).not.toEqual([resource, 0]);
      return fields
        .filter((field) => !records.some((record) => isFilled(record[field])))
        .map((field) => `${resource}.${field}`);
    });
    expect(empty).toEqual(WITHOUT_VALUE);
  });
});

const project = resolve(__dirname, '../..');

const blocksOf = (page: string, language: string): string[] =>
  Array.from(page.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm')), ([, block = '']) => block);

const commandsOf = (page: string): string => blocksOf(page, 'sh').join('');
const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');

/** The findings that a page shows as the output of a job. */
const findingsShownIn = (page: string): string[] =>
  linesOf(blocksOf(page, 'text').join('')).filter((line) => /^(?:critical|high|medium|low) {2}/.test(line));

/** Runs commands as a user pastes them, in a folder that looks like the project. */
async function paste(commands: string): Promise<{ stdout: string; stderr: string }> {
  const cwd = join(local.dataDir, 'pasted');
  mkdirSync(cwd);
  symlinkSync(join(project, 'examples'), join(cwd, 'examples'));
  symlinkSync(local.dataDir, join(cwd, '.assay'));
  // `npm run -s cli --` would build the project again.
  const cli = `npm() { shift 4; '${process.execPath}' '${programOf('cli')}' "$@"; }\n`;
  return promisify(execFile)('bash', ['--norc', '-uc', cli + commands], { cwd, env: { PATH: process.env['PATH'] } });
}

const tour = readFileSync(join(project, 'docs/tour.md'), 'utf8');
const readme = readFileSync(join(project, 'README.md'), 'utf8');
const [install, ...stepsOfReadme] = blocksOf(readme, 'sh');

describe('the commands of the README and of docs/tour.md', () => {
  let run: { readonly stdout: string; readonly stderr: string };

  beforeAll(async () => {
    run = await paste(stepsOfReadme.join('') + commandsOf(tour));
    // Some sixty programs start one after the other, and wait for four tests.
  }, 300_000);

  it('fail only where the tour says so', () => {
    expect(linesOf(run.stderr)).toEqual(
      [409, 403, 403].map((status) => expect.stringMatching(`^HTTP ${status}: .*\\.$`)),
    );
  });

  it('find the weaknesses that the README shows', () => {
    expect(findingsShownIn(readme).length).toBeGreaterThan(3);
    expect(linesOf(run.stdout)).toEqual(expect.arrayContaining(findingsShownIn(readme)));
  });

  it('prove that one user is given what belongs to another, and that this is fixed', () => {
    const lanes = linesOf(run.stdout).find((line) => line.includes('customer ada')) ?? '[]';
    expect(JSON.parse(lanes)).toMatchObject([
      { account: null },
      { account: 'customer ada', proved: true },
      { account: 'customer bob', proved: true },
    ]);
    expect(run.stdout).toMatch(/^fixed {2}(?=.*customer ada)(?=.*customer bob).*$/m);
  });

  it('fix a weakness, and verify its evidence offline', () => {
    expect(run.stdout).toMatch(/^fixed {2}/m);
    expect(run.stdout).toMatch(/^Authentic: /m);
  });

  it('import the file of a scanner, and test what it says', () => {
    expect(linesOf(run.stdout)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^4 {2}refused {2}Git Configuration - Detect +shop\.example is not an asset/),
        '{"new":3,"seen_again":0,"reopened":0,"unchanged":0,"refused":1,"missing":0}',
        '3 imported, 3 new; 2 tested: 1 confirmed, 1 refuted, 0 inconclusive; 1 not tested.',
        expect.stringMatching(/^\{"result":"refuted","reason":"\/\.git\/HEAD, .*: not there;/),
      ]),
    );
  });

  it('continue the steps of the README, which begins with the installation', () => {
    expect(install).toBe('npm install\nnpm start\n');
    expect(stepsOfReadme.length).toBeGreaterThan(3);
  });
});

describe('examples/call.mjs', () => {
  const call = (folder: string, ...words: string[]) =>
    spawnSync(process.execPath, [join(project, 'examples/call.mjs'), ...words], {
      encoding: 'utf8',
      env: { ASSAY_DATA: folder },
    });

  it.each([
    ['there is no demo', [join(local.dataDir, 'none'), 'member', '/me'], /^Cannot read .*demo\.json .*Run `npm start`/],
    ['the caller is unknown', [local.dataDir, 'nobody', '/me'], /^"nobody" is not a role\. Known roles: owner, /],
    [
      'the service refuses the request',
      [local.dataDir, 'viewer', '/audit-logs/'],
      /^HTTP 403: This needs the role admin/,
    ],
  ] as const)('says so and fails when %s', (_case, [folder, ...words], message) => {
    const { status, stdout, stderr } = call(folder, ...words);
    expect([status, stdout, stderr]).toEqual([1, '', expect.stringMatching(message)]);
  });
});

describe('the demo', () => {
  it('also works in the demo event, which is running after the start', async () => {
    const event = local.ours.event_slug;
    expect(await finishedJob({ event_slug: event })).toContain(readable);
    const id = await local.findingOf(`/events/${event}/findings/`, readable);
    await setWeakness('fix/cookie-without-httponly');
    expect(await local.resultOfRetest(`/events/${event}/findings/${id}`)).toBe('fixed');
    expect(await local.statusOf(id)).toEqual([5, 1]);
  });

  it('has a command line that finds its database', () => {
    const { stdout, stderr } = cli('create-organization', 'By hand');
    expect(stdout).toMatch(/^Organization \d+ created\.\n$/);
    expect(stderr).toBe(`Using the database of the running Assay in ${local.dataDir}.\n`);
    expect(cli('migrate').stdout).toBe('The schema is up to date.\n');
  });
});
