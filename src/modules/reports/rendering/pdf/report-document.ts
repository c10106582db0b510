import { SEVERITIES, severityNumber, type Severity } from '../../../../kernel/severity';
import type { ReportSnapshot } from '../../domain/report-snapshot';
import { palette, severityColours } from '../palette';
import { type AppendixPart, appendixOf } from './appendix-part';
import { Evidence } from './evidence';
import { type FindingPart, FindingParts } from './finding-part';
import { mono, text } from './fonts';
import type { Lettering, Shown } from './lettering';
import { begun, momentOf, periodOf, wordsOf } from './phrases';
import { type ScopePart, scopeOf } from './scope-part';
import { type SummaryPart, summaryOf } from './summary-part';

/** All that the template knows. Every text in it is said as it is; nothing in it is read as markup. */
export interface ReportDocument {
  readonly title: string;
  readonly author: string;
  readonly date: readonly [year: number, month: number, day: number, hour: number, minute: number, second: number];
  readonly look: {
    readonly fonts: { readonly text: readonly string[]; readonly code: readonly string[] };
    readonly palette: Readonly<Record<string, string>>;
    readonly severities: readonly {
      readonly name: Severity;
      readonly label: string;
      readonly level: number;
      readonly colour: string;
    }[];
  };
  readonly running: { readonly organization: Shown; readonly event: Shown };
  readonly cover: {
    readonly kind: string;
    readonly organization: Shown;
    readonly event: Shown;
    readonly facts: readonly (readonly [label: string, value: Shown])[];
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

const mostInTables = 100;

/** Longer names are whole on the cover, and begun at the head of each page. */
const mostRunning = 48;

export function documentOf(snapshot: ReportSnapshot, lettering: Lettering): ReportDocument {
  const { organization, event, options, taken } = snapshot;
  const has = (section: (typeof options.sections)[number]): boolean => options.sections.includes(section);
  const withEvidence = has('evidence') && options.include_evidence;
  const parts = new FindingParts(lettering, new Evidence(lettering, withEvidence));
  const told = has('findings') || has('evidence');
  const all = told ? snapshot.findings.map((finding, index) => parts.of(finding, index + 1)) : [];
  return {
    title: lettering.plain(`${event.name}: report for ${organization.name}`),
    author: 'Assay',
    date: dateOf(taken),
    running: {
      organization: lettering.words(begun(organization.name, mostRunning), 24),
      event: lettering.words(begun(event.name, mostRunning), 24),
    },
    cover: coverOf(snapshot, lettering),
    summary: has('summary') ? summaryOf(snapshot, lettering) : null,
    scope: has('scope') ? scopeOf(snapshot, lettering) : null,
    findings: told ? findingsOf(all, has('findings'), withEvidence) : null,
    // Last, because it says what the others lacked.
    appendix: has('appendix') ? appendixOf(snapshot, lettering) : null,
    look: lookOf(lettering),
  };
}

const KINDS: Readonly<Record<string, string>> = {
  pentest: 'Penetration test report',
  red_team: 'Red team report',
  continuous: 'Continuous testing report',
};

function coverOf(
  { organization, event, totals, ...snapshot }: ReportSnapshot,
  lettering: Lettering,
): ReportDocument['cover'] {
  return {
    kind: KINDS[event.category] ?? 'Security report',
    organization: lettering.words(organization.name, 24),
    event: lettering.words(event.name, 14),
    facts: [
      ['Period', periodOf(snapshot.start_date, snapshot.end_date)],
      ['State of', momentOf(snapshot.taken)],
      ['Event', lettering.words(event.slug, 20)],
      [
        'Kind',
        lettering.words(
          [event.type, event.category, event.dimension]
            .filter((word) => word !== null)
            .map(wordsOf)
            .join(', '),
        ),
      ],
      ['Report', `No. ${snapshot.report_id}`],
    ],
    strip: SEVERITIES.toReversed()
      .map((severity) => ({ severity, count: totals.by_severity[severity] }))
      .filter(({ count }) => count > 0),
  };
}

function findingsOf(all: readonly FindingPart[], whole: boolean, withEvidence: boolean): ReportDocument['findings'] {
  if (whole) {
    const told = `The most urgent first, each with ${withEvidence ? 'its evidence and ' : ''}what became of it.`;
    const lead = all.length === 0 ? 'There are none in this report.' : told;
    return { title: 'Findings', lead, whole, many: all.length > mostInTables, all };
  }
  const seen = all.filter(({ retests }) => retests.some(({ probes }) => probes.length > 0));
  const lead =
    seen.length === 0
      ? 'No retest of these findings has left evidence.'
      : 'What the retests asked, and what came back.';
  return { title: 'Evidence', lead, whole, many: seen.length > mostInTables, all: seen };
}

function lookOf({ families }: Lettering): ReportDocument['look'] {
  const names = families.map(({ name }) => name);
  return {
    fonts: { text: [text.name, ...names], code: [mono.name, text.name, ...names] },
    palette,
    severities: SEVERITIES.map((name) => ({
      name,
      label: wordsOf(name),
      level: severityNumber(name),
      colour: severityColours[name],
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
