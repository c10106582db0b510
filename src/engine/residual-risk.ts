import type { Assessment } from './assess';

/** The probability that independent requests all miss the servers that are still vulnerable: (1 - k/n)^m. */
export const missChance = (vulnerable: number, servers: number, requests: number): number =>
  (1 - vulnerable / servers) ** requests;

const percent = (chance: number): string =>
  chance < 0.0001 ? 'less than 0.01 %' : `${Number((chance * 100).toPrecision(2))} %`;

const addressesText = (addresses: number): string =>
  addresses > 1 ? `to each of ${addresses} addresses` : 'to one address';

function remainingRisk(requests: number): string {
  const [half, tenth] = [missChance(1, 2, requests), missChance(1, 10, requests)].map(percent);
  return (
    `Remaining risk: one vulnerable server of two behind an address is missed with a chance of ${half}, one of ten with ${tenth}; ` +
    'a load balancer that chooses by client address shows the same server every time.'
  );
}

/** How the weakness was ruled out, and the remaining risk. */
export const residualRisk = (requests: number, addresses: number, sendsAll = false): string =>
  `${sendsAll ? 'The requests of the check were' : 'The decisive request was'} sent ${requests} times ${addressesText(addresses)}, ` +
  `each time on a new connection. ${remainingRisk(requests)}`;

/** A separate server may answer HTTP/3, which the engine does not speak. */
export function untestedHttp3(probes: readonly Assessment[]): string {
  const offers = probes
    .flatMap(({ exchanges }) => exchanges)
    .some(({ received }) => /^alt-svc:[^\r\n]*\bh3(?:-\d\d)?=/im.test(received.split('\r\n\r\n', 1)[0] ?? ''));
  return offers ? ' HTTP/3, which Alt-Svc offers, was not tested.' : '';
}

const LONGEST_LIST = 12;

/** The same if several requests may be decisive, with how often each was sent. */
export function repeatedRisk(sent: readonly (readonly [request: string, times: number])[], addresses: number): string {
  const counts = [...new Set(sent.map(([, times]) => times))].sort((one, other) => other - one);
  const groups = counts.map(
    (count) => `${listed(sent.flatMap(([request, times]) => (times === count ? request : [])))} ${count} times`,
  );
  const [most = 0] = counts;
  const where = counts.length > 1 ? ' The risk of the others is higher.' : '';
  return `Sent ${addressesText(addresses)}, each time on a new connection: ${groups.join('; ')}. ${remainingRisk(most)}${where}`;
}

const listed = (requests: readonly string[]): string =>
  requests.length > LONGEST_LIST
    ? `${requests.slice(0, LONGEST_LIST).join(', ')} and ${requests.length - LONGEST_LIST} more`
    : requests.join(', ');

interface QueriedZone {
  readonly queried: ReadonlySet<string>;
  readonly skipped: ReadonlySet<string>;
  readonly unreachable: ReadonlySet<string>;
  readonly withoutAuthority: ReadonlySet<string>;
  readonly withoutParent: ReadonlySet<string>;
}

/** Which name servers were asked to rule the weakness out, and which were not. */
export function zoneRisk({ queried, ...left }: QueriedZone, times: number): string {
  const each = queried.size === 1 ? 'one name server' : `each of ${queried.size} name servers`;
  const sentences = [
    ['Not queried, because their addresses are not public', left.skipped],
    ['Not queried, because this machine does not reach them', left.unreachable],
    [
      'Not counted, because only the parent zone names them, and they do not answer with authority',
      left.withoutAuthority,
    ],
    ['The parent zone was not asked for further name servers', left.withoutParent],
  ] as const;
  return [
    `Queried ${each} of the zone (${[...queried].join(', ')}), ${times} times.`,
    ...sentences.filter(([, names]) => names.size > 0).map(([what, names]) => `${what}: ${[...names].join(', ')}.`),
    'Remaining risk: several machines behind one of these addresses that answer differently.',
  ].join(' ');
}
