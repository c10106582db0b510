import { type Severity, SEVERITIES } from '../../../kernel/severity';
import { FINDING_STATUS_LABELS } from '../../findings/domain/finding-status';
import type { ToldFinding } from '../../findings';

/** What a person or a channel is told, in the form of none of them. */
export interface Message {
  readonly heading: string;
  readonly organization: string;
  readonly items: readonly MessageItem[];
  /** How many items are not shown. */
  readonly more: number;
  /** Where all of them are. */
  readonly link: string;
}

export interface MessageItem {
  readonly severity: Severity | null;
  readonly title: string;
  /** Such as the asset and what was proved. Never evidence, a comment or a description: they may contain secrets. */
  readonly facts: readonly string[];
  readonly link: string;
}

/** The most items of a message. */
export const MAX_ITEMS = 20;

const PROVED: Readonly<Record<ToldFinding['verification'], string>> = {
  confirmed: 'Confirmed by a test',
  refuted: 'A test did not see it',
  inconclusive: 'A test could not tell',
  untested: 'Not tested',
};

export function itemOfFinding(
  finding: ToldFinding,
  options: { readonly showsTitle: boolean; readonly link: string; readonly news?: readonly string[] },
): MessageItem {
  const { id, title, severity, assetValue, verification, verifiedAt } = finding;
  const day = verification === 'untested' || verifiedAt === null ? '' : ` on ${verifiedAt.toISOString().slice(0, 10)}`;
  return {
    severity: SEVERITIES[severity],
    title: options.showsTitle ? title : `Finding ${id}`,
    facts: [...(options.news ?? []), assetValue, `${PROVED[verification]}${day}`],
    link: options.link,
  };
}

/** Such as "open". */
export const statusName = (status: number): string =>
  (FINDING_STATUS_LABELS[status - 1] ?? '').replace(/^.*\((.*)\)$/, '$1').replaceAll('_', ' ');

/** "High: SQL injection", or the heading of several. */
export const subjectOf = ({ heading, items: [first, ...others], more }: Message): string =>
  first === undefined || others.length > 0 || more > 0 ? heading : `${heading}: ${first.title}`;

export const moreText = (more: number): string => `${more} more`;
