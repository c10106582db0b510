import { connect, type Socket } from 'node:net';
import { ImportQuestions } from '../../src/modules/imports/work/import-questions';
import { useApi } from '../support/api';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, type Tenant } from '../support/factories';
import { type Browser, signedInAs, usePortal } from '../support/portal';
import { useWorkerProcess } from '../support/processes';

// Only a closed connection ends an upload.
const limits = { IMPORT_MAX_MEGABYTES: '1', SLOW_UPLOAD_SECONDS: '300' };
const api = useApi(limits);
useWorkerProcess();
const portal = usePortal(api);
const make = new Factories(api);

const NUMBER = /\/imports\/(\d+)$/;

/** In the shape of Nuclei's JSON lines. */
const nuclei = (urls: readonly string[]): string =>
  urls
    .map((url) =>
      JSON.stringify({
        'template-id': 'exposed-git',
        info: { name: 'Git repository', severity: 'medium' },
        host: new URL(url).origin,
        'matched-at': url,
      }),
    )
    .join('\n');

interface Fixture {
  readonly tenant: Tenant;
  readonly browser: Browser;
  readonly host: string;
  readonly page: string;
}

async function fixture(role: 'viewer' | 'member' = 'member'): Promise<Fixture> {
  const tenant = await make.organization();
  const { value: host } = await make.asset(tenant.id);
  const browser = await signedInAs(api, portal, await tenant.as(role));
  return { tenant, browser, host, page: `/o/${tenant.id}/imports` };
}

/** The page of an import that has ended. */
async function whenOver(browser: Browser, page: string): Promise<string> {
  let text = '';
  await eventually(async () => {
    ({ text } = await browser.get(page));
    expect(text).not.toContain('data-stream');
  });
  return text;
}

async function uploaded(
  { browser, page }: Fixture,
  file: string,
  fields: Record<string, string> = {},
): Promise<string> {
  const answer = await browser.upload(page, page, fields, new File([file], 'results.jsonl'));
  if (answer.status !== 303) throw new Error(answer.text);
  const target = answer.headers.get('location') ?? '';
  expect(target).toMatch(NUMBER);
  return target;
}

const importsOf = async ({ tenant }: Fixture): Promise<number> =>
  (await query('SELECT 1 FROM imports WHERE organization_id = $1', [tenant.id])).length;

