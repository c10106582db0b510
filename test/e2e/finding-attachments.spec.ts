import { request as httpRequest } from 'node:http';
import { deflateSync } from 'node:zlib';
import { jpegOf, pngChunk, pngOf } from '../../src/kernel/testing/pictures';
import { FindingAttachmentsService } from '../../src/modules/findings';
import { repeat, sortedStatuses } from '../support/answers';
import { useApi } from '../support/api';
import { type Answer, basic, type Client } from '../support/client';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories } from '../support/factories';
import { withLimit } from '../support/stored-limits';

/** Enough connections and time for twenty uploads that wait for each other. */
const api = useApi({ DATABASE_POOL_SIZE: '25' });
const make = new Factories(api);

const MEBIBYTE = 1_048_576;

const fileOf = (content: Buffer | string): Blob =>
  new Blob([typeof content === 'string' ? content : new Uint8Array(content)], { type: 'application/octet-stream' });

async function fixture() {
  const tenant = await make.organization();
  const member = await tenant.as('member');
  const { id } = await make.finding(tenant.id);
  const pathOf = (findingId: number): string => `/v1/organizations/${tenant.id}/findings/${findingId}/attachments`;
  const attach = (content: Buffer | string, name = 'notes.txt', client: Client = member.client, to = id) =>
    client.post(`${pathOf(to)}?name=${encodeURIComponent(name)}`, fileOf(content));
  const stored = async () => {
    const [files] = await query<{ files: number; chunks: number; counted: number }>(
      `SELECT (SELECT count(*)::int FROM finding_attachments WHERE organization_id = $1) AS files,
         (SELECT count(*)::int FROM finding_attachment_chunks WHERE organization_id = $1) AS chunks,
         (SELECT coalesce(sum(rows), 0)::int FROM stored_rows
          WHERE organization_id = $1 AND table_name = 'finding_attachment_chunks') AS counted`,
      [tenant.id],
    );
    return files;
  };
  return { tenant, member, id, pathOf, path: pathOf(id), attach, stored };
}

const NOTHING = { files: 0, chunks: 0, counted: 0 };

const namesIn = ({ body }: Answer): string[] => (body.attachments as { name: string }[]).map(({ name }) => name);

