import type { IncomingMessage, ServerResponse } from 'node:http';
import { certificate } from '../../src/engine/testing/certificate';
import { MISSING, TargetServer } from '../../src/engine/testing/target-server';
import { useApi, useWorker } from '../support/api';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, type Tenant } from '../support/factories';
import { jobOf, pipeline, withCurl } from '../support/pipeline';
import { type Browser, signedInAs, usePortal } from '../support/portal';

const text = (body: string) => ({ headers: { 'content-type': 'text/plain' }, body });
/** A site with a public Git repository. */
const WEAK = {
  pages: {
    '/.git/HEAD': text('ref: refs/heads/main\n'),
    '/.git/config': text('[core]\n\trepositoryformatversion = 0\n'),
  },
};

let shop: TargetServer;
let demo: TargetServer;
/** Requests for `.env` that wait, so that a job lasts as long as a test wants. */
let held: (() => void)[] | null = null;

beforeAll(async () => {
  [shop, demo] = [await TargetServer.start(certificate()), await TargetServer.start(certificate())];
  shop.disturb = (request: IncomingMessage, response: ServerResponse) => {
    if (held === null || request.url?.startsWith('/.env') !== true) return false;
    held.push(() => response.writeHead(404, { 'content-type': 'text/html; charset=utf-8' }).end(MISSING.body));
    return true;
  };
});
afterAll(async () => {
  await Promise.all([shop.stop(), demo.stop()]);
});

const settings = {
  get EGRESS_ALLOW() {
    return `127.0.0.1:${shop.port},127.0.0.1:${demo.port}`;
  },
  ENGINE_REQUESTS_PER_SECOND: '1000',
  ENGINE_PROBE_SPREAD_MS: '10',
};
const api = useApi(settings);
useWorker(settings);
const portal = usePortal(api, settings);
const make = new Factories(api);

const urlOf = ({ port }: TargetServer): string => `http://127.0.0.1:${port}/`;

interface Team {
  readonly tenant: Tenant;
  readonly browser: Browser;
  /** Starts the script of a pipeline. */
  readonly run: (site: TargetServer) => ReturnType<typeof pipeline>;
}

/** Both sites are assets, at two ports of one address. */
async function team(): Promise<Team> {
  const tenant = await make.organization();
  for (const site of [shop, demo]) await make.asset(tenant.id, { value: urlOf(site), type: 'url' });
  const { credentials } = await make.member(tenant.id, 'member', { scopes: ['ci'] });
  const run = (site: TargetServer) =>
    pipeline(urlOf(site), { credentials, service: api.url, checks: 'exposed-git exposed-env' });
  return { tenant, run, browser: await signedInAs(api, portal, await tenant.as('member')) };
}

withCurl('a team with a pipeline', () => {
  beforeEach(() => {
    [shop.site, demo.site, held] = [{}, {}, null];
  });

  it('has a fix that a retest proved while a pipeline ran, and that pipeline is green', async () => {
    const { tenant, run, browser } = await team();
    shop.site = WEAK;
    expect(await run(shop).exit).toBe(1);
    const [finding] = await query<{ id: number }>('SELECT id FROM findings WHERE organization_id = $1', [tenant.id]);
    const page = `/o/${tenant.id}/findings/${finding?.id}`;

    held = [];
    const late = run(shop);
    await eventually(async () => {
      expect(held?.length).toBeGreaterThan(0);
      const seen = await query(`SELECT 1 FROM jobs WHERE uuid = $1 AND status = 'IN_PROGRESS'`, [jobOf(late)]);
      expect(seen).toHaveLength(1);
    }, 30_000);
    await untilQuiet(shop);
    shop.site = {};
    await browser.submit(page, `${page}/retest`);
    await eventually(async () => expect((await browser.get(page)).text).toContain('class="verdict fixed"'), 60_000);
    const waiting = held;
    held = null;
    for (const answer of waiting) answer();
    expect([await late.exit, late.errors()]).toEqual([0, '']);

    const seenByJob = `SELECT 1 FROM job_findings f JOIN jobs j ON j.id = f.job_id WHERE j.uuid = $1 AND f.finding_id = $2`;
    expect(await query(seenByJob, [jobOf(late), finding?.id])).toHaveLength(1);
    const after = (await browser.get(page)).text;
    expect(after).toContain('class="verdict fixed"');
    expect(after).toContain('Download the signed evidence');
    expect(after).not.toContain('found it again');
    expect(await query('SELECT status FROM findings WHERE id = $1', [finding?.id])).toEqual([{ status: 5 }]);
  });

  it('has what a file says of one application in the gate of this one alone', async () => {
    const { tenant, run, browser } = await team();
    const rows = Array.from({ length: 3 }, (_row, at) => `Weakness ${at},critical,${urlOf(shop)}page${at}\n`);
    const file = new File(['title,severity,url\n', ...rows], 'results.csv');
    const page = `/o/${tenant.id}/imports`;
    const answer = await browser.upload(page, page, {}, file);
    const imported = answer.headers.get('location') ?? '';
    await eventually(async () => expect((await browser.get(imported)).text).toContain('3 new'), 30_000);
    expect((await browser.get(imported)).text).not.toContain('does not cover');

    const green = run(demo);
    expect([await green.exit, green.errors()]).toEqual([0, '']);
    const red = run(shop);
    expect([await red.exit, red.errors()]).toEqual([1, expect.stringContaining('3 claimed earlier and not confirmed')]);
    expect(red.errors()).toContain('Weakness 2');
  });
});

/** Until few requests have arrived for a while: all that is not held is answered. */
async function untilQuiet({ paths }: TargetServer): Promise<void> {
  const counts: number[] = [];
  await eventually(async () => {
    counts.push(paths.length);
    expect(counts.slice(-5)).toEqual(Array.from({ length: 5 }, () => paths.length));
  });
}
