import type { VNode } from 'preact';
import { baseMetricsOf, CVSS_VERSIONS, type CvssVersion } from '../../modules/findings';
import { Select } from '../frame/form';

/** Nothing is chosen for people: a value that nobody looked at would count. */
export const CHOOSE = { value: '', label: 'Choose' };

const IMPACT = { H: 'High', L: 'Low', N: 'None' };
const COMMON: Readonly<Record<string, readonly [string, Readonly<Record<string, string>>]>> = {
  AV: ['Attack vector', { N: 'Network', A: 'Adjacent', L: 'Local', P: 'Physical' }],
  AC: ['Attack complexity', { L: 'Low', H: 'High' }],
  AT: ['Attack requirements', { N: 'None', P: 'Present' }],
  PR: ['Privileges required', { N: 'None', L: 'Low', H: 'High' }],
  UI: ['User interaction', { N: 'None', R: 'Required', P: 'Passive', A: 'Active' }],
  S: ['Scope', { U: 'Unchanged', C: 'Changed' }],
  C: ['Confidentiality', IMPACT],
  I: ['Integrity', IMPACT],
  A: ['Availability', IMPACT],
  VC: ['Confidentiality of the system', IMPACT],
  VI: ['Integrity of the system', IMPACT],
  VA: ['Availability of the system', IMPACT],
  SC: ['Confidentiality of others', IMPACT],
  SI: ['Integrity of others', IMPACT],
  SA: ['Availability of others', IMPACT],
};

interface MetricField {
  readonly version: CvssVersion;
  readonly metric: string;
  readonly values: readonly string[];
  /** Of the field in the form, such as `v3_av`. */
  readonly name: string;
}

export const METRIC_FIELDS: readonly MetricField[] = CVSS_VERSIONS.flatMap((version) =>
  [...baseMetricsOf(version)].map(([metric, values]) => ({
    version,
    metric,
    values,
    name: `v${version.charAt(0)}_${metric.toLowerCase()}`,
  })),
);

const fieldsOf = (version: CvssVersion): MetricField[] => METRIC_FIELDS.filter((field) => field.version === version);

export type Choices = Readonly<Record<string, unknown>>;

function choiceOf(choices: Choices, { name }: Pick<MetricField, 'name'>): string {
  const choice = choices[name];
  return typeof choice === 'string' ? choice : '';
}

/** The names of the fields that are not chosen yet. */
export const unchosenIn = (version: CvssVersion, choices: Choices): string[] =>
  fieldsOf(version)
    .filter((field) => choiceOf(choices, field) === '')
    .map(({ name }) => name);

export const vectorOf = (version: CvssVersion, choices: Choices): string =>
  [`CVSS:${version}`, ...fieldsOf(version).map((field) => `${field.metric}:${choiceOf(choices, field)}`)].join('/');

/** The values that a vector has, for the calculators. */
export function choicesIn(vector: string | null): Choices {
  const [version, ...parts] = (vector ?? '').split('/');
  return Object.fromEntries(
    METRIC_FIELDS.filter((field) => `CVSS:${field.version}` === version).flatMap(({ metric, name }) => {
      const part = parts.find((one) => one.startsWith(`${metric}:`));
      return part === undefined ? [] : [[name, part.slice(metric.length + 1)]];
    }),
  );
}

/** A select for each metric of the base score. */
export const Calculator = ({ version, choices }: { version: CvssVersion; choices: Choices }): VNode => (
  <fieldset class={`calculator v${version.charAt(0)}`}>
    <legend>CVSS {version}</legend>
    {fieldsOf(version).map(({ metric, name, values }) => (
      <Select
        key={name}
        name={name}
        label={COMMON[metric]?.[0] ?? metric}
        options={[CHOOSE, ...values.map((value) => ({ value, label: COMMON[metric]?.[1][value] ?? value }))]}
        value={choiceOf(choices, { name })}
      />
    ))}
  </fieldset>
);
