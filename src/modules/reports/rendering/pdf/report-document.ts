import { SEVERITIES, severityNumber, type Severity } from '../../../../kernel/severity';
import type { ReportSnapshot } from '../../domain/report-snapshot';
import { PALETTE, SEVERITY_COLORS } from '../palette';
import { type AppendixPart, appendixOf } from './appendix-part';
import { Evidence, type FindingPart, FindingParts } from './finding-part';
import { mono, text } from './fonts';
import type { FontFallback, DirectedText } from './font-fallback';
import { formatMoment, formatPeriod, severityLabel, truncated } from '../text-format';
import { subjectTexts } from '../subject-texts';
import { type ScopePart, scopeOf } from './scope-part';
import { type SummaryPart, summaryOf } from './summary-part';

/** The data of the template. No text in it is read as markup. */
export interface ReportDocument {
  readonly title: string;
  readonly author: string;
  readonly date: readonly [year: number, month: number, day: number, hour: number, minute: number, second: number];
  readonly theme: {
    readonly fonts: { readonly text: readonly string[]; readonly code: readonly string[] };
    readonly palette: Readonly<Record<string, string>>;
    readonly severities: readonly {
      readonly name: Severity;
      readonly label: string;
      readonly level: number;
      readonly colour: string;
    }[];
  };
  readonly running: { readonly organization: DirectedText; readonly event: DirectedText };
  readonly cover: {
    readonly kind: string;
    readonly organization: DirectedText;
    readonly event: DirectedText;
    readonly facts: readonly (readonly [label: string, value: DirectedText])[];
    readonly strip: readonly { readonly severity: Severity; readonly count: number }[];
  };
  readonly summary: SummaryPart | null;
  readonly scope: ScopePart | null;
  readonly findings: {
    readonly title: string;
    readonly lead: string;
    readonly whole: boolean;
    /** Too many for a table, and for the contents. */
    readonly many: boolean;
    readonly all: readonly FindingPart[];
  } | null;
  readonly appendix: AppendixPart | null;
}

const MAX_IN_TABLES = 100;

/** The cover shows longer names whole; the page header shortens them. */
const MAX_HEADER_LENGTH = 48;

export function documentOf(snapshot: ReportSnapshot, fonts: FontFallback): ReportDocument {
  const { organization, options, taken } = snapshot;
  const { name } = subjectTexts(snapshot);
  const has = (section: (typeof options.sections)[number]): boolean => options.sections.includes(section);
  const withEvidence = has('evidence') && options.include_evidence;
  const parts = new FindingParts(fonts, new Evidence(fonts, withEvidence));
  const told = has('findings') || has('evidence');
  const all = told ? snapshot.findings.map((finding, index) => parts.of(finding, index + 1)) : [];
  return {
    title: fonts.plainText(`${name}: report for ${organization.name}`),
    author: 'Assay',
    date: dateOf(taken),
    running: {
      organization: fonts.paragraph(truncated(organization.name, MAX_HEADER_LENGTH), 24),
      event: fonts.paragraph(truncated(name, MAX_HEADER_LENGTH), 24),
    },
    cover: coverOf(snapshot, fonts),
    summary: has('summary') ? summaryOf(snapshot, fonts) : null,
    scope: has('scope') ? scopeOf(snapshot, fonts) : null,
    findings: told ? findingsOf(all, has('findings'), withEvidence) : null,
    // Last, because it counts the characters that the other parts could not show.
    appendix: has('appendix') ? appendixOf(snapshot, fonts) : null,
    theme: themeOf(fonts),
  };
}

function coverOf(snapshot: ReportSnapshot, fonts: FontFallback): ReportDocument['cover'] {
  const { organization, totals } = snapshot;
  const { kind, name, facts } = subjectTexts(snapshot);
  return {
    kind,
    organization: fonts.paragraph(organization.name, 24),
    event: fonts.paragraph(name, 14),
    facts: [
      ['Period', formatPeriod(snapshot.start_date, snapshot.end_date)],
      ['As of', formatMoment(snapshot.taken)],
      ...facts.map(([label, value]) => [label, fonts.paragraph(value, 20)] as const),
      ['Report', `No. ${snapshot.report_id}`],
    ],
    strip: SEVERITIES.toReversed()
      .map((severity) => ({ severity, count: totals.by_severity[severity] }))
      .filter(({ count }) => count > 0),
  };
}

function findingsOf(all: readonly FindingPart[], whole: boolean, withEvidence: boolean): ReportDocument['findings'] {
  if (whole) {
    const told = `The most urgent first, each with ${withEvidence ? 'its evidence and ' : ''}its history.`;
    const lead = all.length === 0 ? 'This report has no findings.' : told;
    return { title: 'Findings', lead, whole, many: all.length > MAX_IN_TABLES, all };
  }
  const seen = all.filter(({ retests }) => retests.some(({ probes }) => probes.length > 0));
  const lead =
    seen.length === 0 ? 'No retest of these findings has evidence.' : 'The requests of the retests, and the responses.';
  return { title: 'Evidence', lead, whole, many: seen.length > MAX_IN_TABLES, all: seen };
}

function themeOf({ families }: FontFallback): ReportDocument['theme'] {
  const names = families.map(({ name }) => name);
  return {
    fonts: { text: [text.name, ...names], code: [mono.name, text.name, ...names] },
    palette: PALETTE,
    severities: SEVERITIES.map((name) => ({
      name,
      label: severityLabel(name),
      level: severityNumber(name),
      colour: SEVERITY_COLORS[name],
    })),
  };
}

function dateOf(taken: string): ReportDocument['date'] {
  const moment = new Date(taken);
  return [
    moment.getUTCFullYear(),
    moment.getUTCMonth() + 1,
    moment.getUTCDate(),
    moment.getUTCHours(),
    moment.getUTCMinutes(),
    moment.getUTCSeconds(),
  ];
}
