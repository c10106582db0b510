import type { SnapshotFinding, SnapshotMove, SnapshotProbe, SnapshotRetest } from '../../domain/report-snapshot';
import { dayOf } from '../html/words';
import type { Evidence } from './evidence';
import type { Lettering, Shown } from './lettering';
import type { Pieces } from './line-breaks';
import { blocksOf } from './markdown-blocks';
import type { Block } from './markdown-tree';
import { begun, momentOf, wordsOf } from './phrases';
import { type Standing, standingOf } from './standing';

/** A thing that is known about a finding. */
interface Fact {
  readonly label: string;
  readonly value: Pieces;
  readonly link?: string;
  readonly code?: true;
}

export interface FindingPart {
  readonly number: number;
  readonly severity: string;
  readonly title: Shown;
  /** For the narrow column of a list. */
  readonly asset: Shown;
  readonly status: Pieces;
  readonly standing: Standing;
  /** Its head may be more than a page, and must break. */
  readonly long: boolean;
  /** What stands in the gutter. */
  readonly aside: string;
  /** Line by line. */
  readonly facts: readonly (readonly Fact[])[];
  readonly text: readonly Block[];
  readonly history: readonly {
    readonly at: string;
    readonly to: Pieces;
    readonly by: Pieces;
    readonly comment: Shown | null;
  }[];
  readonly retests: readonly RetestPart[];
}

interface RetestPart {
  readonly at: string;
  readonly result: Pieces;
  /** The word as the interface has it, by which it is coloured. */
  readonly kind: string;
  readonly reason: Shown | null;
  readonly signed: Pieces | null;
  readonly probes: readonly ProbePart[];
}

interface ProbePart {
  readonly at: string;
  readonly state: SnapshotProbe['state'];
  readonly detail: Shown;
  /** What was sent and what came back, one after the other. */
  readonly messages: readonly { readonly name: Pieces; readonly text: Pieces; readonly shortened: string | null }[];
}

const longHead = 1_500;
/** As much of an address as a list has room for; it is whole with its finding. */
export const mostListed = 120;

export class FindingParts {
  constructor(
    private readonly lettering: Lettering,
    private readonly evidence: Evidence,
  ) {}

  of(finding: SnapshotFinding, number: number): FindingPart {
    const { lettering } = this;
    return {
      number,
      severity: finding.severity,
      title: titleOf(finding, lettering, 24),
      asset: lettering.words(begun(finding.asset_value, mostListed), 14),
      status: lettering.pieces(wordsOf(finding.status_name), 12),
      standing: standingOf(finding.status),
      long: finding.title.length + finding.asset_value.length + (finding.location ?? '').length > longHead,
      aside: finding.score === null ? `No. ${number}` : `No. ${number}, score ${finding.score.toFixed(1)}`,
      facts: this.facts(finding),
      text: blocksOf(finding.md ?? '', lettering),
      history: isRecordedAlone(finding.history) ? [] : finding.history.map((move) => this.move(move)),
      retests: finding.retests.map((retest) => this.retest(retest)),
    };
  }

  private facts({ cve, check, location, cvss_vector, ...finding }: SnapshotFinding): Fact[][] {
    const { lettering } = this;
    const lines: (Fact | null)[][] = [
      [{ label: 'Asset', value: lettering.pieces(finding.asset_value, 30) }],
      [
        { label: 'Status', value: lettering.pieces(wordsOf(finding.status_name)) },
        { label: 'Priority', value: `${finding.priority} of 5` },
        cve === null ? null : { label: 'CVE', value: lettering.pieces(cve, 16), link: cveAddress(cve) },
      ],
      [
        { label: 'First\u00a0seen', value: dayOf(finding.created) },
        { label: 'Last\u00a0seen', value: `${dayOf(finding.last_seen)}${times(finding.times_seen)}` },
        finding.resolved === null ? null : { label: 'Resolved', value: dayOf(finding.resolved) },
        this.recorder(finding.history),
      ],
      [check === null ? null : { label: 'Check', value: lettering.inlineCode(check, 30), code: true }],
      [location === null ? null : { label: 'Location', value: lettering.inlineCode(location, 30), code: true }],
      [cvss_vector === null ? null : { label: 'CVSS', value: lettering.inlineCode(cvss_vector, 30), code: true }],
    ];
    return lines.map((line) => line.filter((fact) => fact !== null).map(held)).filter((line) => line.length > 0);
  }

  private recorder(history: readonly SnapshotMove[]): Fact | null {
    const [first] = history;
    if (first === undefined || !isRecordedAlone(history)) return null;
    return { label: 'Recorded\u00a0by', value: this.lettering.pieces(first.actor) };
  }

  private move({ at, from, to, actor, comment }: SnapshotMove): FindingPart['history'][number] {
    const { lettering } = this;
    const words = from === null ? wordsOf(to) : `${wordsOf(from)} › ${wordsOf(to)}`;
    return {
      at: momentOf(at),
      to: lettering.pieces(words),
      by: lettering.pieces(actor),
      comment: comment === null ? null : lettering.words(comment),
    };
  }

  private retest({ created, finished, status, result, reason, signed_by, probes }: SnapshotRetest): RetestPart {
    const { lettering } = this;
    return {
      at: momentOf(finished ?? created),
      result: lettering.pieces(wordsOf(result ?? status)),
      kind: result ?? status,
      reason: reason === null ? null : lettering.words(reason),
      signed: signed_by === null ? null : lettering.inlineCode(signed_by, 30),
      probes: this.evidence.shown ? probes.map((probe) => this.probe(probe)) : [],
    };
  }

  private probe({ at, state, detail, exchanges }: SnapshotProbe): ProbePart {
    const { lettering, evidence } = this;
    return {
      at: momentOf(at),
      state,
      detail: lettering.words(detail),
      messages: exchanges.flatMap(({ request, response, address }) => [
        {
          name: address === null ? 'Request' : lettering.inlineCode(`Request to ${address}`),
          ...evidence.message(request),
        },
        { name: 'Response', ...evidence.message(response) },
      ]),
    };
  }
}

/** Whether nothing became of it since: then who recorded it is a fact like others. */
const isRecordedAlone = (history: readonly SnapshotMove[]): boolean =>
  history.length === 1 && history[0]?.from === null && history[0].comment === null;

/** A line is broken between facts, and inside of one only where it is long. */
const held = (fact: Fact): Fact =>
  typeof fact.value === 'string' && fact.value.length <= 24
    ? { ...fact, value: fact.value.replaceAll(' ', '\u00a0') }
    : fact;

/** A title that shows nothing would be no title, and no entry in the contents. */
export const titleOf = ({ id, title }: SnapshotFinding, lettering: Lettering, longest: number): Shown =>
  /[^\s\p{Default_Ignorable_Code_Point}]/u.test(title)
    ? lettering.words(title, longest)
    : `Finding ${id}, without a title`;

const times = (seen: number): string => (seen > 1 ? `, ${seen} times` : '');

const cveAddress = (cve: string): string | undefined =>
  /^CVE-\d{4}-\d{4,19}$/.test(cve) ? `https://www.cve.org/CVERecord?id=${cve}` : undefined;
