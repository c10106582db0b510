import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { checkWith, page } from '../../testing/active-scans';
import { type FormSite, type Posted, servedBy } from '../../testing/form-site';
import { MemoryInventory } from '../../testing/memory-inventory';
import type { Reply } from '../../testing/target-server';
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
  const { stated } = request;
  const targetOf = (path: string) => ({ scheme: 'http' as const, host: HOST, port: testTarget().server.port, path });
  const submissions =
    limits &&
    new Submissions({ limits, refusal: () => null, ...(stated && { stated: (path) => stated(targetOf(path)) }) });
  const scan = await activeScan({
    target: targetOf('/'),
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

  it('is never submitted twice at a time', async () => {
    let open = 0;
    let most = 0;
    await scanned(async ({ method, fields }) => {
      if (method !== 'POST') return page(FORM);
      open += 1;
      most = Math.max(most, open);
      await delay(3);
      open -= 1;
      return page(calculated(fields['comment'] ?? ''));
    });
    expect(posts('/sign').length).toBeGreaterThan(5);
    expect(most).toBe(1);
  });

  it('of a second step is tested after its first step each time', async () => {
    const begun = new Set<string>();
    await scanned(({ method, path, fields, cookies }) => {
      if (path === '/')
        return page('<form method="post" action="/one"><input name="title"><button>Next</button></form>');
      if (method === 'POST' && path === '/one') {
        const id = randomUUID();
        begun.add(id);
        const hidden = `<input type="hidden" name="draft" value="${id}">`;
        return page(`<form method="post" action="/two">${hidden}<input name="comment"><button>Save</button></form>`);
      }
      if (method !== 'POST' || path !== '/two') return null;
      const isRight = begun.delete(fields['draft'] ?? '');
      void cookies;
      return isRight ? page(calculated(fields['comment'] ?? '')) : { status: 400, body: 'Begin again' };
    });
    expect(proved()).toEqual(['/two#form=comment']);
    expect(posts('/one').length).toBeGreaterThanOrEqual(posts('/two').length);
  });

  it.each([
    ['its fields show what exists', FORM.replace('name="author"', 'name="author" value="Ann"'), 'form'],
    ...[
      '<input type="submit" value="Delete">',
      '<input type="image" alt="Delete" src="/bin.png">',
      '<button aria-label="Delete"></button>',
      '<button title="Delete"></button>',
      '<button><img alt="Delete" src="/bin.png"></button>',
    ].map((button): [string, string, string] => [
      `its button is ${button}`,
      FORM.replace('<button>Save</button>', button),
      'word',
    ]),
    ...['number', 'date', 'search', 'range', 'password', 'unheard'].map((type): [string, string, string] => [
      `a field of the type ${type} is filled in`,
      FORM.replace('<button>', `<input type="${type}" name="price" value="499"><button>`),
      'form',
    ]),
    ['it deletes', FORM.replace('value="tea"', 'value="delete"'), 'word'],
    ['it overrides the method', FORM.replace('name="topic" value="tea"', 'name="_method" value="PUT"'), 'word'],
    [
      'nothing can be entered',
      '<form method="post" action="/sign"><input type="hidden" name="a" value="1"><button>Go</button></form>',
      'form',
    ],
    [
      'it takes files alone',
      '<form method="post" action="/sign"><input type="file" name="f"><button>Go</button></form>',
      'form',
    ],
  ])('is left out, and listed, if %s', async (_what, form, by) => {
    await scanned(guestbook(form));
    expect(posts('/sign')).toEqual([]);
    expect([...inventory.leftOut.values()]).toContainEqual(
      expect.objectContaining({ path: '/sign', leftOut: expect.objectContaining({ by }) }),
    );
  });

  it.each([
    ['it is filled in', FORM.replace('name="author"', 'name="author" value="Ann"')],
    ['its button deletes', FORM.replace('Save', 'Delete')],
    ['it asks for more', FORM.replace('<button>', '<input name="phone" required><button>')],
    ['it asks for a consent', FORM.replace('<button>', '<input type="checkbox" name="terms"><button>')],
    ['it has a captcha', FORM.replace('<button>', '<div class="g-recaptcha"></div><button>')],
  ])('that was submitted before is left alone if meanwhile %s', async (_what, later) => {
    const before = guestbook(FORM);
    const after = guestbook(later);
    await scanned((request) => (posts('/sign').length === 0 ? before : after)(request));
    expect(posts('/sign')).toHaveLength(1);
    expect(points()).toContain('POST /sign form comment');
    expect(proved()).toEqual([]);
  });

  it('that an admin no longer allows is left alone', async () => {
    const form = FORM.replace('name="author"', 'name="author" value="Ann"');
    const stated = () => ({ allowed: posts('/sign').length === 0 ? ['/sign'] : [], forbidden: [] });
    await scanned(guestbook(form), { stated });
    expect(posts('/sign')).toHaveLength(1);
  });

  it('is left out where an admin has forbidden its path, and sent where one has allowed it', async () => {
    await scanned(guestbook(FORM), { stated: () => ({ allowed: [], forbidden: ['/sign'] }) });
    expect(posts('/sign')).toEqual([]);
    await scanned(guestbook(FORM.replace('name="author"', 'name="author" value="Ann"')), {
      stated: () => ({ allowed: ['/sign'], forbidden: [] }),
    });
    expect(posts('/sign')).not.toEqual([]);
  });
});