describe('an attachment of a finding', () => {
  it('can be downloaded by everyone who sees the finding, and has entries in its history and the audit log', async () => {
    const { tenant, member, id, path, attach } = await fixture();
    const content = Buffer.alloc(600_000, 'abcdefghi');
    const { status, headers, body } = await attach(content);
    expect([status, headers.get('location')]).toEqual([201, `${path}/${body.id}`]);
    expect(body).toMatchObject({ name: 'notes.txt', size: 600_000, media_type: null });
    const { client } = await tenant.as('viewer');
    expect((await client.get(path)).body).toEqual({ attachments: [body] });
    const file = await client.get(`${path}/${body.id}`);
    expect(file.text).toBe(content.toString());
    expect(Object.fromEntries(file.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment; filename=notes.txt',
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
    });
    // The range includes parts of two chunks.
    const part = await client.get(`${path}/${body.id}`, { range: 'bytes=262140-330000' });
    expect([part.status, part.text]).toEqual([206, content.subarray(262_140, 330_001).toString()]);
    expect((await member.client.delete(`${path}/${body.id}`)).status).toBe(204);
    expect((await client.get(`${path}/${body.id}`)).status).toBe(404);
    const { history } = (await client.get(`/v1/findings/${id}/history`)).body;
    expect(history.slice(0, 2)).toMatchObject([
      { type: 'edit', changes: [{ field: 'attachments', from: 'notes.txt', to: null }] },
      { type: 'edit', changes: [{ field: 'attachments', from: null, to: 'notes.txt' }] },
    ]);
    const entries = await query(
      `SELECT operation, metadata FROM audit_logs WHERE organization_id = $1 AND resource_type = 'finding'
         AND resource_id = $2 AND operation LIKE 'finding.attach%' AND status = 'success' ORDER BY timestamp`,
      [tenant.id, String(id)],
    );
    const metadata = { attachment_id: body.id, name: 'notes.txt', size: 600_000, sha256: body.sha256 };
    expect(entries).toMatchObject([
      { operation: 'finding.attach', metadata },
      { operation: 'finding.attachment_delete', metadata },
    ]);
  });

  it('can be deleted by the person who attached it and by admins, but not by viewers', async () => {
    const { tenant, member, path, attach, stored } = await fixture();
    const [viewer, other, admin] = [await tenant.as('viewer'), await tenant.as('member'), await tenant.as('admin')];
    expect((await attach('x', 'x', viewer.client)).status).toBe(403);
    const [own, second] = [(await attach('1')).body.id, (await attach('2')).body.id];
    for (const { client } of [viewer, other]) expect((await client.delete(`${path}/${own}`)).status).toBe(403);
    const stale = await member.client.delete(`${path}/${own}`, { 'if-match': '"other"' });
    expect(stale.status).toBe(412);
    expect((await member.client.delete(`${path}/${own}`)).status).toBe(204);
    expect((await admin.client.delete(`${path}/${second}`)).status).toBe(204);
    expect(await stored()).toEqual(NOTHING);
  });

  it('belongs to its finding and its organization, also for a member of both', async () => {
    const [here, there] = [await fixture(), await fixture()];
    await make.membership(here.member.userId, there.tenant.id, 'owner');
    const { id } = (await there.attach('secret')).body;
    const another = await make.finding(here.tenant.id);
    const own = (await here.attach('own')).body.id;
    const mixed = `/v1/organizations/${here.tenant.id}/findings/${there.id}/attachments`;
    const { client } = here.member;
    for (const path of [mixed, here.path, here.pathOf(another.id)]) {
      expect((await client.get(`${path}/${id}`)).status).toBe(404);
      expect((await client.delete(`${path}/${id}`)).status).toBe(404);
    }
    expect((await client.get(`${here.pathOf(another.id)}/${own}`)).status).toBe(404);
    expect((await client.delete(`${here.pathOf(another.id)}/${own}`)).status).toBe(404);
    expect((await client.get(mixed)).status).toBe(404);
    expect((await client.post(mixed, fileOf('x'))).status).toBe(404);
    expect((await client.get(`${there.path}/${id}`)).text).toBe('secret');
    expect(namesIn(await client.get(here.path))).toEqual(['notes.txt']);
  });

  it('cannot be added to a finding that is merged into another', async () => {
    const { tenant, member, id, attach } = await fixture();
    const { id: into } = await make.finding(tenant.id);
    await member.client.post(`/v1/findings/${into}/merge`, { finding_ids: [id] });
    expect((await attach('x')).status).toBe(409);
    expect((await attach('x', 'x', member.client, into)).status).toBe(201);
  });
});

describe('the name of an attachment', () => {
  it.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\Windows\\evil.exe', 'evil.exe'],
    ['/', 'file'],
    ['..', 'file'],
    ['<img src=x onerror=alert(1)>.png', 'img src=x onerror=alert(1).png'],
    ['Bildschirm ü 画面.png', 'Bildschirm ü 画面.png'],
  ])('%s is stored as %s', async (name, expected) => {
    const { member, path, attach } = await fixture();
    const { id } = (await attach('x', name)).body;
    expect(namesIn(await member.client.get(path))).toEqual([expected]);
    const { headers } = await member.client.get(`${path}/${id}`);
    expect(headers.get('content-disposition')).toMatch(
      /^attachment; filename="?[\w.-]+"?(?:; filename\*=UTF-8''\S+)?$/,
    );
  });

  it.each([
    ['gnp\u202efdp.exe', 'U+202E'],
    ['a\r\nX-Evil: 1', 'U+000D'],
    ['a\u0000.txt', 'U+0000'],
    ['x'.repeat(201), '1 to 200 characters'],
  ])('is refused with the reason: %j', async (name, why) => {
    const { attach, stored } = await fixture();
    expect(await attach('x', name)).toMatchObject({ status: 400, body: { description: expect.stringContaining(why) } });
    expect(await stored()).toEqual(NOTHING);
  });
});

