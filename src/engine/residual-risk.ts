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

/** Which name servers were asked to rule the weakness out, and which were not. */
export function zoneRisk(asked: readonly string[], leftOut: readonly string[]): string {
  const left = leftOut.length > 0 ? ` Not queried, because their addresses are not public: ${leftOut.join(', ')}.` : '';
  return (
    `Queried ${asked.length === 1 ? 'one name server' : `each of ${asked.length} name servers`} of the zone (${asked.join(', ')}).${left} ` +
    'Remaining risk: several machines behind one of these addresses that answer differently.'
  );
}
