/** Why a connection to a target could not be opened, or a name not be resolved. */
export const STREAM_FAILURE_CODES = [
  'refused',
  'unreachable',
  'no_route',
  'timeout',
  'unresolved',
  'egress',
  'lost',
] as const;

export type StreamFailureCode = (typeof STREAM_FAILURE_CODES)[number];

export class StreamFailure extends Error {
  constructor(
    readonly code: StreamFailureCode,
    /** A part of a sentence: "the connection was refused". */
    reason: string,
  ) {
    super(reason);
    this.name = 'StreamFailure';
  }
}

const MAX_REASON = 300;

export const failureFields = (error: unknown): { code: StreamFailureCode; reason: string } =>
  error instanceof StreamFailure
    ? { code: error.code, reason: error.message.slice(0, MAX_REASON) }
    : { code: 'unreachable', reason: 'the address cannot be reached' };

/** The failure that the other side reports, whose words are not trusted. */
export function failureFrom({ code, reason }: Readonly<Record<string, unknown>>): StreamFailure {
  const known = STREAM_FAILURE_CODES.find((one) => one === code) ?? 'unreachable';
  const text = typeof reason === 'string' && reason !== '' ? reason : 'the address cannot be reached';
  return new StreamFailure(known, printable(text).slice(0, MAX_REASON));
}

/** Without control characters, which could forge lines in a log. */
export const printable = (text: string): string => text.replace(/\p{Cc}/gu, ' ').toWellFormed();
