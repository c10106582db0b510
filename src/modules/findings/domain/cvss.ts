import { Cvss3P0, Cvss3P1, Cvss4P0 } from 'ae-cvss-calculator';
import { invalid } from '../../../kernel/domain-error';

/** The metrics with their allowed values, in the order of the standard. */
type Metrics = ReadonlyMap<string, readonly string[]>;

interface Standard {
  readonly mandatory: Metrics;
  readonly optional: Metrics;
  /** Version 4.0 requires an order of metrics; 3.x only recommends one. */
  readonly ordered: boolean;
  score(vector: string): number;
}

const metrics = (table: string): Metrics =>
  new Map(table.split(' ').map((row) => [row.slice(0, row.indexOf(':')), row.slice(row.indexOf(':') + 1).split(',')]));

const VERSION_3 = {
  mandatory: metrics('AV:N,A,L,P AC:L,H PR:N,L,H UI:N,R S:U,C C:H,L,N I:H,L,N A:H,L,N'),
  optional: metrics(
    'E:X,H,F,P,U RL:X,U,W,T,O RC:X,C,R,U CR:X,H,M,L IR:X,H,M,L AR:X,H,M,L ' +
      'MAV:X,N,A,L,P MAC:X,L,H MPR:X,N,L,H MUI:X,N,R MS:X,U,C MC:X,H,L,N MI:X,H,L,N MA:X,H,L,N',
  ),
  ordered: false,
};

const VERSION_4 = {
  mandatory: metrics(
    'AV:N,A,L,P AC:L,H AT:N,P PR:N,L,H UI:N,P,A VC:H,L,N VI:H,L,N VA:H,L,N SC:H,L,N SI:H,L,N SA:H,L,N',
  ),
  optional: metrics(
    'E:X,A,P,U CR:X,H,M,L IR:X,H,M,L AR:X,H,M,L MAV:X,N,A,L,P MAC:X,L,H MAT:X,N,P MPR:X,N,L,H MUI:X,N,P,A ' +
      'MVC:X,H,L,N MVI:X,H,L,N MVA:X,H,L,N MSC:X,H,L,N MSI:X,S,H,L,N MSA:X,S,H,L,N ' +
      'S:X,N,P AU:X,N,Y R:X,A,U,I V:X,D,C RE:X,L,M,H U:X,Clear,Green,Amber,Red',
  ),
  ordered: true,
};

/** CVSS 3.0 rounds up to a tenth. In binary, 5.0 x 0.92 is slightly more than 4.6 and would become 4.7. */
class ExactCvss3P0 extends Cvss3P0 {
  protected override roundUp1(value: number): number {
    return Math.ceil(Number((value * 10).toFixed(6))) / 10;
  }
}

const STANDARDS = new Map<string, Standard>([
  ['CVSS:3.0', { ...VERSION_3, score: (vector) => new ExactCvss3P0(vector).calculateScores().overall }],
  ['CVSS:3.1', { ...VERSION_3, score: (vector) => new Cvss3P1(vector).calculateScores().overall }],
  ['CVSS:4.0', { ...VERSION_4, score: (vector) => new Cvss4P0(vector).calculateScores().overall }],
]);

/** The metrics of the base score with their values, for calculators. */
export const baseMetricsOf = (version: CvssVersion): Metrics =>
  STANDARDS.get(`CVSS:${version}`)?.mandatory ?? new Map<string, readonly string[]>();

export const CVSS_VERSIONS = ['3.1', '4.0'] as const;
export type CvssVersion = (typeof CVSS_VERSIONS)[number];

/**
 * The score of a CVSS vector with all its metrics. The calculator silently accepts incomplete, repeated and unknown
 * metrics, so the vector is validated here as strictly as the standards demand.
 */
export function scoreOfVector(vector: string): number {
  const [version = '', ...parts] = vector.split('/');
  const standard = STANDARDS.get(version);
  if (!standard) throw invalid('cvss_vector must begin with CVSS:3.0/, CVSS:3.1/ or CVSS:4.0/.');
  const problem = problemIn(parts, standard);
  if (problem) throw invalid(`cvss_vector ${problem}, which ${version} does not allow.`);
  return standard.score(vector);
}

function problemIn(parts: string[], { mandatory, optional, ordered }: Standard): string | undefined {
  const known = new Map([...mandatory, ...optional]);
  const order = [...known.keys()];
  const given: string[] = [];
  for (const part of parts) {
    const [metric = '', value = '', ...rest] = part.split(':');
    const last = given.at(-1);
    if (!known.get(metric)?.includes(value) || rest.length > 0) return `contains "${part.slice(0, 20)}"`;
    if (given.includes(metric)) return `names ${metric} twice`;
    if (ordered && last && order.indexOf(metric) < order.indexOf(last)) return `names ${metric} after ${last}`;
    given.push(metric);
  }
  const missing = [...mandatory.keys()].filter((metric) => !given.includes(metric));
  return missing.length > 0 ? `lacks ${missing.join(', ')}` : undefined;
}