describe('the form for the file of a scanner', () => {
  it('that cannot be read says that it failed, and does not offer to import it', async () => {
    const at = await fixture();
    const page = await uploaded(at, 'print("no results of a scanner")', { dry_run: 'true' });
    const text = await whenOver(at.browser, page);
    expect(text).toContain('<h2 id="outcome-title">The import failed</h2>');
    expect(text).toContain('No row was read.');
    for (const wrong of ['upload the file again', 'The file has no results', 'not recognized yet'])
      expect(text).not.toContain(wrong);
  });

  it('begins with a dry run that changes nothing, and then imports the file', async () => {
    const given = await fixture();
    const { browser, host, page, tenant } = given;
    const file = nuclei([`https://${host}/.git/config`, 'https://unknown.example.net/.git/config']);
    expect((await browser.get(page)).text).toMatch(/name="dry_run" value="true" checked/);
    const dry = await whenOver(browser, await uploaded(given, file, { dry_run: 'true' }));
    expect(dry).toContain('nothing was changed. The file is kept until');
    expect(dry).toContain('results.jsonl');
    expect(await query('SELECT 1 FROM findings WHERE organization_id = $1', [tenant.id])).toEqual([]);
    expect((await browser.get(`${page}?for_real=true`)).text).not.toMatch(/name="dry_run" value="true" checked/);

    const dryPage = (await browser.get(page)).text.match(/\/o\/\d+\/imports\/\d+/)?.[0] ?? '';
    const viewer = await signedInAs(api, portal, await tenant.as('viewer'));
    expect((await viewer.get(dryPage)).text).not.toContain('Import these results');
    const target = (await browser.submit(dryPage, `${dryPage}/import`)).headers.get('location') ?? '';
    expect(target).toMatch(NUMBER);
    const gone = (await browser.get(dryPage)).text;
    expect(gone).toContain('Its file is not kept any more');
    expect(gone).toContain(`href="${page}?for_real=true"`);
    const real = await whenOver(browser, target);
    const [finding] = await query<{ id: number }>('SELECT id FROM findings WHERE organization_id = $1', [tenant.id]);
    expect(real).toContain(`href="/o/${tenant.id}/findings/${finding?.id}"`);
    const refused = (await browser.get(`${target}?result=refused`)).text;
    expect(refused).toContain('data-label="Line">2<');
    expect(refused).toContain('unknown.example.net');
    expect(refused).not.toContain('Git repository</a>');
    const list = (await browser.get(page)).text;
    expect(list).toContain('1 new, 1 refused');
    expect(list).toContain('dry run');
  });

  it('names the columns of a table that nothing was read from', async () => {
    const given = await fixture();
    const target = await uploaded(given, `Name,Risk,URL,<Team>\nOld,low,https://${given.host}/,Web\n`);
    expect(await whenOver(given.browser, target)).toContain('Nothing was read from these columns: &lt;Team>.');
  });

  it('streams a file of several parts to the event, in the format that was named', async () => {
    const given = await fixture();
    const { slug } = await make.event(given.tenant.id);
    const rows = Array.from({ length: 2_000 }, (_, index) => `https://${given.host}/${index}/.git/config`);
    const fields = { format: 'nuclei-jsonl', event: slug, unknown_assets: 'add', asset: '', csv_mapping: '' };
    const target = await uploaded(given, nuclei(rows), { ...fields, dry_run: 'true' });
    const [row] = await query<{ chunks: number; eventId: number; format: string }>(
      `SELECT i.chunks, e.slug, i.stated_format AS format FROM imports i JOIN events e ON e.id = i.event_id WHERE i.id = $1`,
      [NUMBER.exec(target)?.[1]],
    );
    expect(row).toEqual({ chunks: expect.any(Number), slug, format: 'nuclei-jsonl' });
    expect(row?.chunks).toBeGreaterThan(1);
    expect(await whenOver(given.browser, target)).toContain('2,000');
  });

  it('says why a file is refused, keeps what was chosen, and stores nothing', async () => {
    const given = await fixture();
    const { browser, page } = given;
    const send = (fields: Record<string, string>, file: File) => browser.upload(page, page, fields, file);
    const large = await send({ format: 'sarif' }, new File(['x'.repeat(3 * 1_048_576)], 'large.json'));
    expect(large.status).toBe(413);
    expect(large.text).toContain('The file must be at most 1048576 bytes.');
    expect(large.text).toMatch(/value="sarif" selected/);
    for (const [fields, file, status, reason] of [
      [{ format: 'word' }, new File(['x'], 'a.doc'), 400, 'Format must be'],
      [{ csv_mapping: '{}' }, new File(['x'], 'a.csv'), 400, 'Columns of a CSV file must have columns'],
      [{ event: 'no-such-event' }, new File(['x'], 'a.csv'), 404, 'not found'],
      [{}, new File([], ''), 400, 'Choose a file.'],
      [{}, new File([], 'empty.csv'), 400, 'The file is empty.'],
      [{ asset: 'x'.repeat(20_000) }, new File(['x'], 'a.csv'), 400, 'The field asset is too long.'],
    ] as const) {
      const answer = await send(fields, file);
      expect([answer.status, answer.text.includes(reason) ? reason : answer.text]).toEqual([status, reason]);
    }
    expect(await importsOf(given)).toBe(0);
  });

  it('shows what is wrong with a file that cannot be read', async () => {
    const given = await fixture();
    const text = await whenOver(given.browser, await uploaded(given, 'a letter to a friend', { format: 'zap-xml' }));
    expect(text).toContain('class="verdict error"');
  });

  it('is refused without the token of the session, from other sites and for viewers, before the file is read', async () => {
    const given = await fixture();
    const { browser, page } = given;
    const file = new File([nuclei([`https://${given.host}/`])], 'results.jsonl');
    const withoutToken = await browser.upload(page, page, { csrf: 'x' }, file);
    expect(withoutToken.status).toBe(403);
    const foreign = await browser.upload(page, page, {}, file, { origin: 'https://evil.example' });
    expect(foreign.status).toBe(403);
    // A token after the file is too late.
    const late = new FormData();
    late.append('file', file);
    const token = /name="csrf" value="([^"]*)"/.exec((await browser.get(page)).text)?.[1] ?? '';
    late.append('csrf', token);
    expect((await browser.postForm(page, late)).status).toBe(403);
    expect(await importsOf(given)).toBe(0);

    const viewer = await signedInAs(api, portal, await given.tenant.as('viewer'));
    const shown = (await viewer.get(page)).text;
    expect(shown).not.toContain('type="file"');
    const form = new FormData();
    form.append('csrf', /name="csrf" value="([^"]*)"/.exec(shown)?.[1] ?? '');
    form.append('file', file);
    expect((await viewer.postForm(page, form)).status).toBe(403);
    expect(await importsOf(given)).toBe(0);
    const elsewhere = await fixture();
    form.set('csrf', token);
    expect((await browser.postForm(elsewhere.page, form)).status).toBe(404);
    expect(await importsOf(elsewhere)).toBe(0);
  });

  it('is refused without a session, and if it is damaged', async () => {
    const { page, browser } = await fixture();
    const headers = { origin: portal.url, 'content-type': 'multipart/form-data' };
    const damaged = await browser.postForm(page, 'x', headers);
    expect([damaged.status, damaged.text]).toEqual([400, expect.stringContaining('The form is damaged.')]);
    const unended = await browser.postForm(page, '--b\r\nContent-Dispo', {
      ...headers,
      'content-type': 'multipart/form-data; boundary=b',
    });
    expect(unended.status).toBe(400);
    const form = new FormData();
    form.append('file', new File(['x'], 'a.csv'));
    const anyone = await fetch(portal.url + page, {
      method: 'POST',
      body: form,
      headers: { origin: portal.url },
      redirect: 'manual',
    });
    expect(anyone.headers.get('location')).toContain('/sign-in');
  });

  it('takes two files of an organization at a time, and removes one whose connection was closed', async () => {
    const given = await fixture();
    const { browser, page } = given;
    const { text } = await browser.get(page);
    const token = /name="csrf" value="([^"]*)"/.exec(text)?.[1] ?? '';
    const begin = (): Socket => {
      const socket = connect(Number(new URL(portal.url).port), '127.0.0.1');
      const parts = [
        '--b\r\nContent-Disposition: form-data; name="csrf"\r\n\r\n',
        `${token}\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\ntitle,sev`,
      ].join('');
      socket.write(
        [
          `POST ${page} HTTP/1.1`,
          `Host: ${new URL(portal.url).host}`,
          `Origin: ${portal.url}`,
          `Cookie: assay=${browser.cookie('assay')}`,
          'Content-Type: multipart/form-data; boundary=b',
          'Content-Length: 900000',
          '',
          parts,
        ].join('\r\n'),
      );
      return socket;
    };
    const sockets = [begin(), begin()];
    await eventually(async () => expect(await importsOf(given)).toBe(2));
    const third = await browser.upload(page, page, {}, new File(['title,severity\n'], 'a.csv'));
    expect([third.status, third.text]).toEqual([429, expect.stringContaining('2 files are being uploaded')]);
    expect(third.headers.get('retry-after')).toBe('10');
    for (const socket of sockets) socket.destroy();
    await eventually(async () => expect(await importsOf(given)).toBe(0));
    await uploaded(given, 'title,severity\n', { format: 'csv' });
  });
});

