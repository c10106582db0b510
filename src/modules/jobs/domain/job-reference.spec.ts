import type { Severity } from '../../../kernel/severity';
import { SEVERITIES } from '../../../kernel/severity';
import { JOB_STATUSES } from './job-status';
import {
  type ComparedPlace,
  MAX_RECORDED,
  newnessBy,
  placeKeyOf,
  recordedFindings,
  type Reference,
  referenceOf,
  requireReferenceName,
  requireReferenceText,
  withReference,
} from './job-reference';
import { withIncompleteChecks } from './incomplete-checks';
import { type EarlierFinding, jobSuccess, onceEach, seenOnceEach, type SeenFinding } from './job-success';

const PLACE: ComparedPlace = {
  ownId: 1,
  checkId: 'exposed-git',
  builtInCheck: 'exposed-git',
  location: 'https://www.example.com/.git/HEAD',
  account: null,
  severity: 3,
};
const recorded = (places: readonly ComparedPlace[], fixed: readonly number[] = []): Reference => ({
  state: 'recorded',
  name: 'main',
  jobUuid: '3f8e0f0a-6d0c-4c55-9a53-0d8c0a4d3b11',
  findings: recordedFindings(places),
  fixed: new Set(fixed),
});
const UNKNOWN: Reference = { state: 'unknown', name: 'main' };
const EMPTY: Reference = { state: 'empty', name: 'main' };

/** The gate of a finished job that saw findings at these places. */
function gate(reference: Reference, places: readonly ComparedPlace[]) {
  const newness = newnessBy(reference);
  const seen = places.map((place): SeenFinding => ({
    id: 9,
    title: 'Open .git',
    severity: SEVERITIES[place.severity] as Severity,
    place: place.location,
    check: place.checkId,
    accepted: null,
    setAside: false,
    ...(newness(place) === 'known' && { isKnown: true }),
  }));
  return withReference(jobSuccess('FINISHED', seenOnceEach(seen), []), reference, 0);
}

describe('the gate that fails for new findings alone', () => {
  const states = { unknown: UNKNOWN, empty: EMPTY, none: recorded([]) };
  const severities = { less: 4, same: 3, more: 2 };
  const table = [
    ...Object.entries(states).flatMap(([state, reference]) =>
      [true, false].map((isSeen) => ({ state, reference, isSeen, success: state === 'none' && !isSeen })),
    ),
    ...Object.entries(severities).flatMap(([severity, ofReference]) =>
      [true, false].flatMap((isFixed) =>
        [true, false].map((isSeen) => ({
          state: `recorded, ${severity} severe now${isFixed ? ', fixed since' : ''}`,
          reference: recorded([{ ...PLACE, severity: ofReference }], isFixed ? [1] : []),
          isSeen,
          success: !isSeen || (severity !== 'more' && !isFixed),
        })),
      ),
    ),
  ];

  it.each(table)('reference $state, finding seen $isSeen: success $success', ({ reference, isSeen, success }) => {
    expect(gate(reference, isSeen ? [{ ...PLACE, ownId: 7 }] : []).success).toBe(success);
  });

  it('has a row for each combination', () => {
    expect(new Set(table.map(({ state, isSeen }) => `${state} ${isSeen}`)).size).toBe(18);
  });

  it.each(JOB_STATUSES.filter((status) => status !== 'FINISHED'))('never succeeds for a job in %s', (status) => {
    for (const reference of [UNKNOWN, EMPTY, recorded([]), recorded([PLACE])])
      expect(withReference(jobSuccess(status, [], []), reference, 0).success).not.toBe(true);
  });

  it('fails for an incomplete check whether or not the reference completed it', () => {
    const finished = jobSuccess('FINISHED', [], []);
    const one = {
      check: 'exposed-git',
      location: PLACE.location ?? '',
      reason: 'x',
      result: 'inconclusive',
      refusal: null,
    };
    const allowance = { isRequested: false, openChecks: new Set<string>(), acceptedAt: () => null };
    const completion = { completed: 9, incomplete: [{ ...one, result: 'inconclusive' as const }], refused: [] };
    const incomplete = withIncompleteChecks(finished, completion, allowance);
    for (const reference of [recorded([]), recorded([PLACE])])
      expect(withReference(incomplete, reference, 0).success).toBe(false);
  });

  it('fails for a finding of several places if one of them is new, in any order', () => {
    const places = [PLACE, { ...PLACE, location: 'https://www.example.com/other' }];
    for (const both of [places, places.toReversed()]) expect(gate(recorded([PLACE]), both).success).toBe(false);
    expect(gate(recorded(places), places).success).toBe(true);
    const earlier = places.map(({ location }, at): EarlierFinding => ({
      id: 9,
      title: 'T',
      severity: 'high',
      place: location,
      check: 'exposed-git',
      accepted: null,
      unconfirmed: true,
      isProved: true,
      confirmedFixed: false,
      reason: 'r',
      undecided: null,
      isKnown: at === 0,
    }));
    for (const both of [earlier, earlier.toReversed()])
      expect(jobSuccess('FINISHED', [], onceEach(both)).success).toBe(false);
  });

  it('counts a finding that the job could not confirm as fixed, unless the reference had it', () => {
    const earlier = { id: 2, title: 'T', severity: 'high', place: null, check: null, accepted: null } as const;
    const unconfirmed = { unconfirmed: true, isProved: false, confirmedFixed: false, reason: 'r', undecided: null };
    const statement = { ...PLACE, ownId: 2, checkId: null, builtInCheck: null, location: null };
    for (const [reference, success] of [
      [recorded([statement]), true],
      [recorded([{ ...statement, ownId: 3 }]), false],
    ] as const) {
      const isKnown = newnessBy(reference)(statement) === 'known';
      expect(jobSuccess('FINISHED', [], [{ ...earlier, ...unconfirmed, isKnown }]).success).toBe(success);
    }
  });
});

