import { capitalized } from '../../../../kernel/capitalized';
import type { SnapshotFinding } from '../../domain/snapshot-finding';
import type { SnapshotProbe, SnapshotRetest, SnapshotTransition } from '../../domain/snapshot-parts';
import { type Disposition, dispositionOf } from '../disposition';
import { factText } from '../finding-fact';
import { FINDING_FACTS } from '../finding-facts';
import { decisiveProbe, type ExcerptPart, excerptOfProbe } from '../evidence-excerpt';
import { placeText } from '../finding-location';
import { historyText } from '../history-text';
import { WORDS } from '../report-words';
import { formatMoment, pluralize, PROBE_STATE_LABELS, resultLabelOf, statusLabel, truncated } from '../text-format';
import type { DirectedText, FontFallback } from './font-fallback';
import type { BreakableText } from './line-breaks';
import { blocksOf } from './markdown-blocks';
import type { Block } from './markdown-tree';
import type { Evidence, MessagePart } from './shown-evidence';

/** A fact as the template draws it. */
interface Fact {
  readonly label: string;
  readonly value: BreakableText;
  readonly link?: string;
  readonly code?: true;
}

export interface FindingPart {
  readonly id: number;
  readonly severity: string;
  readonly title: DirectedText;
  /** Shortened for the narrow columns of a list, like the asset. */
  readonly listedTitle: DirectedText;
  readonly asset: DirectedText;
  readonly status: BreakableText;
  readonly disposition: Disposition;
  /** The head may be longer than a page. */
  readonly breakable: boolean;
  /** The lines in the gutter beside the title. */
  readonly gutter: readonly string[];
  /** A sentence if the asset is outside the scope. */
  readonly outside: string | null;
  /** Lines of facts. */
  readonly facts: readonly (readonly Fact[])[];
  readonly text: readonly Block[];
  /** Short enough to stay on one page. */
  readonly shortHistory: boolean;
  readonly history: readonly {
    readonly at: string;
    readonly to: BreakableText;
    readonly by: BreakableText;
    readonly comment: DirectedText | null;
  }[];
  readonly retests: readonly RetestPart[];
}

interface RetestPart {
  readonly at: string;
  /** The person who gave the result. */
  readonly by: BreakableText | null;
  readonly result: BreakableText;
  /** The result as the API names it; it decides the colour. */
  readonly kind: string;
  readonly reason: DirectedText | null;
  readonly requests: string | null;
  readonly signed: BreakableText | null;
  readonly probes: readonly ProbePart[];
}

interface ProbePart {
  readonly at: string;
  readonly state: SnapshotProbe['state'];
  readonly label: string;
  /** Null if the reason of the retest or the probe before it says the same. */
  readonly detail: DirectedText | null;
  /** The request and the response that decided it. */
  readonly messages: readonly {
    readonly name: BreakableText;
    /** Short enough to stay on one page. */
    readonly short: boolean;
    readonly parts: readonly MessagePart[];
  }[];
  /** The other requests in one line each. */
  readonly others: readonly BreakableText[];
}

const MAX_UNBROKEN_HEAD = 1_500;
/** A list has room for this much of an address. The finding shows it in full. */
export const MAX_LISTED_LENGTH = 120;

export class FindingParts {
  constructor(
    private readonly fonts: FontFallback,
    private readonly evidence: Evidence,
  ) {}

  of(finding: SnapshotFinding): FindingPart {
    const { fonts } = this;
    return {
      id: finding.id,
      severity: finding.severity,
      title: titleOf(finding, fonts, 24),
      listedTitle: titleOf({ ...finding, title: truncated(finding.title, MAX_LISTED_LENGTH) }, fonts, 24),
      asset: fonts.paragraph(truncated(placeText(finding.asset_value, finding.beacon), MAX_LISTED_LENGTH), 14),
      status: fonts.inline(statusLabel(finding.status_name), 12),
      disposition: dispositionOf(finding.status),
      breakable:
        finding.title.length + finding.asset_value.length + (finding.location ?? '').length > MAX_UNBROKEN_HEAD,
      gutter: [`Finding ${finding.id}`, ...(finding.score === null ? [] : [`Score ${finding.score.toFixed(1)}`])],
      outside: finding.in_scope === false ? WORDS.outsideScope : null,
      facts: this.facts(finding),
      text: blocksOf(finding.md ?? '', fonts),
      shortHistory: isShort(finding.history),
      history: isRecordedAlone(finding.history) ? [] : finding.history.map((move) => this.move(move, finding.retests)),
      retests: finding.retests.map((retest) => this.retest(retest, finding.location)),
    };
  }

