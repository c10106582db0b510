/** A place in a trace, in the sense of W3C Trace Context. */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits: the span that the next ones are children of. */
  readonly spanId: string;
  readonly sampled: boolean;
  /** What other tracing systems added, passed on as it is. */
  readonly state?: string;
}

/** Version 00 has exactly these fields. Later versions may add more. */
const TRACEPARENT =
  /^(?!ff)(?<version>[0-9a-f]{2})-(?!0{32})(?<traceId>[0-9a-f]{32})-(?!0{16})(?<spanId>[0-9a-f]{16})-(?<flags>[0-9a-f]{2})(?<more>-.*)?$/;

const MAX_TRACEPARENT = 256;
const MAX_STATE = 512;
const MAX_STATE_MEMBERS = 32;
const STATE_MEMBER = /^[a-z0-9][a-z0-9_\-*/]{0,255}(@[a-z][a-z0-9_\-*/]{0,13})?=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{1,256}$/;
const SAMPLED = 1;

/** Undefined if `traceparent` is missing or not valid. A `tracestate` that is not valid is dropped alone. */
export function parseTraceContext(
  traceparent: string | string[] | null | undefined,
  tracestate?: string | string[] | null,
): TraceContext | undefined {
  if (typeof traceparent !== 'string' || traceparent.length > MAX_TRACEPARENT) return undefined;
  const { version, traceId, spanId, flags, more } = TRACEPARENT.exec(traceparent)?.groups ?? {};
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  if (version === '00' && more !== undefined) return undefined;
  const sampled = (Number.parseInt(flags, 16) & SAMPLED) !== 0;
  return { traceId, spanId, sampled, state: parseState(tracestate) };
}

export const traceparentOf = ({ traceId, spanId, sampled }: TraceContext): string =>
  `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;

function parseState(text: string | string[] | null | undefined): string | undefined {
  if (typeof text !== 'string' || text.length > MAX_STATE) return undefined;
  const members = text
    .split(',')
    .map((member) => member.trim())
    .filter((member) => member !== '');
  const isValid = members.length <= MAX_STATE_MEMBERS && members.every((member) => STATE_MEMBER.test(member));
  return isValid && members.length > 0 ? members.join(',') : undefined;
}
