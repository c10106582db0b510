import { PROTOCOLS } from './protocols';
import type { Protocol } from './protocols/protocol';

const WEB_PORTS: ReadonlySet<number> = new Set([
  80, 81, 2375, 2379, 3000, 5000, 5601, 5984, 8000, 8001, 8008, 8080, 8081, 8086, 8088, 8500, 8888, 9000, 9090, 9200,
]);
const TLS_PORTS: ReadonlySet<number> = new Set([
  443, 465, 563, 636, 853, 990, 992, 993, 995, 2376, 3269, 4443, 5671, 6443, 8006, 8443, 8834, 8883, 10_250,
]);

/** The protocols that a server may speak. */
export type Candidate = Protocol | 'tls' | 'http';

export const usuallyAt = (candidate: Candidate, port: number): boolean =>
  candidate === 'tls'
    ? TLS_PORTS.has(port)
    : candidate === 'http'
      ? WEB_PORTS.has(port)
      : candidate.ports.includes(port);

/** Whether servers that speak first usually listen on this port. Only some of Redis do. */
export const isForGreetings = (port: number): boolean =>
  PROTOCOLS.some((one) => one.greets !== undefined && one.service !== 'redis' && usuallyAt(one, port));

/** The protocols in which the client speaks first, those usual at this port first. */
export function candidatesAt(port: number, below: readonly Candidate[]): Candidate[] {
  const silent = PROTOCOLS.filter(({ greets, hello }) => greets === undefined && hello !== undefined);
  const redis = PROTOCOLS.filter(({ service }) => service === 'redis');
  const all: Candidate[] = [...below, 'http', ...redis, ...silent];
  return [...all.filter((one) => usuallyAt(one, port)), ...all.filter((one) => !usuallyAt(one, port))];
}