describe('the page of an import', () => {
  it('undoes it, and names the findings that people have changed', async () => {
    const given = await fixture();
    const { browser, host, tenant } = given;
    const target = await uploaded(given, nuclei([`https://${host}/.git/config`, `https://${host}/a/.git/config`]));
    await whenOver(browser, target);
    const findings = await query<{ id: number }>('SELECT id FROM findings WHERE organization_id = $1 ORDER BY id', [
      tenant.id,
    ]);
    const page = `/o/${tenant.id}/findings/${findings[0]?.id}`;
    await browser.submit(page, `${page}/comments`, { comment: 'We look at it.' });
    const refused = await browser.submit(target, `${target}/undo`);
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('cannot be undone')]);
    expect(refused.text).toContain(`href="${page}">Finding ${findings[0]?.id}</a>`);
    expect(refused.text).not.toContain(`>Finding ${findings[1]?.id}</a>`);

    const other = await uploaded(given, nuclei([`https://${host}/b/.git/config`]));
    await whenOver(browser, other);
    expect((await browser.submit(other, `${other}/undo`)).status).toBe(303);
    const undone = await whenOver(browser, other);
    expect(undone).toContain('It was undone: 1 finding removed.');
    expect(undone).not.toContain(`action="${other}/undo"`);
  });

  it('shows viewers the rows and no buttons, and is of its own organization', async () => {
    const given = await fixture();
    const target = await uploaded(given, nuclei([`https://${given.host}/.git/config`]));
    const viewer = await signedInAs(api, portal, await given.tenant.as('viewer'));
    const text = await whenOver(viewer, target);
    expect(text).toContain('Git repository');
    expect(text).not.toContain('Undo the import');
    const csrf = /name="csrf" value="([^"]*)"/.exec(text)?.[1] ?? '';
    expect((await viewer.post(`${target}/undo`, { csrf })).status).toBe(403);
    const stranger = await fixture();
    const id = NUMBER.exec(target)?.[1] ?? '';
    expect((await stranger.browser.get(`${stranger.page}/${id}`)).status).toBe(404);
    const token = /name="csrf" value="([^"]*)"/.exec((await stranger.browser.get(stranger.page)).text)?.[1] ?? '';
    for (const action of ['cancel', 'undo', 'retest-missing'])
      expect((await stranger.browser.post(`${stranger.page}/${id}/${action}`, { csrf: token })).status).toBe(404);
    const statuses = await query<{ status: string }>('SELECT status FROM imports WHERE id = $1', [id]);
    expect(statuses).toEqual([{ status: 'FINISHED' }]);
  });

  it('shows the checks of the file, which members approve, and retests what the next file no longer has', async () => {
    const given = await fixture();
    const { browser, host, tenant } = given;
    const source =
      'id: own\ninfo: { name: Own }\nhttp: [{ path: ["{{BaseURL}}/a"], matchers: [{ type: word, words: ["of <a> weakness"] }] }]';
    const carried = {
      'template-id': 'own',
      'template-encoded': Buffer.from(source).toString('base64'),
      info: { name: 'Own <check>', severity: 'high' },
      'matched-at': `https://${host}/a`,
    };
    const target = await uploaded(given, JSON.stringify(carried));
    await whenOver(browser, target);
    // More severe ones that cannot be approved hide none that can.
    await query(
      `INSERT INTO import_proposals (organization_id, import_id, kind, digest, scanner, title, severity, findings,
         definition, requests, unsafe_methods, missing_values, refusal)
       SELECT organization_id, import_id, kind, n::text, scanner, 'Refused', 5, 1, definition, requests, '{}', '{}', 'refused'
       FROM import_proposals, generate_series(1, 51) AS n WHERE organization_id = $1`,
      [tenant.id],
    );
    const { text } = await browser.get(target);
    expect(text).toContain('51 checks that cannot run');
    expect(text).toContain('Not shown here: 1 other check.');
    expect(text).toContain('1 imported, 1 new; 0 tested; 1 not tested.');
    expect(text).toContain('1 finding: No check is bound to the finding.');
    expect(text).toContain('of &lt;a> weakness');
    const proposal = /name="proposal" value="(\d+)"/.exec(text)?.[1] ?? '';
    const [finding] = await query<{ id: number }>('SELECT id FROM findings WHERE organization_id = $1', [tenant.id]);
    expect((await browser.get(`/o/${tenant.id}/findings/${finding?.id}`)).text).toContain('Checks in imported files');
    const viewer = await signedInAs(api, portal, await tenant.as('viewer'));
    const shown = (await viewer.get(target)).text;
    expect(shown).toContain('Own &lt;check>');
    expect(shown).not.toContain('name="proposal"');
    const decision = { proposal, decision: 'approve' };
    const csrf = /name="csrf" value="([^"]*)"/.exec(shown)?.[1] ?? '';
    for (const action of ['proposals', 'retest-missing'])
      expect((await viewer.post(`${target}/${action}`, { csrf, ...decision })).status).not.toBe(200);
    expect(await query('SELECT status FROM import_proposals WHERE id = $1', [proposal])).toEqual([
      { status: 'proposed' },
    ]);
    expect((await browser.submit(target, `${target}/proposals`, decision)).status).toBe(303);
    expect((await browser.get(target)).text).toContain('1 approved check');
    await eventually(async () =>
      expect(await query('SELECT check_id FROM findings WHERE organization_id = $1', [tenant.id])).toEqual([
        { check_id: 'http:own' },
      ]),
    );
    const next = await uploaded(given, nuclei([`https://${host}/.git/config`]));
    await whenOver(browser, next);
    const missing = `${next}?result=missing`;
    expect((await browser.get(missing)).text).toContain('Retest the missing findings');
    expect((await browser.submit(missing, `${next}/retest-missing`)).status).toBe(303);
    expect((await browser.get(next)).text).toMatch(/1 refused\. #\d+: .*is not verified/);
    const filtered = `/o/${tenant.id}/findings?import=${NUMBER.exec(next)?.[1]}&verification=untested`;
    const list = (await browser.get(filtered)).text;
    expect(list).toContain('Git repository');
    expect(list).not.toContain('Own &lt;check>');
  });

  it('is not below another organization of the same person, and neither is an event', async () => {
    const given = await fixture();
    const person = await given.tenant.as('member');
    const other = await make.organization();
    await make.membership(person.userId, other.id, 'member');
    const browser = await signedInAs(api, portal, person);
    const target = await uploaded(given, nuclei([`https://${given.host}/.git/config`]));
    await whenOver(browser, target);
    const below = `/o/${other.id}/imports`;
    const wrong = `${below}/${NUMBER.exec(target)?.[1]}`;
    for (const path of ['', '/live', '/progress']) expect(await browser.statusOf(wrong + path)).toBe(404);
    const csrf = /name="csrf" value="([^"]*)"/.exec((await browser.get(below)).text)?.[1] ?? '';
    expect((await browser.post(`${wrong}/undo`, { csrf })).status).toBe(404);
    const { slug } = await make.event(given.tenant.id);
    const file = new File(['title,severity\n'], 'a.csv');
    expect((await browser.upload(below, below, { event: slug }, file)).status).toBe(404);
    expect(
      await query('SELECT status FROM imports WHERE organization_id = ANY($1)', [[given.tenant.id, other.id]]),
    ).toEqual([{ status: 'FINISHED' }]);
  });

  it('shows who saw a finding, in which import, and why it is one finding', async () => {
    const given = await fixture();
    const { browser, host, tenant } = given;
    const targets: string[] = [];
    for (let index = 0; index < 6; index++) {
      const file = nuclei([`https://${host}/.git/config`]).replace('}\n', '}') + '\n'.repeat(index);
      targets.push(await uploaded(given, file));
      await whenOver(browser, targets.at(-1) ?? '');
    }
    const [finding] = await query<{ id: number }>('SELECT id FROM findings WHERE organization_id = $1', [tenant.id]);
    const page = `/o/${tenant.id}/findings/${finding?.id}`;
    const { text } = await browser.get(page);
    expect(text).toContain('6 sightings, last');
    expect(text).toContain('Rule: exposed-git');
    expect(text).toContain(`Place: https://${host}/.git/config`);
    expect(text).toContain(`href="${targets[5]}"`);
    expect(text).not.toContain(`href="${targets[0]}"`);
    expect(text).toContain(`href="${page}/sightings"`);
    const all = (await browser.get(`${page}/sightings`)).text;
    for (const target of targets) expect(all).toContain(`href="${target}"`);
  });
});

