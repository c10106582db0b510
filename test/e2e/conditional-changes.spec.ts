import { useApi } from '../support/api';
import type { Answer, Client } from '../support/client';
import { query } from '../support/database';
import { Factories } from '../support/factories';
import { logoFile } from '../support/records';

const api = useApi();
const make = new Factories(api);

const tagOf = ({ headers }: Answer): string => headers.get('etag') ?? '';
const ifMatch = (tag: string) => ({ 'if-match': tag });
const statuses = (answers: readonly Answer[]): number[] => answers.map(({ status }) => status).sort();

async function findingOf(role: 'member' | 'admin' = 'member') {
  const tenant = await make.organization();
  const { client } = await tenant.as(role);
  const { id } = await make.finding(tenant.id);
  const path = `/v1/findings/${id}/`;
  return { tenant, client, id, path, tag: tagOf(await client.get(path)) };
}

const labelsOf = async (client: Client, path: string): Promise<string[]> =>
  (await client.get(path)).body.findings[0].labels;

describe('a change with If-Match', () => {
  it('wins exactly once when twenty changes with the same ETag are sent at the same time', async () => {
    const { client, path, tag } = await findingOf();
    const numbers = Array.from({ length: 20 }, (_, index) => index);
    const answers = await Promise.all(
      numbers.map((number) => client.patch(path, { labels: [`label-${number}`] }, ifMatch(tag))),
    );
    expect(statuses(answers)).toEqual([200, ...Array<number>(19).fill(412)]);
    const winner = answers.findIndex(({ status }) => status === 200);
    expect(await labelsOf(client, path)).toEqual([`label-${winner}`]);
  });

  it('wins exactly once against changes by another operation on the same finding', async () => {
    const { client, id, path, tag } = await findingOf();
    const answers = await Promise.all([
      client.patch(path, { labels: ['changed'] }, ifMatch(tag)),
      client.post(`/v1/findings/${id}/status`, { status: 3 }, ifMatch(tag)),
    ]);
    expect(statuses(answers)).toEqual([200, 412]);
  });

  it('returns 404 for a record outside the scope and 403 without the role, before 412', async () => {
    const { path, tenant } = await findingOf();
    const foreign = await (await make.organization()).as('owner');
    const viewer = await tenant.as('viewer');
    // A role elsewhere, so that the service decides and not the guard.
    await make.membership(viewer.userId, (await make.organization()).id, 'owner');
    const change = { labels: ['x'] };
    expect((await foreign.client.patch(path, change, ifMatch('"old"'))).status).toBe(404);
    expect((await viewer.client.patch(path, change, ifMatch('"old"'))).status).toBe(403);
  });

  it('returns 412 before the change is checked against the current state, which the caller has not read', async () => {
    const { client, id, tag } = await findingOf();
    await client.post(`/v1/findings/${id}/status`, { status: 3 });
    const refused = await client.post(`/v1/findings/${id}/status`, { status: 1 }, ifMatch(tag));
    expect([refused.status, refused.body.description]).toEqual([
      412,
      'The record has changed since you read it: its ETag is not in If-Match. Read it again with GET /v1/findings/{finding_id}/, and repeat the change with the new ETag.',
    ]);
  });

  it('accepts * and lists with commas in tags, and explains that a weak ETag never matches', async () => {
    const { client, path, tag } = await findingOf();
    expect((await client.patch(path, { labels: ['a'] }, ifMatch(`"x,y", ,${tag}`))).status).toBe(200);
    expect((await client.patch(path, { labels: ['b'] }, ifMatch(' * '))).status).toBe(200);
    const weak = await client.patch(path, { labels: ['c'] }, ifMatch(`W/${tagOf(await client.get(path))}`));
    expect([weak.status, weak.body.description]).toEqual([412, expect.stringContaining('has a weak ETag (W/)')]);
    expect(await labelsOf(client, path)).toEqual(['b']);
  });

  it.each(['', ',', 'abc', '"open', '*, "a"', 'w/"a"', '"a" "b"', '"a b"'])(
    'is refused with 400 when If-Match is %j',
    async (header) => {
      const { client, path } = await findingOf();
      const refused = await client.patch(path, { labels: ['x'] }, ifMatch(header));
      expect([refused.status, refused.body.description]).toEqual([400, expect.stringContaining('If-Match must be *')]);
      expect(await labelsOf(client, path)).toEqual([]);
    },
  );

  it('is refused with 400 by an operation without an ETag, so that clients do not rely on it', async () => {
    const { client, id } = await findingOf();
    const refused = await client.post(`/v1/findings/${id}/comments/`, { comment: 'x' }, ifMatch('*'));
    expect([refused.status, refused.body.description]).toEqual([
      400,
      'This operation does not support If-Match. Send the request without this header.',
    ]);
  });

  it.each(['If-None-Match', 'If-Unmodified-Since'])(
    'is not replaced by %s, which every change refuses with 400',
    async (name) => {
      const { client, id, path, tag, tenant } = await findingOf('admin');
      const headers = { [name.toLowerCase()]: name === 'If-None-Match' ? '*' : 'Mon, 01 Jan 2001 00:00:00 GMT' };
      const answers = [
        await client.patch(path, { labels: ['x'] }, headers),
        await client.post(`/v1/findings/${id}/comments/`, { comment: 'x' }, headers),
        await client.send('DELETE', `/v1/organizations/${tenant.id}/logo`, undefined, headers),
      ];
      for (const { status, body } of answers)
        expect([status, body.description]).toEqual([
          400,
          `Changes do not support ${name}. Send the request without this header.`,
        ]);
      expect(tagOf(await client.get(path))).toBe(tag);
      expect((await client.get(path, { 'if-unmodified-since': 'Mon, 01 Jan 2001 00:00:00 GMT' })).status).toBe(200);
    },
  );

  it('leaves an entry in the audit log when it is refused', async () => {
    const { client, id, path, tenant } = await findingOf();
    await client.patch(path, { labels: ['x'] }, ifMatch('"old"'));
    const entries = await query(
      `SELECT operation, status, metadata->>'reason' AS reason FROM audit_logs WHERE organization_id = $1 AND resource_id = $2 AND status = 'failure'`,
      [tenant.id, String(id)],
    );
    expect(entries).toEqual([{ operation: 'finding.change', status: 'failure', reason: 'precondition_failed' }]);
  });

  it('returns the stored response to a retry with the same Idempotency-Key, and not 412', async () => {
    const { client, id, tag } = await findingOf();
    const headers = { ...ifMatch(tag), 'idempotency-key': 'retried' };
    const send = () => client.post(`/v1/findings/${id}/status`, { status: 3 }, headers);
    const [first, second] = [await send(), await send()];
    expect([first.status, second.status, second.headers.get('idempotency-replayed')]).toEqual([200, 200, 'true']);
    expect([second.body, tagOf(second)]).toEqual([first.body, tagOf(first)]);
    expect(tagOf(first)).not.toBe(tag);
  });

  it('can be repeated with the same Idempotency-Key after 412, with the new ETag', async () => {
    const { client, id, path } = await findingOf();
    const send = (tag: string) =>
      client.post(`/v1/findings/${id}/status`, { status: 3 }, { ...ifMatch(tag), 'idempotency-key': 'corrected' });
    expect((await send('"old"')).status).toBe(412);
    expect((await send(tagOf(await client.get(path)))).status).toBe(200);
  });

  it('returns 412 to the first logo with If-Match: *, because there is none yet', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('admin');
    const path = `/v1/organizations/${tenant.id}/logo`;
    expect((await client.put(path, logoFile(), ifMatch('*'))).status).toBe(412);
    expect((await client.get(path)).status).toBe(404);
  });
});