/** A PNG with this size and these pixels, and this number of empty text chunks. */
function pngWith(width: number, height: number, pixels: Buffer, empty = 0): Buffer {
  const header = Buffer.from(pngOf(width, 1).subarray(16, 29));
  header.writeUInt32BE(height, 4);
  const chunks = [pngChunk('IHDR', header), ...repeat(empty, pngChunk('tEXt', Buffer.alloc(0)))];
  return Buffer.concat([
    pngOf(1, 1).subarray(0, 8),
    ...chunks,
    pngChunk('IDAT', deflateSync(pixels)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

describe('the content of an attachment', () => {
  it.each([
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', 'x.svg'],
    ['HTML', '<script>alert(1)</script>', 'x.html'],
    ['HTML with the name of a picture', '<script>alert(1)</script>', 'x.png'],
    ['a PNG with HTML behind it', Buffer.concat([pngOf(40, 20), Buffer.from('<script>')]), 'x.png'],
    ['a JPEG with HTML behind it', Buffer.concat([jpegOf(40, 20), Buffer.from('<script>')]), 'x.jpg'],
    ['a PNG that announces 900 million pixels', pngWith(30_000, 30_000, Buffer.alloc(1_000)), 'bomb.png'],
    ['a PNG with more pixels than it announces', pngWith(40, 20, Buffer.alloc(50_000_000)), 'bomb.png'],
    ['a PNG of 20 million pixels', pngOf(5_000, 4_000), 'large.png'],
    ['a PNG of 20,000 parts', pngWith(40, 20, Buffer.alloc(41 * 20), 20_000), 'parts.png'],
  ])('is only downloaded: %s', async (_what, content, name) => {
    const { member, path, attach } = await fixture();
    const { id, media_type } = (await attach(content, name)).body;
    const { headers } = await member.client.get(`${path}/${id}`);
    expect([media_type, headers.get('content-type')]).toEqual([null, 'application/octet-stream']);
    expect(headers.get('content-disposition')).toMatch(/^attachment; /);
  });

  it('is a picture if it is a complete PNG or JPEG, such as the screenshot of a large screen, whatever its name', async () => {
    const { attach } = await fixture();
    expect((await attach(pngOf(3_840, 2_160), 'screen.txt')).body.media_type).toBe('image/png');
    expect((await attach(jpegOf(40, 20), 'photo')).body.media_type).toBe('image/jpeg');
  });
});

describe('the limits of attachments', () => {
  it('are twenty attachments per finding, also for simultaneous uploads', async () => {
    const { attach, stored } = await fixture();
    const answers = await Promise.all(Array.from({ length: 25 }, (_, number) => attach('x', `${number}`)));
    expect(sortedStatuses(answers)).toEqual([...repeat(20, 201), ...repeat(5, 422)]);
    expect(answers.find(({ status }) => status === 422)?.body.description).toBe(
      'The finding has 20 attachments, which is the limit. Delete one first.',
    );
    expect(await stored()).toEqual({ files: 20, chunks: 20, counted: 20 });
  });

  it('are 10 MiB per file, whether its length is announced or not, and refuse an empty file', async () => {
    const { member, path, attach, stored } = await fixture();
    const large = Buffer.alloc(10 * MEBIBYTE + 1, 'a');
    const url = `${api.url}${path}?name=large`;
    const headers = { authorization: basic(member.credentials), 'content-type': 'application/octet-stream' };
    expect((await fetch(url, { method: 'POST', headers, body: large })).status).toBe(413);
    const body = new Blob([large]).stream();
    expect((await fetch(url, { method: 'POST', headers, body, duplex: 'half' } as RequestInit)).status).toBe(413);
    expect((await attach('')).status).toBe(400);
    const form = new Blob(['x'], { type: 'multipart/form-data; boundary=x' });
    expect((await member.client.post(path, form)).status).toBe(415);
    expect(await stored()).toEqual(NOTHING);
    expect((await attach(large.subarray(1))).status).toBe(201);
    expect(await stored()).toMatchObject({ files: 1, counted: 10 * MEBIBYTE });
  });

  it('are a number of bytes per organization, exact for simultaneous uploads, and deleted files no longer count', async () => {
    const { tenant, member, path, pathOf, attach, stored } = await fixture();
    const findings = [(await make.finding(tenant.id)).id, (await make.finding(tenant.id)).id];
    await withLimit('finding_attachment_chunks', 4_000, async () => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, number) =>
          attach('x'.repeat(1_000), `${number}`, member.client, findings[number % 2]),
        ),
      );
      expect(sortedStatuses(answers)).toEqual([...repeat(4, 201), ...repeat(16, 422)]);
      expect(answers.find(({ status }) => status === 422)?.body.description).toBe(
        'This organization has 4,000 bytes of files attached to its findings, which is the limit. Delete some of them first.',
      );
      expect(await stored()).toEqual({ files: 4, chunks: 4, counted: 4_000 });
      const [full = 0] = findings;
      const { id } = (await member.client.get(pathOf(full))).body.attachments[0] ?? {};
      await member.client.delete(`${pathOf(full)}/${id}`);
      expect((await attach('x'.repeat(1_001))).status).toBe(422);
      expect((await attach('x'.repeat(1_000))).status).toBe(201);
      // Its first chunk fits, and is removed with it.
      await query('DELETE FROM finding_attachments WHERE organization_id = $1', [tenant.id]);
      await query("UPDATE stored_limits SET most = 300000 WHERE name = 'finding_attachment_chunks'");
      await query(`INSERT INTO stored_rows_near_limit VALUES ($1, 'finding_attachment_chunks')`, [tenant.id]);
      expect((await attach(Buffer.alloc(600_000))).status).toBe(422);
    });
    expect(await stored()).toEqual(NOTHING);
    expect(namesIn(await member.client.get(path))).toEqual([]);
  });
});

