import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { scoreOfVector } from './cvss';

/**
 * A second implementation of CVSS 4.0 scoring, in integers and from the standard only. A vector belongs to a macro vector,
 * whose most severe members have a published score. A less severe member loses a share of the difference to the next
 * lower macro vectors. A digest verifies the published scores.
 */
type Vector = Readonly<Record<string, string>>;

/** The effective values of the metrics, most severe first, after the modified metrics are applied. */
const LEVELS = {
  AV: 'NALP',
  PR: 'NLH',
  UI: 'NPA',
  AC: 'LH',
  AT: 'NP',
  VC: 'HLN',
  VI: 'HLN',
  VA: 'HLN',
  CR: 'HML',
  IR: 'HML',
  AR: 'HML',
  SC: 'HLN',
  SI: 'SHLN',
  SA: 'SHLN',
  E: 'APU',
};
type Metric = keyof typeof LEVELS;

interface Group {
  readonly metrics: readonly Metric[];
  readonly levelOf: (vector: Vector) => string;
  readonly lower: Readonly<Record<string, readonly string[]>>;
}

const has = (vector: Vector, ...pairs: string[]): boolean =>
  pairs.every((pair) => vector[pair.split(':')[0] ?? ''] === pair.split(':')[1]);

const THREE = { 0: ['1'], 1: ['2'], 2: [] };
/** Equivalence sets 1, 2, 3 with 6, 4 and 5 of the standard. */
const GROUPS: readonly Group[] = [
  {
    metrics: ['AV', 'PR', 'UI'],
    levelOf: (v) => {
      if (has(v, 'AV:N', 'PR:N', 'UI:N')) return '0';
      return !has(v, 'AV:P') && (has(v, 'AV:N') || has(v, 'PR:N') || has(v, 'UI:N')) ? '1' : '2';
    },
    lower: THREE,
  },
  { metrics: ['AC', 'AT'], levelOf: (v) => (has(v, 'AC:L', 'AT:N') ? '0' : '1'), lower: { 0: ['1'], 1: [] } },
  {
    metrics: ['VC', 'VI', 'VA', 'CR', 'IR', 'AR'],
    levelOf: (v) => {
      const some = has(v, 'VC:H') || has(v, 'VI:H') || has(v, 'VA:H');
      const required = has(v, 'VC:H', 'CR:H') || has(v, 'VI:H', 'IR:H') || has(v, 'VA:H', 'AR:H');
      const impact = has(v, 'VC:H', 'VI:H') ? '0' : '1';
      return `${some ? impact : '2'}${required ? '0' : '1'}`;
    },
    lower: { '00': ['01', '10'], '01': ['11'], '10': ['11'], '11': ['21'], '21': [] },
  },
  {
    metrics: ['SC', 'SI', 'SA'],
    levelOf: (v) => {
      if (has(v, 'SI:S') || has(v, 'SA:S')) return '0';
      return has(v, 'SC:H') || has(v, 'SI:H') || has(v, 'SA:H') ? '1' : '2';
    },
    lower: THREE,
  },
  { metrics: ['E'], levelOf: (v) => String(LEVELS.E.indexOf(v.E ?? '')), lower: THREE },
];

const distance = (metrics: readonly Metric[], vector: Vector): number =>
  metrics.reduce((sum, metric) => sum + LEVELS[metric].indexOf(vector[metric] ?? ''), 0);

const combinations = <T>(lists: readonly (readonly T[])[]): T[][] =>
  lists.reduce<T[][]>((all, list) => all.flatMap((head) => list.map((item) => [...head, item])), [[]]);

/** For each level of a group: its most severe member, the distance of that to the top, and the depth of the level. */
const ranges = GROUPS.map(({ metrics, levelOf }) => {
  const values = metrics.map((metric) => LEVELS[metric].split('').map((value) => [metric, value]));
  const members = combinations(values).map((pairs): Vector => Object.fromEntries(pairs));
  const levels = new Map<string, { top: Vector; start: number; depth: number }>();
  for (const member of members.sort((a, b) => distance(metrics, a) - distance(metrics, b))) {
    const level = levelOf(member);
    const far = distance(metrics, member);
    const known = levels.get(level);
    if (known) known.depth = far - known.start + 1;
    else levels.set(level, { top: member, start: far, depth: 1 });
  }
  return levels;
});

/** A vector with these effective values. Only a modified metric can express safety. */
function text(v: Vector): string {
  const base = ['AV', 'AC', 'AT', 'PR', 'UI', 'VC', 'VI', 'VA', 'SC', 'SI', 'SA'];
  const plain = base.map((metric) => `/${metric}:${v[metric] === 'S' ? 'N' : v[metric]}`);
  const modified = ['SI', 'SA'].filter((metric) => v[metric] === 'S').map((metric) => `/M${metric}:S`);
  return `CVSS:4.0${plain.join('')}/E:${v.E}/CR:${v.CR}/IR:${v.IR}/AR:${v.AR}${modified.join('')}`;
}

const keys = combinations(ranges.map((levels) => [...levels.keys()].sort()));

const tops = new Map(
  keys.map((key) => {
    const top = Object.fromEntries(key.flatMap((level, i) => Object.entries(ranges[i]?.get(level)?.top ?? {})));
    return [key.join(' '), Math.round(scoreOfVector(text(top)) * 10)];
  }),
);

function score(vector: Vector): number {
  if (has(vector, 'VC:N', 'VI:N', 'VA:N', 'SC:N', 'SI:N', 'SA:N')) return 0;
  const key = GROUPS.map((group) => group.levelOf(vector));
  const top = tops.get(key.join(' ')) ?? NaN;
  // In tenths times 2520, which is divisible by every depth up to ten.
  let lost = 0;
  let ways = 0;
  for (const [index, { metrics, lower }] of GROUPS.entries()) {
    const next = (lower[key[index] ?? ''] ?? []).map((level) => tops.get(key.with(index, level).join(' ')) ?? NaN);
    if (next.length === 0) continue;
    const { start, depth } = ranges[index]?.get(key[index] ?? '') ?? { start: NaN, depth: NaN };
    lost += ((top - Math.max(...next)) * (distance(metrics, vector) - start) * 2520) / depth;
    ways += 1;
  }
  const whole = 2520 * Math.max(ways, 1);
  return Math.max(0, Math.floor((2 * (top * whole - lost) + whole) / (2 * whole))) / 10;
}

describe('the score of CVSS 4.0', () => {
  it('is the published one for the most severe members of all 270 macro vectors', () => {
    const scores = keys.map((key) => tops.get(key.join(' ')));
    expect(scores).toHaveLength(270);
    expect(createHash('sha256').update(scores.join(' ')).digest('hex')).toBe(
      'c0e8a8d4adabde006f3ade16c7c5b75fc4b89c41071fa8788f629eb1395722d0',
    );
  });

  it("equals the standard's score for every vector", () => {
    const vectors = fc.record(
      Object.fromEntries(
        Object.entries(LEVELS).map(([metric, values]) => [metric, fc.constantFrom(...values.split(''))]),
      ),
    );
    fc.assert(
      fc.property(vectors, (vector) => {
        expect(scoreOfVector(text(vector))).toBe(score(vector));
      }),
      { numRuns: 300 },
    );
  });
});
