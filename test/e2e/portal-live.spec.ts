import type { ServerResponse } from 'node:http';
import { Work } from '../../src/platform/work/work';
import { WorkRepository } from '../../src/platform/work/work.repository';
import { Places } from '../../src/portal/http/places';
import { LiveStreams } from '../../src/portal/live/live-streams';
import { useApi, useWorker } from '../support/api';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, type Tenant } from '../support/factories';
import { type Browser, type EventStream, signedInAs, usePortal } from '../support/portal';
import { VulnerableSite } from '../support/vulnerable-site';

const site = new VulnerableSite();
const engine = { EGRESS_ALLOW: site.endpoint, ENGINE_PROBE_SPREAD_MS: '20', ENGINE_REQUESTS_PER_SECOND: '1000' };
const api = useApi(engine);
useWorker(engine);
const portal = usePortal(api);
const make = new Factories(api);

beforeAll(() => site.start());
afterEach(() => site.release());
afterAll(() => site.stop());

/** A finding of the site, and a browser in which its page is open. */
async function findingOf(tenant: Tenant): Promise<{ readonly page: string; readonly browser: Browser }> {
  const { id: assetId } = await make.asset(tenant.id, { value: site.url, type: 'url' });
  const asset = { id: assetId, value: site.url, tier: null };
  const check = { checkId: 'missing-nosniff', checkDefinition: { location: site.url } };
  const { id } = await make.finding(tenant.id, { asset, ...check });
  return { page: `/o/${tenant.id}/findings/${id}`, browser: await signedInAs(api, portal, await tenant.as('member')) };
}

/** A retest whose target does not answer, and the streams that follow it. */
async function followedRetest(streams: number): Promise<{ browser: Browser; page: string; open: EventStream[] }> {
  const { page, browser } = await findingOf(await make.organization());
  site.hold();
  await browser.submit(page, `${page}/retest`);
  const open: EventStream[] = [];
  for (let number = 0; number < streams; number++) open.push(await browser.events(`${page}/progress`));
  return { browser, page, open };
}