it('the page of an import says which rows are not stored', async () => {
  const given = await fixture();
  const target = await uploaded(given, `${'x\n'.repeat(1_204)}${nuclei([`https://${given.host}/`])}`, {
    format: 'nuclei-jsonl',
  });
  const { browser } = given;
  const all = await whenOver(browser, target);
  expect(all).toContain('204 more refused rows of the file: counted, but not listed.');
  expect((await browser.get(`${target}?result=refused`)).text).toContain('204 more refused rows');
  expect((await browser.get(`${target}?result=new`)).text).not.toContain('more refused rows');
  expect(all).toContain('Undo the import');
  const id = NUMBER.exec(target)?.[1];
  await query('UPDATE imports SET rows_removed = now() WHERE id = $1', [id]);
  await query('DELETE FROM import_rows WHERE import_id = $1', [id]);
  const removed = (await browser.get(target)).text;
  expect(removed).toContain('to make room for those of newer imports. The numbers stay.');
  expect(removed).not.toContain('The file has no results.');
  expect(removed).not.toContain('Undo the import');
});

describe('rows that are between several assets', () => {
  const answering = async () => {
    const at = await fixture();
    const { id } = await make.asset(at.tenant.id, { value: 'http://192.0.2.9:20100/', type: 'url' });
    const other = await make.asset(at.tenant.id, { value: 'http://192.0.2.9:20300/', type: 'url' });
    const file = nuclei(['http://192.0.2.9:20200/a', 'http://192.0.2.9:20200/b', `https://${at.host}/`]);
    const page = await uploaded(at, file, { dry_run: 'true' });
    return { ...at, id, other: other.id, importPage: page, importId: Number(NUMBER.exec(page)?.[1]) };
  };

  const asked = (browser: Browser, page: string): Promise<string> => whenOver(browser, page);
  const assetsOf = (importId: number) =>
    query<{ result: string; asset: string }>(
      'SELECT result, asset_value AS asset FROM import_rows WHERE import_id = $1 ORDER BY number',
      [importId],
    );

  it('are asked about once for all of a host, and nothing is read before the answer', async () => {
    const { browser, tenant, importPage, importId, page, id, other } = await answering();
    const text = await asked(browser, importPage);
    expect(text).toContain('Which asset do these rows belong to?');
    expect(text.match(/<label for="answer-\d+"[^>]*>[^<]*</g)).toHaveLength(1);
    expect(text).toContain('2 rows at http://192.0.2.9:20200/');
    expect(await assetsOf(importId)).toEqual([]);
    expect(text).toMatch(/<dt>Format<\/dt><dd[^>]*>Nuclei JSONL</);
    expect(text).toMatch(/Needs an answer <span class="second muted">until <time/);
    expect((await browser.get(page)).text).toContain('3 read, 2 wait for the answer');
    for (const wrong of ['none', '2147483647', 'delete'])
      expect((await browser.submit(importPage, `${importPage}/answers`, { answer: wrong })).status).toBe(400);
    const unanswered = await browser.submit(importPage, `${importPage}/answers`, { answer: 'none' });
    expect(unanswered.text).toContain('Choose an answer to each question.');
    const viewer = await signedInAs(api, portal, await tenant.as('viewer'));
    expect((await viewer.get(importPage)).text).not.toContain(`${importPage}/answers`);
    const hidden = Object.fromEntries(
      [...(await viewer.get(importPage)).text.matchAll(/<input type="hidden" name="(csrf)" value="([^"]*)"/g)].map(
        ([, name, value]) => [name, value],
      ),
    );
    expect((await viewer.post(`${importPage}/answers`, { ...hidden, answer: 'add' })).status).toBe(403);
    const answer = await browser.submit(importPage, `${importPage}/answers`, { answer: String(other) });
    expect(answer.status).toBe(303);
    const over = await whenOver(browser, importPage);
    expect(over).toContain('Import these results');
    const rows = [
      { result: 'new', asset: 'http://192.0.2.9:20300/' },
      { result: 'new', asset: 'http://192.0.2.9:20300/' },
      { result: 'new', asset: expect.any(String) },
    ];
    expect(await assetsOf(importId)).toEqual(rows);
    // The answer is that of the import as well.
    const imported = await browser.submit(importPage, `${importPage}/import`, {});
    const target = imported.headers.get('location') ?? '';
    await whenOver(browser, target);
    expect(await assetsOf(Number(NUMBER.exec(target)?.[1]))).toEqual(rows);
    expect(id).toBeLessThan(other);
  });

  it('have an asset of their own, or are refused, as the answer says', async () => {
    for (const [answer, expected] of [
      ['add', { result: 'new', asset: 'http://192.0.2.9:20200/' }],
      ['refuse', { result: 'refused', asset: '192.0.2.9' }],
    ] as const) {
      const { browser, importPage, importId } = await answering();
      await asked(browser, importPage);
      await browser.submit(importPage, `${importPage}/answers`, { answer });
      expect(await whenOver(browser, importPage)).not.toContain('Which asset');
      expect((await assetsOf(importId)).slice(0, 2)).toEqual([expected, expected]);
    }
  });

  it('are refused when nobody has answered for a day, and the import ends with the others', async () => {
    const { browser, importPage, importId } = await answering();
    await asked(browser, importPage);
    const left = await query(
      'SELECT round(extract(epoch FROM waits_until - now()) / 3600)::int AS hours FROM imports WHERE id = $1',
      [importId],
    );
    expect(left).toEqual([{ hours: 24 }]);
    await query('UPDATE imports SET waits_until = now() WHERE id = $1', [importId]);
    await api.app.get(ImportQuestions, { strict: false }).endWaiting();
    await eventually(async () => {
      expect(await query('SELECT status, waits_until AS waits FROM imports WHERE id = $1', [importId])).toEqual([
        { status: 'FINISHED', waits: null },
      ]);
    });
    expect((await assetsOf(importId)).map(({ result }) => result)).toEqual(['refused', 'refused', 'new']);
    const late = await browser.post(`${importPage}/answers`, { answer: 'add', csrf: 'none' });
    expect(late.status).toBeGreaterThanOrEqual(400);
  });

  it('are not asked about when the import is canceled', async () => {
    const { browser, importPage, importId } = await answering();
    await asked(browser, importPage);
    expect((await browser.submit(importPage, `${importPage}/cancel`, {})).status).toBe(303);
    expect(await query('SELECT status, waits_until AS waits FROM imports WHERE id = $1', [importId])).toEqual([
      { status: 'CANCELED', waits: null },
    ]);
    expect(await whenOver(browser, importPage)).not.toContain('Which asset');
  });
});

