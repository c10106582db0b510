import { randomUUID } from 'node:crypto';
import { checkWith, page } from '../../testing/active-scans';
import { type FormSite, type Posted, servedBy } from '../../testing/form-site';
import { MemoryInventory } from '../../testing/memory-inventory';
import { HOST, sharedTestTarget } from '../../testing/test-target';
import { activeScan } from '../active-scan';
import type { ActiveScan, ActiveScanRequest } from '../active-scan-request';
import { JOB_SUBMISSIONS, type SubmissionLimits, Submissions, type Written } from './submissions';

const testTarget = sharedTestTarget();
let inventory = new MemoryInventory();
let received: Posted[] = [];
let written: readonly Written[] = [];
afterEach(() => void (testTarget().server.disturb = () => false));

async function scanned(
  site: FormSite,
  request: Partial<ActiveScanRequest> = {},
  limits: SubmissionLimits | null = JOB_SUBMISSIONS,
): Promise<ActiveScan> {
  inventory = new MemoryInventory();
  received = [];
  testTarget().server.disturb = servedBy(site, (one) => received.push(one));
  const submissions = limits && new Submissions({ limits, refusal: () => null });
  const scan = await activeScan({
    target: { scheme: 'http', host: HOST, port: testTarget().server.port, path: '/' },
    checks: [checkWith()],
    transport: testTarget().transport(4_000, () => () => {}),
    via: { signal: new AbortController().signal, ...(submissions && { submissions }) },
    otherWww: async () => null,
    seeds: [],
    inventory,
    limits: { ms: 60_000, requests: 5_000 },
    ...request,
  });
  written = submissions?.list ?? [];
  return scan;
}

const posts = (path: string): Posted[] => received.filter((one) => one.method !== 'GET' && one.path === path);
const proved = (): string[] =>
  inventory.results.flatMap(({ sighting }) => sighting?.location.replace(/^\w+:\/\/[^/]+/, '') ?? []);
const points = (): string[] =>
  [...inventory.points.values()].map(
    ({ point: { kind, name, request } }) => `${request.method} ${request.path} ${kind} ${name}`,
  );

const calculated = (text: string): string => text.replace('calculate(191*7)', '=1337=');

describe('a form', () => {
  const guestbook =
    (form: string): FormSite =>
    ({ method, path, fields }) => {
      if (path === '/') return page(form);
      return method === 'POST' && path === '/sign' ? page(`Thanks ${calculated(fields['comment'] ?? '')}`) : null;
    };
  const FORM = `<form method="post" action="/sign"><input name="author"><textarea name="comment"></textarea>
    <input type="hidden" name="topic" value="tea"><button>Save</button></form>`;

  it('is submitted with marked values, and its fields are tested', async () => {
    await scanned(guestbook(FORM));
    expect(points()).toEqual(
      expect.arrayContaining(['POST /sign form author', 'POST /sign form comment', 'POST /sign form topic']),
    );
    expect(proved()).toEqual(['/sign#form=comment']);
    expect(posts('/sign')[0]?.fields).toMatchObject({ author: expect.stringMatching(/^assay[a-z]{9}$/), topic: 'tea' });
    expect(written).toEqual([
      expect.objectContaining({ method: 'POST', path: '/sign', submissions: posts('/sign').length }),
    ]);
  });

  it('is left alone without full tests', async () => {
    await scanned(guestbook(FORM), {}, null);
    expect(posts('/sign')).toEqual([]);
    expect([...inventory.leftOut.values()]).toContainEqual(
      expect.objectContaining({ path: '/sign', leftOut: expect.objectContaining({ by: 'method' }) }),
    );
  });

  it('is sent as multipart where it says so', async () => {
    await scanned(guestbook(FORM.replace('method="post"', 'method="post" enctype="multipart/form-data"')));
    expect(posts('/sign')[0]?.type).toMatch(/^multipart\/form-data/);
    expect(proved()).toEqual(['/sign#form=comment']);
  });

  it('gets its token and its cookie anew before each submission', async () => {
    const open = new Map<string, string>();
    await scanned(({ method, path, fields, cookies }) => {
      if (path === '/') {
        const [session, token] = [randomUUID(), randomUUID()];
        open.set(session, token);
        return {
          headers: { 'set-cookie': `visit=${session}` },
          body: page(FORM.replace('<button>', `<input type="hidden" name="csrf_token" value="${token}"><button>`)),
        };
      }
      if (method !== 'POST' || path !== '/sign') return null;
      const isRight = open.get(cookies['visit'] ?? '') === fields['csrf_token'] && fields['csrf_token'] !== undefined;
      open.delete(cookies['visit'] ?? '');
      return isRight ? page(`Thanks ${calculated(fields['comment'] ?? '')}`) : { status: 403, body: 'Wrong token' };
    });
    expect(points()).not.toContainEqual(expect.stringContaining('csrf_token'));
    expect(proved()).toEqual(['/sign#form=comment']);
  });

  it('is submitted at most as often as its limit, and its other points wait for the next job', async () => {
    const limits = { perForm: 6, inAll: 2_000 };
    const scan = await scanned(guestbook(FORM), {}, limits);
    expect(posts('/sign')).toHaveLength(6);
    expect(
      [...inventory.points.values()].filter(({ kind, testedAt }) => kind === 'form' && testedAt === null),
    ).not.toEqual([]);
    expect(scan).toMatchObject({ end: 'complete', reason: expect.stringContaining('submissions') });
  });

  it('never two at a time', async () => {
    let open = 0;
    let most = 0;
    await scanned(({ method, path, fields }) => {
      if (path === '/') return page(FORM);
      if (method !== 'POST') return null;
      open += 1;
      most = Math.max(most, open);
      setTimeout(() => (open -= 1), 5);
      return page(calculated(fields['comment'] ?? ''));
    });
    expect(most).toBeLessThanOrEqual(2);
  });
});
