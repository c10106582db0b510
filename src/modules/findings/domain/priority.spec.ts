import * as fc from 'fast-check';
import { SEVERITIES } from '../../../kernel/severity';
import { explainPriority, priorityOf, priorityVocabulary } from './priority';

describe('priorityOf', () => {
  it.each([
    [null, false, null, [5, 5, 4, 3, 2, 1, 1]],
    [3, false, null, [5, 5, 4, 3, 2, 1, 1]],
    [2, false, null, [5, 5, 4, 3, 2, 1, 1]],
    [1, false, null, [4, 4, 3, 2, 1, 1, 1]],
    [null, false, 0.49999, [5, 5, 4, 3, 2, 1, 1]],
    [null, false, 0.5, [4, 4, 3, 2, 1, 1, 1]],
    [null, true, null, [3, 3, 2, 1, 1, 1, 1]],
    [null, true, 0.9, [3, 3, 2, 1, 1, 1, 1]],
    [1, true, 0.9, [2, 2, 1, 1, 1, 1, 1]],
    [1, false, 0.9, [3, 3, 2, 1, 1, 1, 1]],
  ])('on tier %s with kev %s and epss %s is, from none to cosmic, %j', (tier, kev, epss, expected) => {
    expect(SEVERITIES.map((severity) => priorityOf({ severity, tier, isProved: true, kev, epss }))).toEqual(expected);
  });

  it('is never less urgent because of a catalog entry, a higher score or tier 1', () => {
    for (const severity of SEVERITIES)
      for (const tier of [null, 1, 2])
        for (const kev of [false, true])
          for (const [epss, higher] of [
            [null, 0.1],
            [0.1, 0.5],
            [0.5, 1],
          ] as const) {
            const now = priorityOf({ severity, tier, isProved: true, kev, epss });
            expect(priorityOf({ severity, tier, isProved: true, kev: true, epss })).toBeLessThanOrEqual(now);
            expect(priorityOf({ severity, tier, isProved: true, kev, epss: higher })).toBeLessThanOrEqual(now);
            expect(priorityOf({ severity, tier: 1, isProved: true, kev, epss })).toBeLessThanOrEqual(now);
          }
  });
});

it('gives no claim the step of tier 1, so that none stands above a proved finding of the same severity', () => {
  for (const severity of SEVERITIES)
    for (const tier of [null, 1, 2]) {
      const claim = { severity, tier, isProved: false, kev: false, epss: null };
      expect(priorityOf(claim)).toBe(priorityOf({ ...claim, tier: null }));
      expect(priorityOf(claim)).toBeGreaterThanOrEqual(priorityOf({ ...claim, isProved: true }));
    }
});

describe('explainPriority', () => {
  it.each([
    [1, 'If a check of this service proves it.'],
    [2, 'On an asset of tier 1, if a check of this service proves it.'],
  ])('names what would make a claim on tier %i more urgent', (tier, text) => {
    const { reasons, changes } = explainPriority({ severity: 'low', tier, isProved: false, kev: false, epss: null });
    expect(reasons.map(({ factor }) => factor)).toEqual(['severity']);
    expect(changes).toContainEqual({ factor: 'tier', priority: 3, text });
  });

  it('names each reason with its steps, and what would change the priority', () => {
    expect(explainPriority({ severity: 'low', tier: null, isProved: true, kev: false, epss: 0.97 })).toEqual({
      priority: 3,
      base: 4,
      reasons: [
        { factor: 'severity', steps: 0, text: 'The severity low has the priority 4.' },
        { factor: 'epss', steps: 1, text: 'The EPSS score 0.97 is at least 0.5: one step.' },
      ],
      changes: [
        { factor: 'severity', priority: 2, text: 'With the severity medium.' },
        { factor: 'severity', priority: 4, text: 'With the severity info.' },
        { factor: 'tier', priority: 2, text: 'On an asset of tier 1.' },
        { factor: 'kev', priority: 2, text: 'If the CVE becomes known to be exploited (CISA KEV).' },
        { factor: 'epss', priority: 4, text: 'If the EPSS score falls below 0.5.' },
      ],
    });
  });

  it('omits what would not change the priority', () => {
    const { priority, reasons, changes } = explainPriority({
      severity: 'critical',
      tier: 1,
      isProved: true,
      kev: true,
      epss: null,
    });
    expect({ priority, factors: reasons.map(({ factor }) => factor), changes }).toEqual({
      priority: 1,
      factors: ['severity', 'tier', 'kev'],
      changes: [],
    });
  });
});

it('explains every priority with a base and steps that add up to it', () => {
  const facts = fc.record({
    severity: fc.constantFrom(...SEVERITIES),
    tier: fc.constantFrom(null, 1, 2, 3),
    isProved: fc.boolean(),
    kev: fc.boolean(),
    epss: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
  });
  fc.assert(
    fc.property(facts, (one) => {
      const { base, reasons, priority } = explainPriority(one);
      expect(base - reasons.reduce((sum, { steps }) => sum + steps, 0)).toBe(priority);
      expect(priority).toBe(priorityOf(one));
    }),
  );
});

it('says which steps do not count, because no priority is more urgent than 1', () => {
  const explained = explainPriority({ severity: 'medium', tier: 1, isProved: true, kev: true, epss: null });
  expect(explained.reasons).toEqual([
    { factor: 'severity', steps: 0, text: 'The severity medium has the priority 3.' },
    { factor: 'tier', steps: 1, text: 'The asset was of tier 1 when the finding was recorded: one step.' },
    {
      factor: 'kev',
      steps: 1,
      text: 'The CVE is known to be exploited (CISA KEV): one step instead of two steps, because 1 is the most urgent.',
    },
  ]);
});

it('lists the severities of each priority', () => {
  expect(priorityVocabulary).toContainEqual({ number: 1, severities: ['critical', 'cosmic'] });
  expect(priorityVocabulary.flatMap(({ severities }) => severities)).toHaveLength(SEVERITIES.length);
});
