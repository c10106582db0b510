import * as fc from 'fast-check';
import { scoreOfVector } from './cvss';

/** A second implementation of the CVSS 3.0 and 3.1 equations, in exact decimals and from the standard only. */
class Decimal {
  constructor(
    readonly digits: bigint,
    readonly places: number,
  ) {}

  static of(text: string): Decimal {
    return new Decimal(BigInt(text.replace('.', '')), text.split('.')[1]?.length ?? 0);
  }

  at(places: number): bigint {
    return this.digits * 10n ** BigInt(places - this.places);
  }

  plus(other: Decimal): Decimal {
    const places = Math.max(this.places, other.places);
    return new Decimal(this.at(places) + other.at(places), places);
  }

  minus(other: Decimal): Decimal {
    return this.plus(new Decimal(-other.digits, other.places));
  }

  times(other: Decimal): Decimal {
    return new Decimal(this.digits * other.digits, this.places + other.places);
  }

  power(exponent: number): Decimal {
    return new Decimal(this.digits ** BigInt(exponent), this.places * exponent);
  }

  min(other: Decimal): Decimal {
    return this.minus(other).digits < 0n ? this : other;
  }

  /** Rounds up to one decimal. */
  roundUp(): Decimal {
    const tenth = 10n ** BigInt(this.places);
    return new Decimal((this.digits * 10n + tenth - 1n) / tenth, 1);
  }
}

const d = (text: string): Decimal => Decimal.of(text);
const ONE = d('1');

const IMPACT = { H: '0.56', L: '0.22', N: '0' };
const REQUIREMENT = { X: '1', H: '1.5', M: '1', L: '0.5' };
const WEIGHTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  AV: { N: '0.85', A: '0.62', L: '0.55', P: '0.2' },
  AC: { L: '0.77', H: '0.44' },
  PR: { N: '0.85', L: '0.62', H: '0.27' },
  'PR when scope changes': { N: '0.85', L: '0.68', H: '0.5' },
  UI: { N: '0.85', R: '0.62' },
  C: IMPACT,
  I: IMPACT,
  A: IMPACT,
  CR: REQUIREMENT,
  IR: REQUIREMENT,
  AR: REQUIREMENT,
  E: { X: '1', H: '1', F: '0.97', P: '0.94', U: '0.91' },
  RL: { X: '1', U: '1', W: '0.97', T: '0.96', O: '0.95' },
  RC: { X: '1', C: '1', R: '0.96', U: '0.92' },
};
const BASE = { AV: 'NALP', AC: 'LH', PR: 'NLH', UI: 'NR', S: 'UC', C: 'HLN', I: 'HLN', A: 'HLN' };
const TEMPORAL = { E: 'XHFPU', RL: 'XUWTO', RC: 'XCRU' };
const MODIFIED = Object.fromEntries(Object.entries(BASE).map(([metric, values]) => [`M${metric}`, `X${values}`]));
const ENVIRONMENTAL = { CR: 'XHML', IR: 'XHML', AR: 'XHML', ...MODIFIED };

type Vector = Readonly<Record<string, string>>;

function score(version: string, vector: Vector): number {
  const environmental = Object.keys(ENVIRONMENTAL).some((metric) => (vector[metric] ?? 'X') !== 'X');
  const value = (metric: string): string => {
    const modified = vector[`M${metric}`] ?? 'X';
    return environmental && modified !== 'X' ? modified : (vector[metric] ?? 'X');
  };
  const weight = (metric: string, row = metric): Decimal => d(WEIGHTS[row]?.[value(metric)] ?? '');
  const changed = value('S') === 'C';

  const left = ['C', 'I', 'A'].map((metric) => ONE.minus(weight(metric).times(weight(`${metric}R`))));
  const affected = ONE.minus(left.reduce((product, factor) => product.times(factor)));
  const iss = environmental ? affected.min(d('0.915')) : affected;
  const late =
    environmental && version === '3.1'
      ? iss.times(d('0.9731')).minus(d('0.02')).power(13)
      : iss.minus(d('0.02')).power(15);
  const impact = changed
    ? d('7.52')
        .times(iss.minus(d('0.029')))
        .minus(d('3.25').times(late))
    : d('6.42').times(iss);
  const exploitability = ['AV', 'AC', 'UI']
    .reduce((product, metric) => product.times(weight(metric)), d('8.22'))
    .times(weight('PR', changed ? 'PR when scope changes' : 'PR'));

  const sum = impact.plus(exploitability).times(d(changed ? '1.08' : '1'));
  const base = impact.digits <= 0n ? d('0') : sum.min(d('10')).roundUp();
  const now = ['E', 'RL', 'RC'].reduce((product, metric) => product.times(weight(metric)), base).roundUp();
  return Number(now.at(1)) / 10;
}

const metrics = (table: Readonly<Record<string, string>>): fc.Arbitrary<Vector> =>
  fc.record(
    Object.fromEntries(Object.entries(table).map(([name, values]) => [name, fc.constantFrom(...values.split(''))])),
  );

describe.each(['3.0', '3.1'])('the score of CVSS %s', (version) => {
  it.each([
    ['base', BASE],
    ['temporal', { ...BASE, ...TEMPORAL }],
    ['environmental', { ...BASE, ...TEMPORAL, ...ENVIRONMENTAL }],
  ])('is that of the equations: %s metrics', (_, table) => {
    fc.assert(
      fc.property(metrics(table), (vector) => {
        const text = Object.entries(vector).map(([metric, value]) => `/${metric}:${value}`);
        expect(scoreOfVector(`CVSS:${version}${text.join('')}`)).toBe(score(version, vector));
      }),
      { numRuns: 500 },
    );
  });
});
