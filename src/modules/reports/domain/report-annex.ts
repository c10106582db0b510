import { type FindingStatus, isOpen } from '../../findings/domain/finding-status';
import type { ReportOptions, ReportSection } from './report-options';

/** A finding in full needs memory of the worker, and much more of it for the typesetter of a PDF. */
export const MAX_FINDINGS = 20_000;
const MAX_IN_PDF = 3_000;
/** A form says how many findings its filter has, of at most so many: a person waits for it. */
export const MAX_SIZED = 10_000;
/** A PDF or HTML report counts up to this many. */
export const MAX_COUNTED = 100_000;
/** The summary names them. */
export const MAX_MOST_URGENT = 10;

const OF_SINGLE_FINDINGS: ReadonlySet<ReportSection> = new Set(['plan', 'findings', 'evidence', 'retests']);

type Shaping = Pick<ReportOptions, 'kind' | 'format' | 'sections'>;

/** Whether a report can count more findings than it has in full. Files for programs and letters have all or none. */
export const hasAnnex = ({ kind, format }: Shaping): boolean =>
  kind === 'report' && (format === 'pdf' || format === 'html');

const mostInFull = ({ format, sections }: Shaping): number => {
  if (!sections.some((section) => OF_SINGLE_FINDINGS.has(section))) return MAX_MOST_URGENT;
  return format === 'pdf' ? MAX_IN_PDF : MAX_FINDINGS;
};

/** The findings that a report has in full: those of its summary, those that were named, then open ones. All come most urgent first. */
export function inFull<Finding extends { readonly id: number; readonly status: FindingStatus }>(
  all: readonly Finding[],
  options: Shaping & Pick<ReportOptions, 'first_findings'>,
  ofSummary: readonly { readonly id: number }[],
): readonly Finding[] {
  const most = mostInFull(options);
  if (!hasAnnex(options) || all.length <= most) return all;
  const urgent = new Set(ofSummary.map(({ id }) => id));
  const named = new Set(options.first_findings);
  const rank = ({ id, status }: Finding): number => (urgent.has(id) ? 0 : named.has(id) ? 1 : isOpen(status) ? 2 : 3);
  return all.toSorted((one, other) => rank(one) - rank(other)).slice(0, most);
}

const shown = (count: number): string => count.toLocaleString('en');
const findingsInWords = (count: number): string => `${shown(count)} ${count === 1 ? 'finding' : 'findings'}`;

const NARROWER = 'choose a shorter period, a higher severity or one owner.';

/**
 * What a report of this many findings will have, for the person who chooses its options. Of a subject with more than
 * `MAX_SIZED` findings, only the newest are counted.
 */
export function sizeInWords(options: Shaping, findings: number, ofSubject: number): string {
  const most = mostInFull(options);
  if (ofSubject > MAX_SIZED)
    return `This filter has ${shown(Math.min(findings, MAX_SIZED))} of the newest ${shown(MAX_SIZED)} findings. ${limitInWords(options, most)}`;
  if (findings === 0) return 'This filter has no findings.';
  const begin = `This filter has ${findingsInWords(findings)}.`;
  if (!hasAnnex(options)) return begin;
  if (most === MAX_MOST_URGENT) return `${begin} The summary counts all of them.`;
  return findings <= most
    ? `${begin} The annex shows each of them.`
    : `${begin} The annex shows the ${shown(most)} most urgent; the summary counts all.`;
}

function limitInWords(options: Shaping, most: number): string {
  if (!hasAnnex(options)) return `This kind of file has at most ${shown(MAX_FINDINGS)} in all: for fewer, ${NARROWER}`;
  const summary = `The summary counts at most ${shown(MAX_COUNTED)} in all: for fewer, ${NARROWER}`;
  return most === MAX_MOST_URGENT ? summary : `The annex shows at most the ${shown(most)} most urgent. ${summary}`;
}

/** Says of a generated report that its annex is shorter than its summary; null if it is not. */
export const annexNotice = ({
  options,
  totals,
  findings,
}: {
  readonly options: ReportOptions;
  readonly totals: { readonly findings: number };
  readonly findings: readonly unknown[];
}): string | null =>
  !hasAnnex(options) || mostInFull(options) === MAX_MOST_URGENT || findings.length === totals.findings
    ? null
    : `The annex has the ${shown(findings.length)} most urgent of ${findingsInWords(totals.findings)}; the summary counts all.`;
