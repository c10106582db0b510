import { invalid } from '../../../kernel/domain-error';
import { SEVERITIES } from '../../../kernel/severity';
import { defaultReportOptions, REPORT_FORMATS, REPORT_SECTIONS, type ReportOptions } from './report-options';

interface OptionRule {
  readonly holds: (value: unknown) => boolean;
  /** What the value must be, after the option's name. */
  readonly sentence: string;
}

const isOneOf =
  (words: readonly unknown[]) =>
  (value: unknown): boolean =>
    words.includes(value);

const isListOf =
  (holds: (item: unknown) => boolean, least: number) =>
  (value: unknown): boolean =>
    Array.isArray(value) && value.length >= least && value.every(holds) && new Set(value).size === value.length;

const isFlag = (value: unknown): boolean => typeof value === 'boolean';

const isStatus = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 10;

const FLAG = { holds: isFlag, sentence: 'must be true or false' };

const RULES: Readonly<Record<keyof ReportOptions, OptionRule>> = {
  format: { holds: isOneOf(REPORT_FORMATS), sentence: `must be one of: ${REPORT_FORMATS.join(', ')}` },
  sections: {
    holds: isListOf(isOneOf(REPORT_SECTIONS), 1),
    sentence: `must be a list of at least one of these, each once: ${REPORT_SECTIONS.join(', ')}`,
  },
  min_severity: { holds: isOneOf(SEVERITIES), sentence: `must be one of: ${SEVERITIES.join(', ')}` },
  statuses: { holds: isListOf(isStatus, 0), sentence: 'must be a list of whole numbers from 1 to 10, each once' },
  include_evidence: FLAG,
  include_resolved: FLAG,
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isOption = (name: string): name is keyof ReportOptions => Object.hasOwn(RULES, name);

/**
 * The options as somebody sends them, whole: what is left out has its default, and so has null. What is not known is
 * refused by name, for it would be a report other than the one that was asked for.
 */
export function readReportOptions(sent: unknown): ReportOptions {
  if (sent === undefined || sent === null) return defaultReportOptions;
  if (!isRecord(sent)) throw invalid(`options must be an object of: ${Object.keys(RULES).join(', ')}.`);
  const given = Object.entries(sent).filter(([, value]) => value !== undefined && value !== null);
  const problems = given.flatMap(([name, value]) => problemOf(name, value));
  if (problems.length > 0) throw invalid(`${problems.join('; ')}.`);
  return { ...defaultReportOptions, ...Object.fromEntries(given) };
}

function problemOf(name: string, value: unknown): string[] {
  if (!isOption(name)) {
    return [`options.${name.slice(0, 100)} is not an option; these are: ${Object.keys(RULES).join(', ')}`];
  }
  const { holds, sentence } = RULES[name];
  return holds(value) ? [] : [`options.${name} ${sentence}`];
}
