import type { Assessment } from './assess';
import type { Exchange } from './transport/exchange';

const HEAD_END = '\r\n\r\n';

/** Keeps only the head; the body is in an earlier exchange with the same digest. */
function withoutBody(exchange: Exchange): Exchange {
  const end = exchange.received.indexOf(HEAD_END);
  return end < 0 ? exchange : { ...exchange, received: exchange.received.slice(0, end + HEAD_END.length) };
}

/** Keeps the same body only once: with every repeat, evidence would be many times as large. */
export function deduplicateBodies(probes: readonly Assessment[]): Assessment[] {
  const kept = new Map<string, Exchange>();
  const condense = (exchange: Exchange): Exchange => {
    if (exchange.kind !== 'http' || exchange.sha256 === null) return exchange;
    const first = kept.get(exchange.sha256) ?? exchange;
    kept.set(exchange.sha256, first);
    return first === exchange ? exchange : withoutBody(exchange);
  };
  return probes.map((probe) => ({ ...probe, exchanges: probe.exchanges.map(condense) }));
}