describe('the key of a place', () => {
  it.each([
    ['another host', 'https://pr-7.preview.example.net/.git/HEAD'],
    ['another port and scheme', 'http://127.0.0.1:8080/.git/HEAD'],
  ])('is the same on %s', (_what, location) => {
    expect(placeKeyOf({ ...PLACE, location })).toBe(placeKeyOf(PLACE));
  });

  const point = 'https://www.example.com/a?q';
  it.each<[string, Partial<ComparedPlace>, Partial<ComparedPlace>]>([
    ['check', { checkId: 'exposed-env', builtInCheck: 'exposed-env' }, {}],
    ['template with the id of a check', { builtInCheck: null }, {}],
    ['path', { location: 'https://www.example.com/app/.git/HEAD' }, {}],
    ['parameter', { location: point }, { location: 'https://www.example.com/a?r' }],
    ['header', { location: 'https://www.example.com/a#header=x' }, { location: 'https://www.example.com/a#header=y' }],
    ['kind of point', { location: 'https://www.example.com/a#cookie=q' }, { location: point }],
    ['field of GraphQL', { location: 'https://www.example.com/a#graphql=q' }, { location: point }],
    ['kind of service', { location: 'tcp://www.example.com:6379' }, { location: 'dns://www.example.com' }],
    ['port of a service', { location: 'tcp://www.example.com:6379' }, { location: 'tcp://www.example.com:6380' }],
    ['need for an account', { account: 5 }, {}],
    ['finding, without a check', { checkId: null }, { checkId: null, ownId: 2 }],
  ])('is another one for another %s', (_what, one, other) => {
    expect(placeKeyOf({ ...PLACE, ...one })).not.toBe(placeKeyOf({ ...PLACE, ...other }));
  });

  it('does not exist where a check was not run, so that its finding is new', () => {
    const untested = { ...PLACE, location: null };
    expect(placeKeyOf(untested)).toBeNull();
    expect(newnessBy(recorded([untested, PLACE]))(untested)).toBe('not_recorded');
  });
});

it('a reference keeps the most severe findings, and others are new', () => {
  const many = Array.from({ length: MAX_RECORDED + 1 }, (_, at) => ({
    ...PLACE,
    ownId: at + 1,
    location: `https://www.example.com/${at}`,
    severity: at === MAX_RECORDED ? 5 : 1,
  }));
  const reference = recorded(many);
  expect(many.map(newnessBy(reference)).filter((newness) => newness !== 'known')).toEqual(['not_recorded']);
  expect(newnessBy(reference)(many.at(-1) ?? PLACE)).toBe('known');
});

it('a reference is named alone or with the id of its asset', () => {
  expect(referenceOf('main', 3)).toEqual({ assetId: 3, name: 'main' });
  expect(referenceOf('12/main', 3)).toEqual({ assetId: 12, name: 'main' });
  for (const text of ['', 'a b', '../main', '12/', '-x', 'x'.repeat(101)]) {
    expect(() => requireReferenceText(text)).toThrow('must be');
    expect(() => requireReferenceName(text)).toThrow('must be');
  }
  expect(() => requireReferenceName('12/main')).toThrow('must be');
  expect(() => requireReferenceText('12/release-1.0')).not.toThrow();
});
