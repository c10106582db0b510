/** The chance that independent requests all miss the servers that are still vulnerable: (1 - k/n)^m. */
export const missChance = (vulnerable: number, servers: number, requests: number): number =>
  (1 - vulnerable / servers) ** requests;

const percent = (chance: number): string =>
  chance < 0.0001 ? 'less than 0.01 %' : `${Number((chance * 100).toPrecision(2))} %`;

/** What was done to rule the weakness out, and what that leaves open. */
export function residualRisk(requests: number, addresses: number, sendsAll = false): string {
  const where = addresses > 1 ? `to each of ${addresses} addresses` : 'to one address';
  const [half, tenth] = [missChance(1, 2, requests), missChance(1, 10, requests)].map(percent);
  return (
    `${sendsAll ? 'The requests of the check were' : 'The decisive request was'} sent ${requests} times ${where}, each time on a new connection. ` +
    `Remaining risk: one vulnerable server of two behind an address is missed with a chance of ${half}, one of ten with ${tenth}; ` +
    'a load balancer that chooses by client address shows the same server every time.'
  );
}

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