  private facts(finding: SnapshotFinding): Fact[][] {
    const lines: Fact[][] = [];
    for (const fact of FINDING_FACTS) {
      const { label, pdfLine, value } = fact;
      if (pdfLine === undefined || value(finding) === null) continue;
      const text = factText(fact, finding);
      const link = fact.link?.(String(value(finding)));
      const isCode = fact.style === 'code' || label === 'Location';
      (lines[pdfLine] ??= []).push({
        label: label.replaceAll(' ', '\u00a0'),
        value: isCode ? this.fonts.inlineCode(text, 30) : this.fonts.inline(text, pdfLine === 1 ? 30 : 16),
        ...(link !== undefined && { link }),
        ...(isCode && { code: true }),
      });
    }
    const recorder = this.recorder(finding.history);
    if (recorder !== null) (lines[3] ??= []).push(recorder);
    return lines.filter((line) => line !== undefined).map((line) => line.map(keepTogether));
  }

  private recorder(history: readonly SnapshotTransition[]): Fact | null {
    const [first] = history;
    if (first === undefined || !isRecordedAlone(history)) return null;
    return { label: 'Recorded\u00a0by', value: this.fonts.inline(first.actor) };
  }

  private move(
    { at, from, to, actor, comment }: SnapshotTransition,
    retests: readonly SnapshotRetest[],
  ): FindingPart['history'][number] {
    const { fonts } = this;
    const words = from === null ? statusLabel(to) : `${statusLabel(from)} › ${statusLabel(to)}`;
    return {
      at: formatMoment(at),
      to: fonts.inline(words),
      by: fonts.inline(actor),
      comment: comment === null ? null : fonts.paragraph(historyText(comment, retests)),
    };
  }

  private retest(tested: SnapshotRetest, location: string | null): RetestPart {
    const { created, finished, status, result, reason, judged_by, requests, signed_by, probes } = tested;
    const { fonts } = this;
    const shown = this.evidence.shown ? probes : [];
    const decisive = decisiveProbe(shown);
    return {
      at: formatMoment(finished ?? created),
      by: judged_by === null ? null : fonts.inline(judged_by),
      result: fonts.inline(resultLabelOf(tested)),
      kind: result ?? status,
      reason: reason === null ? null : fonts.paragraph(capitalized(reason)),
      requests: requests === null ? null : pluralize(requests, 'request'),
      signed: signed_by === null ? null : fonts.inlineCode(signed_by, 30),
      probes: shown.map((probe, index) => ({
        ...this.probe(probe, probe === decisive, location),
        detail:
          probe.detail === (shown[index - 1]?.detail ?? reason) ? null : fonts.paragraph(capitalized(probe.detail)),
      })),
    };
  }

  private probe(probe: SnapshotProbe, isDecisive: boolean, location: string | null): Omit<ProbePart, 'detail'> {
    const { fonts, evidence } = this;
    const { at, state } = probe;
    const { decisive, others } = excerptOfProbe(probe, location);
    return {
      at: formatMoment(at),
      state,
      label: PROBE_STATE_LABELS[state],
      messages:
        decisive === null || !isDecisive
          ? []
          : [
              {
                name: decisive.address === null ? 'Request' : fonts.inlineCode(`Request to ${decisive.address}`),
                short: isShortMessage(decisive.request),
                parts: evidence.message(decisive.request),
              },
              {
                name: 'Response',
                short: isShortMessage(decisive.response),
                parts: evidence.message(decisive.response),
              },
            ],
      others: isDecisive ? others.map((line) => fonts.inlineCode(line, 24)) : [],
    };
  }
}

const MAX_SHORT_MOVES = 6;
const MAX_SHORT_LENGTH = 900;
const MAX_SHORT_LINES = 14;

const isShort = (history: readonly SnapshotTransition[]): boolean =>
  history.length <= MAX_SHORT_MOVES &&
  history.reduce((sum, { actor, comment }) => sum + actor.length + (comment ?? '').length, 0) <= MAX_SHORT_LENGTH;

function isShortMessage(parts: readonly ExcerptPart[]): boolean {
  const text = parts.map((part) => part.text).join('\n');
  return text.length <= MAX_SHORT_LENGTH && text.split('\n').length <= MAX_SHORT_LINES;
}

/** The person who recorded it is then shown as a fact, and there is no history. */
const isRecordedAlone = (history: readonly SnapshotTransition[]): boolean =>
  history.length === 1 && history[0]?.from === null && history[0].comment === null;

/** A line breaks between facts, and within a fact only where it is long. */
const keepTogether = (fact: Fact): Fact =>
  typeof fact.value === 'string' && fact.value.length <= 24
    ? { ...fact, value: fact.value.replaceAll(' ', '\u00a0') }
    : fact;

/** A title without visible characters would make no entry in the contents. */
export const titleOf = (
  { id, title }: Pick<SnapshotFinding, 'id' | 'title'>,
  fonts: FontFallback,
  longest: number,
): DirectedText =>
  /[^\s\p{Default_Ignorable_Code_Point}]/u.test(title)
    ? fonts.paragraph(title, longest)
    : `Finding ${id}, without a title`;