describe('an upload of an attachment', () => {
  async function begun() {
    const at = await fixture();
    const upload = httpRequest({
      port: api.port,
      host: '127.0.0.1',
      method: 'POST',
      path: `${at.path}?name=slow`,
      headers: {
        authorization: basic(at.member.credentials),
        'content-type': 'application/octet-stream',
        'content-length': 2_000_000,
      },
    });
    const status = new Promise<number | undefined>((resolve) => {
      upload.on('response', (response) => resolve(response.statusCode));
      upload.on('error', () => resolve(undefined));
    });
    upload.write(Buffer.alloc(700_000, 'a'));
    await eventually(async () => expect(await at.stored()).toMatchObject({ files: 1, chunks: 2 }));
    return { ...at, upload, status };
  }

  it('that is interrupted leaves nothing, and is not listed before', async () => {
    const { member, path, upload, stored } = await begun();
    expect(namesIn(await member.client.get(path))).toEqual([]);
    upload.destroy();
    await eventually(async () => expect(await stored()).toEqual(NOTHING));
  });

  it('ends with an error when its finding is deleted meanwhile', async () => {
    const { id, upload, status, stored } = await begun();
    await query('DELETE FROM findings WHERE id = $1', [id]);
    upload.end(Buffer.alloc(1_300_000, 'a'));
    expect(await status).toBe(409);
    expect(await stored()).toEqual(NOTHING);
  });

  it('whose process was lost is removed later', async () => {
    const { tenant, id, attach, stored } = await fixture();
    await attach('kept');
    await query(
      `INSERT INTO finding_attachments (organization_id, finding_id, name, actor_type, actor_id, touched)
       SELECT $1, $2, 'lost', 'user', '1', now() - make_interval(mins => m) FROM unnest('{3,9}'::int[]) AS m`,
      [tenant.id, id],
    );
    await api.app.get(FindingAttachmentsService).removeAbandoned();
    expect(await stored()).toMatchObject({ files: 2, chunks: 1 });
  });
});

it('attachments stay when the asset of their finding is deleted, and are deleted with the finding', async () => {
  const { tenant, member, attach, stored } = await fixture();
  const asset = await make.asset(tenant.id);
  const { id } = await make.finding(tenant.id, { asset: { id: asset.id, value: asset.value, tier: null } });
  await attach(Buffer.alloc(300_000), 'x', member.client, id);
  const admin = await tenant.as('admin');
  expect((await admin.client.delete(`/v1/assets/${asset.id}`)).status).toBe(200);
  expect(await stored()).toMatchObject({ files: 1, counted: 300_000 });
  await query('DELETE FROM findings WHERE id = $1', [id]);
  expect(await stored()).toEqual(NOTHING);
});
