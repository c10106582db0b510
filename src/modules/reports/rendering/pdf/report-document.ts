import { SEVERITIES, severityNumber, type Severity } from '../../../../kernel/severity';
import type { ReportSnapshot } from '../../domain/report-snapshot';
import { NO_VERDICT_MARK, PALETTE, SEVERITY_COLORS, VERDICT_MARKS } from '../palette';
import { type AppendixPart, appendixOf } from './appendix-part';
import { type FindingPart, FindingParts } from './finding-part';
import { Evidence } from './shown-evidence';
import { mono, text } from './fonts';
import type { FontFallback, DirectedText } from './font-fallback';
import { SECTION_TITLES, WORDS } from '../report-words';
import { reportContentsOf } from '../report-contents';
import { grouped, pluralize, severityLabel, truncated } from '../text-format';
import { type LabeledText, titlePageOf } from '../title-page';
import { annexNotice } from '../../domain/report-annex';
import type { FindingOrder } from '../../domain/report-options';
import { comparisonOf, leftOutChapterOf, planOf, type TableChapter } from '../table-chapters';
import { type LetterPart, letterPartOf } from './letter-part';
import { type AssessmentPart, assessmentPartOf, type TablePart, tablePartOf } from './table-part';
import { type ChangesPart, changesPartOf } from './changes-part';
import { type MethodologyPart, methodologyPartOf } from './methodology-part';
import { type RetestsPart, retestsPartOf } from './retests-part';
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
    /** By result of a retest or state of a probe; `none` for all others. */
    readonly verdicts: Readonly<Record<string, { readonly color: string; readonly icon: string }>>;
    readonly titles: Readonly<Record<string, string>>;
    readonly words: Readonly<Record<string, string>>;
    readonly severities: readonly {
      readonly name: Severity;
      readonly label: string;
      readonly level: number;
      readonly colour: string;
    }[];
  };
  readonly running: {
    readonly organization: DirectedText;
    readonly title: DirectedText;
    readonly marking: DirectedText;
  };
  readonly cover: {
    /** The path of the logo and its words. */
    readonly logo: { readonly path: string; readonly alt: string } | null;
    readonly kind: string;
    readonly organization: DirectedText;
    readonly title: DirectedText;
    /** Of the title, in points. */
    readonly size: number;
    readonly subtitle: DirectedText | null;
    readonly facts: readonly LabeledValue[];
    readonly document: readonly LabeledValue[];
    readonly strip: readonly { readonly severity: Severity; readonly count: number }[];
  };
  /** Instead of all other parts. */
  readonly letter: LetterPart | null;
  readonly assessment: AssessmentPart | null;
  readonly summary: SummaryPart | null;
  readonly plan: TablePart | null;
  readonly comparison: TablePart | null;
  readonly scope: ScopePart | null;
  readonly changes: ChangesPart | null;
  readonly methodology: MethodologyPart | null;
  readonly findings: {
    readonly title: string;
    readonly lead: string;
    readonly whole: boolean;
    /** Too many for a table, and for the contents. */
    readonly many: boolean;
    readonly all: readonly FindingPart[];
  } | null;
  readonly leftOut: TablePart | null;
  readonly retests: RetestsPart | null;
  readonly appendix: AppendixPart | null;
}

type LabeledValue = readonly [label: string, lines: readonly DirectedText[]];

const ORDERS: Readonly<Record<FindingOrder, string>> = {
  priority: 'The most urgent first',
  severity: 'The most severe first',
  asset: 'By asset',
};

const MAX_IN_TABLES = 100;

/** The cover shows longer names whole; the page header shortens them. */
const MAX_HEADER_LENGTH = 48;

