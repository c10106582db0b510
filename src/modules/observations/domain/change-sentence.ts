import { dayOf } from '../../../kernel/day';
import type { Change, ChangeKind } from './asset-change';

type SeenChange = Change & { readonly seen: Date };

/** A certificate may state anything as its end. */
export function certificateDay(text: string): string {
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? text : dayOf(at);
}

/** More addresses or ports are only counted. */
const MAX_NAMED = 5;

const wordOf = (record: SeenChange['before'], name: string): string => {
  const value = record?.[name];
  return typeof value === 'string' ? value : '';
};

function itemsOf(record: SeenChange['before'], name: string): string[] {
  const value = record?.[name];
  return Array.isArray(value) ? value.map(String) : [];
}

const listText = (items: readonly string[]): string =>
  items.length > MAX_NAMED
    ? `${items.slice(0, MAX_NAMED).join(', ')} and ${items.length - MAX_NAMED} more`
    : items.join(', ');

const inBrackets = (text: string): string => (text === '' ? '' : ` (${text})`);

const technologyOf = (record: SeenChange['before']): string =>
  `${wordOf(record, 'name')} ${wordOf(record, 'version')}`.trim();

const serviceOf = (record: SeenChange['before']): string => wordOf(record, 'service') || 'an unknown service';

const portsOf = (record: SeenChange['before']): string => {
  const ports = itemsOf(record, 'ports');
  return ports.length === 0 ? '' : ` (${ports.length === 1 ? 'port' : 'ports'} ${listText(ports)})`;
};

const endOf = ({ after }: SeenChange): string => certificateDay(wordOf(after, 'until'));

const hasEnded = ({ after, seen }: SeenChange): boolean => Date.parse(wordOf(after, 'until')) < seen.getTime();

function addressesText({ before, after }: SeenChange): string {
  const [from, to] = [itemsOf(before, 'addresses'), itemsOf(after, 'addresses')];
  const added = to.filter((address) => !from.includes(address));
  const removed = from.filter((address) => !to.includes(address));
  return [
    ...(added.length > 0 ? [`New in the DNS: ${listText(added)}.`] : []),
    ...(removed.length > 0 ? [`No longer in the DNS: ${listText(removed)}.`] : []),
  ].join(' ');
}

const SENTENCES: Readonly<Record<ChangeKind, (change: SeenChange) => string>> = {
  port_opened: ({ port, after }) => `Port ${port} opened${inBrackets(wordOf(after, 'service'))}.`,
  port_closed: ({ port, before }) => `Port ${port} closed${inBrackets(wordOf(before, 'service'))}.`,
  service_changed: ({ port, before, after }) => `Port ${port}: ${serviceOf(before)} → ${serviceOf(after)}.`,
  technology_added: ({ port, after }) => `${technologyOf(after)} is new on port ${port}.`,
  technology_removed: ({ port, before }) => `${technologyOf(before)} is no longer on port ${port}.`,
  version_changed: ({ port, before, after }) =>
    `${technologyOf(before)} → ${wordOf(after, 'version')} on port ${port}.`,
  certificate_replaced: (change) => `The certificate on port ${change.port} was replaced; it ends on ${endOf(change)}.`,
  certificate_expires: (change) =>
    `The certificate on port ${change.port} ${hasEnded(change) ? 'ended' : 'ends'} on ${endOf(change)}.`,
  address_changed: addressesText,
  hosting_changed: ({ before, after }) =>
    after === null
      ? `${wordOf(before, 'by')} no longer runs the host.`
      : `The host is run by ${wordOf(after, 'by')}${inBrackets(wordOf(after, 'target'))}.`,
  host_new: ({ address, after }) => `${address} answers${portsOf(after)}.`,
  host_gone: ({ address, before }) => `${address} no longer answers${portsOf(before)}.`,
};

/** What has changed, in words. */
export const changeSentence = (change: SeenChange): string => SENTENCES[change.kind](change);

/** Of one change, and of several. */
export const KIND_NAMES: Readonly<Record<ChangeKind, readonly [string, string]>> = {
  port_opened: ['port opened', 'ports opened'],
  port_closed: ['port closed', 'ports closed'],
  service_changed: ['service changed', 'services changed'],
  technology_added: ['new technology', 'new technologies'],
  technology_removed: ['technology removed', 'technologies removed'],
  version_changed: ['version changed', 'versions changed'],
  certificate_replaced: ['certificate replaced', 'certificates replaced'],
  certificate_expires: ['certificate ends soon', 'certificates end soon'],
  address_changed: ['name with other addresses', 'names with other addresses'],
  hosting_changed: ['host run by someone else', 'hosts run by someone else'],
  host_new: ['host answers', 'hosts answer'],
  host_gone: ['host no longer answers', 'hosts no longer answer'],
};