/** SARIF of source code, which names no host, with one result of a host. */
const sarif = (host: string): string =>
  JSON.stringify({
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'linter', rules: [] } },
        results: ['src/a.ts', 'src/b.ts', `https://${host}/login`].map((uri) => ({
          ruleId: 'weak-hash',
          level: 'warning',
          message: { text: 'A weak hash' },
          locations: [{ physicalLocation: { artifactLocation: { uri }, region: { startLine: 7 } } }],
        })),
      },
    ],
  });

describe('rows without a host', () => {
  const asking = async (fields: Record<string, string> = { dry_run: 'true' }) => {
    const at = await fixture();
    const page = await uploaded(at, sarif(at.host), fields);
    return { ...at, list: at.page, page, text: await whenOver(at.browser, page) };
  };
  const rowsOf = (page: string) =>
    query('SELECT result, reason FROM import_rows WHERE import_id = $1 ORDER BY number', [NUMBER.exec(page)?.[1]]);

  it('are asked about once, and the answer continues with the kept file, also to the import', async () => {
    const { browser, list, page, text, host } = await asking();
    expect(text).toContain('2 rows without a host, such as src/a.ts:7, src/b.ts:7');
    expect(text).toContain('<dt>Format</dt>');
    expect((await browser.get(list)).text).toContain('3 read, 2 wait for the answer');
    for (const [fields, reason] of [
      [{ answer: 'add' }, 'Name the asset of the rows without a host'],
      [{ answer: 'add', asset: 'elsewhere.example.net' }, 'elsewhere.example.net is not an asset of the organization'],
    ] as const) {
      const refused = await browser.submit(page, `${page}/answers`, fields);
      expect([refused.status, refused.text]).toEqual([400, expect.stringContaining(reason)]);
    }
    expect(await rowsOf(page)).toEqual([]);
    expect((await browser.submit(page, `${page}/answers`, { answer: 'add', asset: host })).status).toBe(303);
    expect(await whenOver(browser, page)).toContain('New <span class="muted">3</span>');
    const target = (await browser.submit(page, `${page}/import`)).headers.get('location') ?? '';
    expect(await whenOver(browser, target)).not.toContain('without a host');
    expect((await browser.get(list)).text).toMatch(/3 new[^]*3 new/);
  });

  it('are refused, or their asset is added, as the person says', async () => {
    const refusing = await asking();
    await refusing.browser.submit(refusing.page, `${refusing.page}/answers`, { answer: 'refuse' });
    await whenOver(refusing.browser, refusing.page);
    const reason = expect.stringContaining('It names no host.');
    expect((await rowsOf(refusing.page)).slice(0, 2)).toEqual([
      { result: 'refused', reason },
      { result: 'refused', reason },
    ]);
    const adding = await asking({ unknown_assets: 'add' });
    const answer = { answer: 'add', asset: 'code.example.net' };
    await adding.browser.submit(adding.page, `${adding.page}/answers`, answer);
    await whenOver(adding.browser, adding.page);
    const added = await query('SELECT value FROM assets WHERE organization_id = $1 ORDER BY id DESC LIMIT 1', [
      adding.tenant.id,
    ]);
    expect(added).toEqual([{ value: 'code.example.net' }]);
  });
});

