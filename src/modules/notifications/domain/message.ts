import { dayOf } from '../../../kernel/day';
import { type Severity, SEVERITIES } from '../../../kernel/severity';
import { FINDING_STATUS_LABELS } from '../../findings/domain/finding-status';
import type { NotifiedFinding } from '../../findings';

/** A message to a person or a channel, before it gets the form of either. */
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
/** Of one text in a chat. */
export const MAX_TEXT = 500;
export const MAX_HEADING = 150;

const PROVED: Readonly<Record<NotifiedFinding['verification'], string>> = {
  confirmed: 'Confirmed by a test',
  refuted: 'A test did not see it',
  inconclusive: 'A test could not tell',
  untested: 'Not tested',
};

export function itemOfFinding(
  finding: NotifiedFinding,
  options: { readonly showsTitle: boolean; readonly link: string; readonly news?: readonly string[] },
): MessageItem {
  const { id, title, severity, assetValue, verification, verifiedAt } = finding;
  const day = verification === 'untested' || verifiedAt === null ? '' : ` on ${dayOf(verifiedAt)}`;
  return {
    severity: SEVERITIES[severity],
    title: options.showsTitle ? title : `Finding ${id}`,
    facts: [...(options.news ?? []), assetValue, `${PROVED[verification]}${day}`],
    link: options.link,
  };
}

/** For a preview of what a channel tells. */
export const exampleItem = (verifiedAt: Date): MessageItem =>
  itemOfFinding(
    {
      id: 1,
      title: 'SQL injection in the parameter q',
      severity: 5,
      assetValue: 'shop.example.com',
      status: 1,
      assigneeId: null,
      assignedBy: null,
      dueDate: null,
      verification: 'confirmed',
      verifiedAt,
    },
    { showsTitle: true, link: '' },
  );

/** Such as "open". */
export const statusName = (status: number): string =>
  (FINDING_STATUS_LABELS[status - 1] ?? '').replace(/^.*\((.*)\)$/, '$1').replaceAll('_', ' ');

/** "High: SQL injection", or the heading of several. */
export const subjectOf = ({ heading, items: [first, ...others], more }: Message): string =>
  first === undefined || others.length > 0 || more > 0 ? heading : `${heading}: ${first.title}`;

/** For a receiver that has refused the whole message: without texts of its items, which may be why. */
export function shortOf({ heading, organization, items, more, link }: Message): Message {
  const [first] = items;
  const only = items.length === 1 && more === 0 ? first : undefined;
  const item = { severity: null, title: 'Open it in Assay', link: only?.link ?? link };
  return {
    heading,
    organization,
    items: [{ ...item, facts: ['The receiver has refused the whole message.'] }],
    more: 0,
    link,
  };
}

/** With fewer items if the body would be too long. One item always fits: its texts are cut. */
export function bodyWithin(maxBytes: number, message: Message, bodyOf: (message: Message) => object): string {
  const body = JSON.stringify(bodyOf(message));
  const { items, more } = message;
  if (items.length <= 1 || Buffer.byteLength(body) <= maxBytes) return body;
  return bodyWithin(maxBytes, { ...message, items: items.slice(0, -1), more: more + 1 }, bodyOf);
}

/** At most this long in its final form, and cut between characters. */
export function cut(
  text: string,
  max: number,
  written: (character: string) => string = (character) => character,
): string {
  let kept = '';
  for (const character of text) {
    const next = written(character);
    if (kept.length + next.length >= max) return `${kept}…`;
    kept += next;
  }
  return kept;
}

export const moreText = (more: number): string => `${more} more`;
