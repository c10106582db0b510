import * as fc from 'fast-check';
import { useApi, useWorker } from '../support/api';
import type { Answer, Client } from '../support/client';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories } from '../support/factories';

const api = useApi();
useWorker();
const make = new Factories(api);

const HOST = 'scanned.example.com';
const ENDED = ['FINISHED', 'ERROR'];

interface Result {
  readonly rule: string;
  readonly page: number;
  readonly day: number;
  readonly title: string;
}

/** Few rules, pages and days, so that many results are of the same finding, and some of the same sighting. */
const result: fc.Arbitrary<Result> = fc.record({
  rule: fc.constantFrom('exposed-panel', 'weak-cipher', 'Old-Library'),
  page: fc.nat(4),
  day: fc.integer({ min: 1, max: 4 }),
  title: fc.constantFrom('One wording', 'Another wording'),
});

/** A file, its lines in another order, and where this is split into several files. */
const scenario = fc.array(result, { minLength: 1, maxLength: 60 }).chain((results) =>
  fc.record({
    results: fc.constant(results),
    shuffled: fc.shuffledSubarray(results, { minLength: results.length }),
    cuts: fc.uniqueArray(fc.nat(results.length), { maxLength: 3 }),
  }),
);

const fileOf = (results: readonly Result[]): Blob =>
  new Blob(
    results.map(
      ({ rule, page, day, title }) =>
        `${JSON.stringify({
          'template-id': rule,
          info: { name: title, severity: 'low' },
          'matched-at': `https://${HOST}/${page}`,
          timestamp: `2026-01-0${day}T12:00:00Z`,
        })}\n`,
    ),
    { type: 'application/x-ndjson' },
  );

interface Target {
  readonly id: number;
  readonly client: Client;
}

async function newTarget(): Promise<Target> {
  const tenant = await make.organization();
  await make.asset(tenant.id, { value: HOST });
  return { id: tenant.id, client: (await tenant.as('member')).client };
}

async function upload({ id, client }: Target, file: Blob): Promise<number> {
  const answer = await client.post(`/v1/organizations/${id}/imports`, file);
  expect(answer.status).toBe(202);
  return answer.body.id;
}

async function whenOver({ client }: Target, id: number): Promise<Answer['body']> {
  let body: Answer['body'];
  await eventually(async () => {
    ({ body } = await client.get(`/v1/imports/${id}`));
    expect(ENDED).toContain(body.status);
  });
  return body;
}

/** Everything that the order of the results must not change. */
const stateOf = ({ id }: Target): Promise<object[]> =>
  query(
    `SELECT encode(f.fingerprint, 'hex') AS fingerprint, f.asset_value, f.severity, f.status, f.times_seen, f.last_seen,
       (SELECT array_agg(s.scanner || ' ' || lower(s.rule_id) || ' ' || s.seen_at ORDER BY s.seen_at)
        FROM finding_sightings s WHERE s.finding_id = f.id) AS sightings,
       (SELECT count(*)::int FROM finding_history h WHERE h.finding_id = f.id) AS entries
     FROM findings f WHERE f.organization_id = $1 ORDER BY 1`,
    [id],
  );

const changesOf = ({ rows }: Answer['body']): number => rows.new + rows.seen_again + rows.reopened;

it('any order and any split of a file give the same findings, and the same file again changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async ({ results, shuffled, cuts }) => {
      const [whole, parts] = [await newTarget(), await newTarget()];
      await whenOver(whole, await upload(whole, fileOf(results)));
      const expected = await stateOf(whole);
      const at = [0, ...cuts.toSorted((one, other) => one - other), shuffled.length];
      const files = at
        .slice(1)
        .map((end, index) => shuffled.slice(at[index], end))
        .filter(({ length }) => length > 0)
        .map(fileOf);
      // All at the same time, as far as uploads and workers allow it.
      const ids: number[] = [];
      for (const file of files) ids.push(await upload(parts, file));
      for (const id of ids) expect(await whenOver(parts, id)).toMatchObject({ status: 'FINISHED' });
      expect(await stateOf(parts)).toEqual(expected);
      for (const file of [fileOf(results), ...files]) {
        const again = await whenOver(parts, await upload(parts, file));
        expect(changesOf(again)).toBe(0);
      }
      expect(await stateOf(parts)).toEqual(expected);
    }),
    { numRuns: 25 },
  );
});
