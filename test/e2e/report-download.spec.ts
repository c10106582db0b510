import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { promisify } from 'node:util';
import { defaultReportOptions } from '../../src/modules/reports';
import { ReportFiles, type StoredFile } from '../../src/modules/reports/report-files';
import { everything } from '../../src/platform/api/scope';
import { Transactions } from '../../src/platform/database/transactions';
import { useApi } from '../support/api';
import { basic, type Credentials } from '../support/client';
import { query } from '../support/database';
import { Factories } from '../support/factories';
import { startApiProcess } from '../support/processes';

const run = promisify(execFile);

/** The resident memory of a process in bytes. */
async function memoryOf(pid: number | undefined): Promise<number> {
  const { stdout } = await run('ps', ['-o', 'rss=', '-p', String(pid)]);
  return Number(stdout.trim()) * 1_024;
}

const api = useApi();
const make = new Factories(api);

const chunk = 256 * 1024;

interface Downloadable {
  readonly path: string;
  readonly credentials: Credentials;
  readonly content: Buffer;
  readonly file: StoredFile;
  readonly organizationId: number;
  get(headers?: Record<string, string>, method?: string): Promise<Response>;
}

const files = () => api.app.get(ReportFiles, { strict: false });

/** A generated report with this content. */
async function downloadable(content: Buffer, { format = 'csv', name = 'Winter pentest' } = {}): Promise<Downloadable> {
  const { id: organizationId } = await make.organization();
  const { credentials } = await make.member(organizationId, 'viewer');
  const { id: eventId } = await make.event(organizationId, { name });
  const file = await api.app.get(Transactions).run(() => files().put(organizationId, content));
  const [report] = await query<{ id: number }>(
    `INSERT INTO reports (organization_id, event_id, options, start_date, end_date, file_id, generation_date)
     VALUES ($1, $2, $3, now(), now(), $4, now()) RETURNING id`,
    [organizationId, eventId, JSON.stringify({ ...defaultReportOptions, format }), file.id],
  );
  const path = `/v1/reports/${report?.id}/download`;
  const get = (headers: Record<string, string> = {}, method = 'GET'): Promise<Response> =>
    fetch(api.url + path, { method, headers: { authorization: basic(credentials), ...headers } });
  return { path, credentials, content, file, organizationId, get };
}

const bytesOf = async (response: Response): Promise<Buffer> => Buffer.from(await response.arrayBuffer());

describe('a download', () => {
  it('has headers for content type, length, file name and ETag', async () => {
    const content = randomBytes(3 * chunk + 17);
    const { get, file } = await downloadable(content, { name: 'Тест "2026"' });
    const answer = await get();
    expect(answer.status).toBe(200);
    expect((await bytesOf(answer)).equals(content)).toBe(true);
    expect(file.sha256).toBe(createHash('sha256').update(content).digest('hex'));
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-length': String(content.length),
      'content-disposition': expect.stringMatching(
        /^attachment; filename=2026-report-\d+\.csv; filename\*=UTF-8''%D0%A2%D0%B5%D1%81%D1%82%202026%20%2C%20report%20\d+\.csv$/,
      ),
      'accept-ranges': 'bytes',
      etag: `"${file.sha256}"`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    expect(answer.headers.has('content-security-policy')).toBe(false);
  });

  it('cannot run scripts or load resources when opened in a browser', async () => {
    const { get } = await downloadable(Buffer.from('<!doctype html>'), { format: 'html' });
    const { headers } = await get();
    expect(headers.get('content-security-policy')).toBe(
      "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:",
    );
    expect([headers.get('content-type'), headers.get('content-disposition')]).toEqual([
      'text/html; charset=utf-8',
      expect.stringMatching(/^attachment; /),
    ]);
  });

  it.each([
    ['bytes=0-0', 0, 0],
    ['bytes=0-', 0, 3 * chunk + 16],
    ['bytes=100-199', 100, 199],
    [`bytes=${chunk - 1}-${chunk}`, chunk - 1, chunk],
    [`bytes=${chunk}-${2 * chunk - 1}`, chunk, 2 * chunk - 1],
    [`bytes=${chunk - 5}-${2 * chunk + 5}`, chunk - 5, 2 * chunk + 5],
    ['bytes=-17', 3 * chunk, 3 * chunk + 16],
    [`bytes=${3 * chunk + 16}-99999999`, 3 * chunk + 16, 3 * chunk + 16],
  ])('supports the range %s', async (range, from, to) => {
    const { get, content } = await downloadable(Buffer.alloc(3 * chunk + 17, 'some bytes of a file. '));
    const answer = await get({ range });
    expect([answer.status, answer.headers.get('content-range'), answer.headers.get('content-length')]).toEqual([
      206,
      `bytes ${from}-${to}/${content.length}`,
      String(to - from + 1),
    ]);
    expect((await bytesOf(answer)).equals(content.subarray(from, to + 1))).toBe(true);
  });

  it('answers 416 for a range after the end of the file', async () => {
    const { get } = await downloadable(Buffer.from('0123456789'));
    const answer = await get({ range: 'bytes=10-' });
    expect([answer.status, answer.headers.get('content-range'), answer.headers.get('etag')]).toEqual([
      416,
      'bytes */10',
      null,
    ]);
    expect(await answer.json()).toEqual({
      code: 416,
      name: 'Range Not Satisfiable',
      description: 'The file has 10 bytes, and the requested range is outside of it. Request a smaller range.',
      success: false,
    });
    expect((await get({ range: 'bytes=5-2' })).status).toBe(416);
    const whole = await get({ range: 'bytes=-11' });
    expect([whole.status, await whole.text()]).toEqual([200, '0123456789']);
  });

  it('answers a range only when If-Range matches', async () => {
    const { get, file } = await downloadable(Buffer.from('0123456789'));
    const of = async (ifRange: string) => {
      const answer = await get({ range: 'bytes=0-1', 'if-range': ifRange });
      return [answer.status, await answer.text()];
    };
    expect(await of(`"${file.sha256}"`)).toEqual([206, '01']);
    for (const other of ['"other"', `W/"${file.sha256}"`, 'Sat, 21 Nov 2026 12:00:00 GMT'])
      expect(await of(other)).toEqual([200, '0123456789']);
  });

  it('is answered with 304 when If-None-Match matches', async () => {
    const { get, file } = await downloadable(Buffer.from('0123456789'));
    for (const method of ['GET', 'HEAD']) {
      const answer = await get({ 'if-none-match': `"x", W/"${file.sha256}"`, range: 'bytes=0-1' }, method);
      expect([answer.status, answer.headers.get('etag'), await answer.text()]).toEqual([304, `"${file.sha256}"`, '']);
    }
    expect((await get({ 'if-none-match': '"x"' })).status).toBe(200);
  });

  it('returns only headers to HEAD, which ignores Range', async () => {
    const { get, file } = await downloadable(Buffer.alloc(2 * chunk, 'x'));
    const answer = await get({ range: 'bytes=0-1' }, 'HEAD');
    expect([
      answer.status,
      answer.headers.get('content-length'),
      answer.headers.get('etag'),
      await answer.text(),
    ]).toEqual([200, String(2 * chunk), `"${file.sha256}"`, '']);
  });

  it('of an empty file has length 0', async () => {
    const { get } = await downloadable(Buffer.alloc(0));
    const answer = await get();
    expect([answer.status, answer.headers.get('content-length'), await answer.text()]).toEqual([200, '0', '']);
    expect((await get({ range: 'bytes=0-' })).status).toBe(416);
  });

  it('is aborted when its file is deleted meanwhile', async () => {
    const { get, file } = await downloadable(randomBytes(64 * chunk));
    const answer = await get();
    await query('DELETE FROM report_file_chunks WHERE file_id = $1', [file.id]);
    await expect(bytesOf(answer)).rejects.toThrow();
    const later = await get();
    expect(later.status).toBe(500);
  });
});

