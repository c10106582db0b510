import type { Assessment } from './assess';
import type { Exchange } from './transport/exchange';

const HEAD_END = '\r\n\r\n';

/** The head alone; the body is in an earlier exchange, which has the same digest. */
function withoutBody(exchange: Exchange): Exchange {
  const end = exchange.received.indexOf(HEAD_END);
  return end < 0 ? exchange : { ...exchange, received: exchange.received.slice(0, end + HEAD_END.length) };
}

/** The same body is kept once, however often it was received: repeats would make evidence many times as large. */
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
