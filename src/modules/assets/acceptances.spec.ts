import { Acceptances, type LabeledAsset } from './acceptances';
import type { AcceptedCheckOnMany } from './data/accepted-check-on-many.entity';
import { AcceptedChecks } from './domain/accepted-checks';

const check = 'no-https-redirect';
const until = new Date('2027-01-31T00:00:00Z');
const decision = {
  organizationId: 1,
  checkId: check,
  label: '',
  reason: 'It moves.',
  covers: 'findings',
  until,
} as const;
const person = { acceptedBy: 'Ada Ito', acceptedById: 5, acceptedAt: new Date(0) };
const ofMany = (change: Partial<AcceptedCheckOnMany>): AcceptedCheckOnMany => ({
  ...decision,
  ...person,
  criticalFindings: [],
  ...change,
});

const asset: LabeledAsset = {
  id: 7,
  organizationId: 1,
  type: 'url',
  value: 'https://a.example/',
  labels: ['staging'],
  beaconId: null,
};
const place = {
  check,
  location: 'https://a.example/x',
  beaconId: null,
  assetId: 7,
  finding: { id: 3, severity: 'high' },
} as const;

async function find(many: readonly AcceptedCheckOnMany[], at: object = {}, of: Partial<LabeledAsset> = {}) {
  const accepted = new Acceptances(await AcceptedChecks.of([]), many, async () => [{ ...asset, ...of }]);
  const there = { ...place, ...at };
  await accepted.learn([there]);
  return accepted.find(there);
}

it('applies to the findings of all assets, or of those with the label', async () => {
  const shown = { assetId: 7, assetValue: asset.value, checkId: check, reason: 'It moves.' };
  expect(await find([ofMany({})])).toMatchObject({ ...shown, acceptedFor: '' });
  expect(await find([ofMany({ label: 'staging' })])).toMatchObject({ ...shown, acceptedFor: 'staging' });
  expect(await find([ofMany({ label: 'shop' })])).toBeNull();
  expect(await find([ofMany({ checkId: 'exposed-git' })])).toBeNull();
  expect(await find([ofMany({})], { check: null })).toBeNull();
  expect(await find([ofMany({})], { assetId: null })).toBeNull();
});

it('does not apply to an asset of another organization, or that the scope does not show', async () => {
  expect(await find([ofMany({})], {}, { organizationId: 2 })).toBeNull();
  expect(await find([ofMany({})], {}, { id: 8 })).toBeNull();
});

it.each([
  [{ value: 'https://a.example/' }, 'https://a.example/staging/x', true],
  [{ value: 'https://a.example/staging/' }, 'https://a.example/staging/x', true],
  [{ value: 'https://a.example/staging/' }, 'https://a.example/', false],
  [{ value: 'https://a.example:8443/' }, 'https://a.example/', false],
  [{ type: 'domain', value: 'a.example' }, 'https://a.example:8443/x', true],
  [{ type: 'domain', value: 'example' }, 'https://a.example/x', false],
  [{ beaconId: 4 }, 'https://a.example/x', false],
] as const)('applies only where a setting of the asset does: %j and %s', async (of, location, applies) => {
  expect((await find([ofMany({})], { location }, of)) !== null).toBe(applies);
  expect(await find([ofMany({})], { location: null })).toBeNull();
});

it.each(['critical', 'cosmic'] as const)('covers a %s finding only if it is named', async (severity) => {
  const finding = { id: 3, severity };
  expect(await find([ofMany({ criticalFindings: [4] })], { finding })).toBeNull();
  expect(await find([ofMany({ criticalFindings: [3] })], { finding })).not.toBeNull();
  expect(await find([ofMany({}), ofMany({ label: 'staging', criticalFindings: [3] })], { finding })).not.toBeNull();
});

it('covers a check that could not be completed', async () => {
  expect(await find([ofMany({ covers: 'incompleteness' })], { finding: null })).not.toBeNull();
});

it('comes after the decision about the asset, is one object for each asset, and is not sure on a host', async () => {
  const single = { assetId: 7, checkId: check, reason: 'This one.', until, acceptedBy: 'Ada Ito', acceptedFor: null };
  const { type: assetType, value: assetValue } = asset;
  const onAsset = await AcceptedChecks.of([{ ...single, assetType, assetValue, beaconId: null }]);
  const both = new Acceptances(onAsset, [ofMany({}), ofMany({ checkId: 'exposed-git' })], async () => [asset]);
  const elsewhere = { ...place, check: 'exposed-git' };
  await both.learn([place, elsewhere]);
  expect(both.find(place)?.reason).toBe('This one.');
  expect(both.find(elsewhere)?.reason).toBe('It moves.');
  expect(both.find(elsewhere)).toBe(both.find(elsewhere));
  expect(both.checkIds).toEqual(new Set([check, 'exposed-git']));
  expect(
    new Acceptances(await AcceptedChecks.of([]), [ofMany({})], async () => []).checkIdsOn('a.example', null),
  ).toEqual([]);
});

it('reads the asset of each place once, and only of accepted checks', async () => {
  const read = jest.fn(async () => []);
  const accepted = new Acceptances(await AcceptedChecks.of([]), [ofMany({})], read);
  await accepted.learn([place, place, { check: 'exposed-git', assetId: 9 }, { check, assetId: null }]);
  await accepted.learn([place]);
  expect(read.mock.calls).toEqual([[[7]]]);
  expect(() => accepted.find({ ...place, assetId: 9 })).toThrow('Asset 9 was not learned.');
});