describe('report files', () => {
  it('are stored once for equal content, but never shared between organizations', async () => {
    const content = randomBytes(100);
    const one = await downloadable(content);
    const other = await downloadable(content);
    const again = await api.app.get(Transactions).run(() => files().put(one.organizationId, content));
    expect([again.id === one.file.id, other.file.id === one.file.id]).toEqual([true, false]);
    expect(await query('SELECT 1 FROM report_file_chunks WHERE file_id = $1', [one.file.id])).toHaveLength(1);
  });

  it('that belong to no report are removed after an hour; others stay', async () => {
    const kept = await downloadable(randomBytes(100));
    const unused = await downloadable(randomBytes(100));
    const fresh = await downloadable(randomBytes(100));
    const ids = [kept, unused, fresh].map(({ file }) => file.id);
    await query(`UPDATE report_files SET created = now() - interval '2 hours' WHERE id = ANY($1)`, [ids.slice(0, 2)]);
    await query('DELETE FROM reports WHERE file_id = ANY($1)', [ids.slice(1)]);
    while ((await files().removeUnusedBatch(everything('a test'))) > 0);
    const left = await query<{ id: number }>('SELECT id FROM report_files WHERE id = ANY($1) ORDER BY id', [ids]);
    expect(left.map(({ id }) => id)).toEqual([kept.file.id, fresh.file.id]);
  });
});

describe('a large file with a slow reader', () => {
  const fiftyMegabytes = 50 * 2 ** 20;
  /** What a process needs for itself differs by about ten megabytes from run to run, so one file would be too close. */
  const twoOfEight = 2 * fiftyMegabytes;

  it('uses neither much memory nor a database connection, and is released when the reader disconnects', async () => {
    const content = randomBytes(fiftyMegabytes);
    const { path, credentials, file } = await downloadable(content);
    const server = await startApiProcess();
    const open = async (): Promise<IncomingMessage> => {
      const sentRequest = request(server.url + path, { headers: { authorization: basic(credentials) } }).end();
      const [answer] = (await once(sentRequest, 'response')) as [IncomingMessage];
      return answer;
    };
    const warm = await open();
    for await (const _piece of warm);
    const before = await memoryOf(server.child.pid);

    const readers = await Promise.all(Array.from({ length: 8 }, open));
    for (const reader of readers) {
      await once(reader, 'readable');
      reader.read(1);
    }
    const [busy] = await query<{ count: number }>(
      `SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name ~ '^assay (api|process) ' AND state <> 'idle' AND query LIKE '%report_file%'`,
    );
    expect(busy?.count).toBe(0);
    expect((await memoryOf(server.child.pid)) - before).toBeLessThan(twoOfEight);
    for (const reader of readers.slice(1)) reader.destroy();

    const hash = createHash('sha256');
    const whole = await open();
    for await (const piece of whole) hash.update(piece as Buffer);
    expect(hash.digest('hex')).toBe(file.sha256);
    expect((await memoryOf(server.child.pid)) - before).toBeLessThan(twoOfEight);
    readers[0]?.destroy();
    // The aborted downloads have been released, so the process can stop at once.
    server.kill('SIGTERM');
    expect(await server.exited).toBe(0);
  });
});