describe('the ETag of a finding', () => {
  it('changes with the verdict of a retest, and stays the same when nothing that the response shows changes', async () => {
    const { client, id, path, tag } = await findingOf('admin');
    await client.post(`/v1/findings/${id}/comments/`, { comment: 'Not a part of the finding.' });
    await client.post(`/v1/findings/${id}/retest/`);
    expect(tagOf(await client.get(path))).toBe(tag);
    await client.post(`/v1/findings/${id}/retest/verdict`, { result: 'fixed' });
    const read = await client.get(path);
    expect(tagOf(read)).not.toBe(tag);
    expect(tagOf(await client.get(path))).toBe(tagOf(read));
    expect(tagOf(await client.send('HEAD', path))).toBe(tagOf(read));
  });

  it('is compared with If-None-Match: 304 without a body, also for a weak ETag', async () => {
    const { client, path, tag } = await findingOf();
    for (const header of [tag, `W/${tag}`, `"old", ${tag}`, '*']) {
      const { status, text, headers } = await client.get(path, { 'if-none-match': header });
      expect([header, status, text, headers.get('etag')]).toEqual([header, 304, '', tag]);
    }
    expect((await client.get(path, { 'if-none-match': '"old"' })).status).toBe(200);
  });

  it('is not sent with an error', async () => {
    const { client } = await findingOf();
    const answer = await client.get('/v1/findings/2147483647/', { 'if-none-match': '*' });
    expect([answer.status, answer.headers.get('etag')]).toEqual([404, null]);
  });
});
