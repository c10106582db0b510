import type { Assessment, Exchange, SignedEvidence } from '../../../engine';

/** One look of a retest, for readers: what was asked, what came back, and what that shows. */
export interface ProbeAccount {
  readonly at: string;
  readonly state: 'vulnerable' | 'not_vulnerable' | 'inconclusive';
  readonly detail: string;
  readonly exchanges: readonly ExchangeAccount[];
}

export interface ExchangeAccount {
  readonly request: string;
  readonly response: string;
  readonly address: string | null;
}

/** Repeats that agree with the probes before them say nothing new; the signed evidence has them all. */
const saysSomethingNew = ({ kind, observation }: Assessment): boolean =>
  kind !== 'spacer' && (kind !== 'repeat' || observation.state !== 'not_vulnerable');

export const probesOf = ({ evidence }: SignedEvidence): ProbeAccount[] =>
  evidence.probes.filter(saysSomethingNew).map(probeOf);

const probeOf = ({ started, observation, exchanges }: Assessment): ProbeAccount => ({
  at: started,
  state: observation.state,
  detail: observation.detail,
  exchanges: exchanges.map(exchangeOf),
});

/** Of a handshake nothing legible is sent or received: what it is about, and what was agreed on, is said instead. */
const exchangeOf = (exchange: Exchange): ExchangeAccount => ({
  request: exchange.sent === '' ? `${exchange.kind.toUpperCase()} ${exchange.to}` : exchange.sent,
  response: [exchange.received, ...tlsLines(exchange), ...failureLines(exchange)].filter(Boolean).join('\n'),
  address: exchange.address,
});

function tlsLines({ kind, tls }: Exchange): string[] {
  if (kind !== 'tls' || tls === null) return [];
  const { protocol, cipher, trusted, problem, certificate } = tls;
  const facts = certificate && [
    `Certificate: ${certificate.subject}, from ${certificate.issuer}`,
    `Valid: ${certificate.from} to ${certificate.until}`,
    `SHA-256: ${certificate.sha256}`,
  ];
  return [`${protocol}, ${cipher}`, trusted ? 'Trusted' : `Not trusted: ${problem ?? 'unknown'}`, ...(facts ?? [])];
}

const failureLines = ({ failure }: Exchange): string[] => (failure === null ? [] : [`(${failure.reason})`]);