describe('what a submission created', () => {
  const pages = new Map<string, string>();
  let deleted: string[] = [];

  /** A site whose form says that it has created something at this address, which shows the mark. */
  async function creating(location: string, links = ''): Promise<void> {
    pages.clear();
    pages.set(location, 'as it was');
    await scanned(({ method, path, fields }): Reply | string | null => {
      const form =
        '<form method="post" action="/comments"><textarea name="comment"></textarea><button>Save</button></form>';
      if (path === '/') return page(`${links}${form}`);
      if (method === 'DELETE') return { status: pages.delete(path) ? 204 : 404 };
      const known = pages.get(path);
      if (known !== undefined) return page(known);
      if (method !== 'POST') return null;
      pages.set(location, fields['comment'] ?? '');
      return { status: 201, headers: { location }, body: page('Thanks') };
    });
    deleted = received.filter(({ method }) => method === 'DELETE').map(({ path }) => path);
  }

  it('is deleted below the address of the form', async () => {
    await creating('/comments/7');
    expect(deleted).not.toEqual([]);
    expect(new Set(deleted)).toEqual(new Set(['/comments/7']));
  });

  it.each([
    ['is elsewhere', '/posts/7', ''],
    ['was known before', '/comments/7', '<a href="/comments/7">The comment of a person</a>'],
  ])('is not deleted, but listed, if its address %s', async (_what, location, links) => {
    await creating(location, links);
    expect(deleted).toEqual([]);
    expect(written).toEqual([expect.objectContaining({ path: '/comments', left: [location], deleted: 0 })]);
  });
});

describe('a writing operation of a description', () => {
  const DESCRIPTION = JSON.stringify({
    openapi: '3.0.0',
    paths: {
      '/notes': {
        post: {
          operationId: 'createNote',
          summary: 'Creates a note',
          requestBody: {
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  properties: {
                    text: { type: 'string' },
                    meta: {
                      type: 'object',
                      properties: { lang: { type: 'string', example: 'en' }, size: { type: 'integer' } },
                    },
                  },
                },
              },
            },
          },
        },
      },
      '/notes/{id}': { delete: {}, put: {} },
      '/orders': {
        post: { requestBody: { content: { 'application/json': { schema: { properties: { item: {} } } } } } },
      },
    },
  });

  it('is called with a body, each member is tested, and what it created is deleted by its own address alone', async () => {
    const notes = new Map<string, string>([['/notes/1', 'of a person']]);
    let next = 2;
    await scanned(({ method, path, json }): Reply | string | null => {
      if (path === '/openapi.json') return { headers: { 'content-type': 'application/json' }, body: DESCRIPTION };
      if (path === '/') return page('Notes');
      if (method === 'DELETE') return { status: notes.delete(path) ? 204 : 404 };
      if (notes.has(path))
        return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(notes.get(path)) };
      if (method !== 'POST' || path !== '/notes') return null;
      const { meta, text } = json as { meta?: { lang?: string }; text: string };
      const at = `/notes/${(next += 1)}`;
      notes.set(at, text);
      return { status: 201, headers: { location: at }, body: calculated(meta?.lang ?? '') };
    });
    expect(points()).toEqual(
      expect.arrayContaining(['POST /notes json text', 'POST /notes json meta.lang', 'POST /notes json meta.size']),
    );
    expect(proved()).toEqual(['/notes#json=meta.lang']);
    const deleted = received.filter(({ method }) => method === 'DELETE').map(({ path }) => path);
    expect(deleted).not.toContain('/notes/1');
    expect(notes.has('/notes/1')).toBe(true);
    const [list] = written;
    expect(list?.deleted).toBe(deleted.length);
    // Where the text was the value under test, the mark was nowhere to be read.
    expect([...notes.keys()].slice(1)).toEqual(list?.left);
    expect(posts('/orders')).toEqual([]);
    expect(received.filter(({ method }) => method === 'PUT')).toEqual([]);
  });
});