export function documentOf(snapshot: ReportSnapshot, fonts: FontFallback, logoPath: string | null): ReportDocument {
  const { options, taken } = snapshot;
  const isLetter = options.kind === 'letter';
  const has = (section: (typeof options.sections)[number]): boolean => !isLetter && options.sections.includes(section);
  const table = (name: keyof typeof SECTION_TITLES, chapter: TableChapter | null): TablePart | null =>
    isLetter ? null : tablePartOf(name, chapter, fonts);
  const withEvidence = has('evidence') && options.include_evidence;
  const parts = new FindingParts(fonts, new Evidence(fonts, withEvidence));
  const hasFindings = has('findings') || has('evidence');
  const all = hasFindings ? snapshot.findings.map((finding) => parts.of(finding)) : [];
  const { title, organization, confidentiality } = titlePageOf(snapshot);
  return {
    title: fonts.plainText(`${title}: report for ${organization}`),
    author: 'Assay',
    date: dateOf(taken),
    running: {
      organization: fonts.paragraph(truncated(organization, MAX_HEADER_LENGTH), 24),
      title: fonts.paragraph(truncated(title, MAX_HEADER_LENGTH), 24),
      marking: fonts.paragraph(truncated(confidentiality, MAX_HEADER_LENGTH), 24),
    },
    letter: isLetter ? letterPartOf(snapshot, fonts) : null,
    assessment: isLetter ? null : assessmentPartOf(snapshot, fonts),
    summary: has('summary') ? summaryOf(snapshot, fonts) : null,
    plan: has('plan') ? table('plan', planOf(snapshot)) : null,
    comparison: table('comparison', comparisonOf(snapshot)),
    scope: has('scope') ? scopeOf(snapshot, fonts) : null,
    changes: has('changes') ? changesPartOf(snapshot, fonts) : null,
    methodology: has('methodology') ? methodologyPartOf(snapshot, fonts) : null,
    findings: hasFindings ? findingsOf(all, has('findings'), withEvidence, snapshot) : null,
    leftOut: table('left_out', leftOutChapterOf(snapshot)),
    retests: has('retests') ? retestsPartOf(snapshot, fonts) : null,
    appendix: has('appendix') ? appendixOf(snapshot, fonts) : null,
    // Last, because it counts the characters that the other parts could not show.
    cover: coverOf(snapshot, fonts, logoPath),
    theme: themeOf(fonts),
  };
}

function coverOf(snapshot: ReportSnapshot, fonts: FontFallback, logoPath: string | null): ReportDocument['cover'] {
  const { kind, title, subtitle, organization, facts, document } = titlePageOf(snapshot);
  const valueOf = ([label, text]: LabeledText): LabeledValue => [
    label,
    text.split('\n').map((line) => fonts.paragraph(line, 24)),
  ];
  return {
    logo: logoPath === null ? null : { path: logoPath, alt: `Logo of ${fonts.plainText(organization)}` },
    kind,
    organization: fonts.paragraph(organization, 24),
    title: fonts.paragraph(title, 14),
    size: titleSizeOf(title),
    subtitle: subtitle === null ? null : fonts.paragraph(subtitle, 24),
    facts: facts.map(valueOf),
    document: [...document, ...reportContentsOf(snapshot), ...missingCharacters(fonts)].map(valueOf),
    strip: snapshot.summary.severities
      .filter(({ open }) => open > 0)
      .map(({ severity, open }) => ({ severity, count: open, text: grouped(open) })),
  };
}

/** So that a long word, such as an address, fits the width of the page. */
function titleSizeOf(title: string): number {
  const longest = Math.max(1, ...title.split(/\s+/).map((word) => word.length));
  const most = title.length > 100 ? 10 : title.length > 50 ? 20 : 34;
  return Math.max(10, Math.min(most, Math.floor(530 / longest)));
}

function missingCharacters({ missingCharacters: missing }: FontFallback): readonly LabeledText[] {
  if (missing === 0) return [];
  const subject = `${pluralize(missing, 'character')} ${missing === 1 ? 'is' : 'are'}`;
  return [
    [
      'Characters',
      `${subject} not in the fonts of this report and shown as \ufffd. The JSON format contains every character.`,
    ],
  ];
}

function findingsOf(
  all: readonly FindingPart[],
  whole: boolean,
  withEvidence: boolean,
  snapshot: ReportSnapshot,
): ReportDocument['findings'] {
  if (whole) {
    const introduction = `${ORDERS[snapshot.options.order]}, each with ${withEvidence ? 'its evidence and ' : ''}its history. ${annexNotice(snapshot) ?? ''}`;
    const lead = all.length === 0 ? WORDS.noFindings : introduction;
    return { title: SECTION_TITLES.findings, lead, whole, many: all.length > MAX_IN_TABLES, all };
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
    verdicts: { ...VERDICT_MARKS, none: NO_VERDICT_MARK },
    titles: SECTION_TITLES,
    words: WORDS,
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
