import type { Assessment, Exchange, SignedEvidence } from '../../../engine';

/** One probe of a retest, for readers: what was sent, what was received, and what it shows. */
export interface ProbeSummary {
  readonly at: string;
  readonly state: Assessment['observation']['state'];
  readonly detail: string;
  readonly exchanges: readonly ExchangeSummary[];
}

export interface ExchangeSummary {
  readonly request: string;
  readonly response: string;
  readonly address: string | null;
}

/** Repeats that agree with the probes before them are left out; the signed evidence has all probes. */
const isShown = ({ kind, observation }: Assessment): boolean =>
  kind !== 'interleaved' && ((kind !== 'repeat' && kind !== 'variant') || observation.state !== 'not_vulnerable');

export const summarizeProbes = ({ evidence }: SignedEvidence): ProbeSummary[] =>
  evidence.probes.filter(isShown).map(summarizeProbe);

const summarizeProbe = ({ started, observation, exchanges }: Assessment): ProbeSummary => ({
  at: started,
  state: observation.state,
  detail: observation.detail,
  exchanges: exchanges.map(summarizeExchange),
});

/** The bytes of a TLS handshake are not legible: the summary has its target, and what was negotiated. */
export const summarizeExchange = (exchange: Exchange): ExchangeSummary => ({
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
