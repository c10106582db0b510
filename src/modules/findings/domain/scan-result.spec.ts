import * as fc from 'fast-check';
import { fingerprintOfScan, placeOfScan, sourceOf } from './scan-identity';
import { applySighting, keyOfSighting, type ScannedState, type ScanResult } from './scan-result';

interface Row {
  readonly rule: string;
  readonly path: string;
  readonly day: number;
}

const rows = fc.array(
  fc.record({
    rule: fc.constantFrom('a', 'b'),
    path: fc.constantFrom('/', '/x', '/x?q=1', '/x?q=2'),
    day: fc.integer({ min: 1, max: 4 }),
  }),
  { maxLength: 30 },
);

type States = Map<string, ScannedState>;

/** Imports a file into these states, and returns the results of its rows. */
function importFile(states: States, file: readonly Row[]): ScanResult[] {
  return file.map(({ rule, path, day }) => {
    const location = { url: `https://h.example${path}`, host: null, port: null, source: null };
    const place = placeOfScan(location, 'h.example');
    const fingerprint = fingerprintOfScan({ scanner: 'nuclei', ruleId: rule, place, parameter: null });
    const sighting = { source: sourceOf('nuclei', rule), seenAt: new Date(Date.UTC(2026, 0, day)), isDated: true };
    const { result, state } = applySighting(states.get(fingerprint), sighting);
    states.set(fingerprint, state);
    return result;
  });
}

/** Findings and their sightings, in any order. */
const contentOf = (states: States): [string, string[]][] =>
  [...states].map(([id, { sightings }]): [string, string[]] => [id, [...sightings].sort()]).sort();

const resolved = (day: number): ScannedState => ({
  status: 5,
  seenAt: new Date(Date.UTC(2026, 0, 1)),
  fixedAt: null,
  statedAt: new Date(Date.UTC(2026, 0, day)),
  sightings: new Set(),
});

const seenOn = (day: number) => ({
  source: sourceOf('nuclei', 'a'),
  seenAt: new Date(Date.UTC(2026, 0, day)),
  isDated: true,
});

describe('the results of a file', () => {
  it('are all unchanged when it is imported again', () => {
    fc.assert(
      fc.property(rows, (file) => {
        const states: States = new Map();
        importFile(states, file);
        const before = contentOf(states);
        expect(importFile(states, file).filter((result) => result !== 'unchanged')).toEqual([]);
        expect(contentOf(states)).toEqual(before);
      }),
    );
  });

  it('give the same findings in any order and in any split into files', () => {
    const shuffled = rows.chain((file) =>
      fc.tuple(fc.constant(file), fc.shuffledSubarray(file, { minLength: file.length }), fc.nat(file.length)),
    );
    fc.assert(
      fc.property(shuffled, ([file, other, at]) => {
        const [whole, split]: [States, States] = [new Map(), new Map()];
        importFile(whole, file);
        importFile(split, other.slice(at));
        importFile(split, other.slice(0, at));
        expect(contentOf(split)).toEqual(contentOf(whole));
      }),
    );
  });

  it('count each sighting once', () => {
    fc.assert(
      fc.property(rows, (file) => {
        const states: States = new Map();
        const changes = importFile(states, file).filter((result) => result !== 'unchanged').length;
        expect(changes).toBe(contentOf(states).reduce((sum, [, sightings]) => sum + sightings.length, 0));
      }),
    );
  });
});

describe('a sighting', () => {
  it.each<[string, ScannedState | undefined, number, ScanResult, number]>([
    ['of an unknown finding is new', undefined, 3, 'new', 1],
    ['after the resolution reopens the finding', resolved(2), 3, 'reopened', 1],
    ['at the time of the resolution reopens nothing', resolved(3), 3, 'seen_again', 5],
    ['before the resolution reopens nothing', resolved(4), 3, 'seen_again', 5],
    ['leaves an accepted risk', { ...resolved(2), status: 6 }, 3, 'seen_again', 6],
    ['leaves a false positive', { ...resolved(2), status: 7 }, 3, 'seen_again', 7],
    [
      'that is known changes nothing',
      { ...resolved(2), sightings: new Set([keyOfSighting(seenOn(3))]) },
      3,
      'unchanged',
      5,
    ],
  ])('%s', (_name, before, day, result, status) => {
    const applied = applySighting(before, seenOn(day));
    expect([applied.result, applied.state.status]).toEqual([result, status]);
  });
});