describe('the progress of a retest', () => {
  it('arrives probe by probe with its control, and the stream ends with the retest', async () => {
    const { page, browser } = await findingOf(await make.organization());
    site.state = 'vulnerable';
    await browser.submit(page, `${page}/retest`);
    await (await browser.events(`${page}/progress`)).readToEnd();
    site.state = 'fixed';
    // The first probe ends, and a later one waits for its answer.
    site.holdAfter(4);
    await browser.submit(page, `${page}/retest`);
    const stream = await browser.events(`${page}/progress`);
    expect(stream.response.headers.get('content-type')).toContain('text/event-stream');
    expect(stream.response.headers.get('x-accel-buffering')).toBe('no');
    const running = await stream.readUntil('Control</span>');
    expect(running).toMatch(/Control<\/span> <code dir="ltr">GET \/<\/code> <span dir="auto">200<\/span>/);
    expect(running).not.toContain('event: end');
    expect((await browser.get(page)).text).toContain('Probe 1');
    site.release();
    expect(await stream.readToEnd()).toMatch(/event: end\ndata:\n\n$/);
    expect((await browser.get(`${page}/live`)).text).toContain('Fixed');
    const kept = 'SELECT count(*)::int AS kept FROM work WHERE organization_id = $1 AND progress IS NOT NULL';
    expect(await query(kept, [page.split('/')[2]])).toEqual([{ kept: 0 }]);
  });

  it('is not saved by a worker that has lost its claim', async () => {
    const { page } = await followedRetest(0);
    const rows = api.app.get(WorkRepository);
    const finding = Number(page.split('/').at(-1));
    await eventually(async () => {
      const [row] = await query<{ id: string; attempt: number; reference: string }>(
        `SELECT w.id, w.attempt, w.reference FROM work w JOIN retests r ON r.uuid::text = w.reference
         WHERE r.finding_id = $1 AND w.state = 'running'`,
        [finding],
      );
      if (row === undefined) throw new Error('the retest has not begun');
      const claim = { ...row, kind: 'retest.run' } as unknown as Parameters<WorkRepository['saveProgress']>[0];
      expect(await rows.saveProgress({ ...claim, attempt: row.attempt - 1 }, '{"late":true}')).toBe(false);
      expect(await rows.saveProgress(claim, '{"current":true}')).toBe(true);
      expect(await api.app.get(Work).findUnfinished('retest.run', row.reference)).toEqual({
        state: 'running',
        progress: { current: true },
      });
    });
  });

  it('is sent to at most four pages of a session, and the others poll', async () => {
    const { browser, page, open } = await followedRetest(4);
    expect(open.map(({ response }) => response.status)).toEqual([200, 200, 200, 200]);
    expect(await browser.statusOf(`${page}/progress`)).toBe(429);
    expect(await browser.statusOf(`${page}/live`)).toBe(200);
    await open[0]?.cancel();
    await eventually(async () => {
      const again = await browser.events(`${page}/progress`);
      open.push(again);
      expect(again.response.status).toBe(200);
    });
    for (const stream of open.slice(1)) await stream.cancel();
  });

  it('is sent to at most eight pages of a user, with however many sessions', async () => {
    const tenant = await make.organization();
    const { page, browser } = await findingOf(tenant);
    site.hold();
    await browser.submit(page, `${page}/retest`);
    const member = await tenant.as('member');
    const open: EventStream[] = [];
    for (let session = 0; session < 2; session++) {
      const own = await signedInAs(api, portal, member);
      for (let number = 0; number < 4; number++) open.push(await own.events(`${page}/progress`));
    }
    expect(new Set(open.map(({ response }) => response.status))).toEqual(new Set([200]));
    expect(await (await signedInAs(api, portal, member)).statusOf(`${page}/progress`)).toBe(429);
    const other = await browser.events(`${page}/progress`);
    expect(other.response.status).toBe(200);
    for (const stream of [...open, other]) await stream.cancel();
  });

  it('keeps no place for a browser that left while its rights were checked', async () => {
    const { browser, page, open } = await followedRetest(0);
    const streams = portal.app.get(LiveStreams);
    const places = portal.app.get(Places);
    const read = places.read.bind(places);
    const before = streams.size;
    let left = 0;
    const check = jest.spyOn(places, 'read').mockImplementation(async (...given) => {
      const place = await read(...given);
      leave.abort();
      await closed;
      left++;
      return place;
    });
    const closed = new Promise<void>((resolve) => {
      portal.app.getHttpServer().once('request', (_request: unknown, response: ServerResponse) => {
        response.once('close', resolve);
      });
    });
    const leave = new AbortController();
    await expect(
      fetch(`${portal.url}${page}/progress`, {
        signal: leave.signal,
        headers: { cookie: `assay=${browser.cookie('assay')}` },
      }),
    ).rejects.toThrow('aborted');
    await eventually(() => {
      expect(left).toBe(1);
      return Promise.resolve();
    });
    check.mockRestore();
    expect(streams.size).toBe(before);
    expect(open).toEqual([]);
  });

  it('ends when the session ends or its user loses the organization', async () => {
    const { browser, page, open } = await followedRetest(1);
    await open[0]?.readUntil('data:');
    const organization = Number(page.split('/')[2]);
    await query('DELETE FROM memberships WHERE organization_id = $1', [organization]);
    expect(await open[0]?.readToEnd()).not.toContain('event: end');
    expect(await browser.statusOf(`${page}/progress`)).toBe(404);
    const other = await followedRetest(1);
    await other.open[0]?.readUntil('data:');
    await other.browser.submit(other.page, '/sign-out');
    expect(await other.open[0]?.readToEnd()).not.toContain('event: end');
  });

  it('ends when the portal stops', async () => {
    const { open } = await followedRetest(2);
    await open[0]?.readUntil('data:');
    const streams = portal.app.get(LiveStreams);
    expect(streams.size).toBe(2);
    await portal.stop();
    expect(await open[0]?.readToEnd()).not.toContain('event: end');
    expect(await open[1]?.readToEnd()).not.toContain('event: end');
    expect(streams.size).toBe(0);
  });
});