describe('a table whose columns have other names', () => {
  const table = (host: string) => `Problem;Gravity;Where\nWeak hash;high;${host}\nOld library;low;\n`;
  /** In the order of the fields: the title, the severity, the rule, the URL and the host. */
  const named = (...columns: string[]) => columns.map((column): [string, string] => ['column', column]);

  it('is asked about, and the answer continues with the kept file and the next question', async () => {
    const at = await fixture();
    const { browser, host } = at;
    const page = await uploaded(at, table(host), { dry_run: 'true' });
    const text = await whenOver(browser, page);
    expect(text).toContain('Which column is which?');
    expect(text).toContain('<option value="Gravity"');
    for (const wrong of [named('Problem'), named('Problem', 'Risk'), named('', '', '')]) {
      const refused = await browser.submit(page, `${page}/columns`, wrong);
      expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('Choose the columns of the title')]);
    }
    const csrf = /name="csrf" value="([^"]*)"/.exec(text)?.[1] ?? '';
    expect((await browser.post(`${page}/answers`, { csrf, answer: 'add' })).status).toBe(400);
    const answer = await browser.submit(page, `${page}/columns`, named('Problem', 'Gravity', '', '', 'Where'));
    expect(answer.status).toBe(303);
    expect(await whenOver(browser, page)).toContain('1 row without a host, such as Old library');
    await browser.submit(page, `${page}/answers`, { answer: 'add', asset: host });
    expect(await whenOver(browser, page)).toContain('New <span class="muted">2</span>');
    const target = (await browser.submit(page, `${page}/import`)).headers.get('location') ?? '';
    await whenOver(browser, target);
    const titles = await query('SELECT title FROM findings WHERE organization_id = $1 ORDER BY id', [at.tenant.id]);
    expect(titles).toEqual([{ title: 'Weak hash' }, { title: 'Old library' }]);
  });

  it('is not answered by a viewer', async () => {
    const at = await fixture();
    const page = await uploaded(at, table(at.host), { dry_run: 'true' });
    await whenOver(at.browser, page);
    const viewer = await signedInAs(api, portal, await at.tenant.as('viewer'));
    const csrf = /name="csrf" value="([^"]*)"/.exec((await viewer.get(page)).text)?.[1] ?? '';
    expect((await viewer.post(`${page}/columns`, { csrf, column: 'Problem' })).status).toBe(403);
  });
});
