/** How a connection continues with TLS after some plain messages. */
export interface StartTls {
  /** Whether the server offered it in what was heard. */
  readonly isOffered: (heard: readonly Buffer[]) => boolean;
  /** Nothing if the handshake comes at once. */
  readonly command?: Buffer | string;
  readonly isAccepted?: (answer: Buffer) => boolean;
  /** Whether the answers are too short to prove the protocol, so that the handshake must follow what was offered. */
  readonly isProof?: boolean;
  /** What is asked over TLS, where the server states something about itself only then. */
  readonly asks?: Buffer;
}

/**
 * A protocol and the harmless hello by which its servers are recognized. A hello has no credentials and changes nothing.
 * `heard` is all that the server said, a buffer for each turn; the first one is its greeting if it speaks first.
 */
export interface Protocol {
  /** As IANA names it, if it does. */
  readonly service: string;
  /** Over TLS from the first byte, where IANA has a name of its own for that. */
  readonly overTls?: string;
  /** Where it usually is. It decides what is tried first, and never what is found. */
  readonly ports: readonly number[];
  /** Whether a greeting may be its own; only for protocols whose servers speak first. */
  readonly greets?: (greeting: Buffer) => boolean;
  /** What occurs in most greetings, or in answers to hellos of other protocols. It decides what is tried first. */
  readonly suggestedBy?: RegExp;
  /** What is said next; null at the end. `nonce` is 8 random bytes for this connection. */
  readonly hello?: (heard: readonly Buffer[], nonce: Buffer) => Buffer | string | null;
  /** Whether an answer to the hello is complete. Without it, an answer is complete when nothing follows for a moment. */
  readonly isWhole?: (answer: Buffer) => boolean;
  /** What it states about itself, or null if it does not speak this protocol. */
  readonly read: (heard: readonly Buffer[], nonce: Buffer) => readonly string[] | null;
  readonly startTls?: StartTls;
}

/** The bytes as text, one character each. */
export const latin = (bytes: Buffer | undefined): string => bytes?.toString('latin1') ?? '';

/** What was heard at this turn; empty if nothing was. */
export const turn = (heard: readonly Buffer[], at: number): Buffer => heard[at] ?? Buffer.alloc(0);

/** What is said at each turn, after so many buffers were heard. */
export const saying =
  (first: number, ...messages: readonly ((nonce: Buffer) => Buffer | string)[]): NonNullable<Protocol['hello']> =>
  (heard, nonce) =>
    messages[heard.length - first]?.(nonce) ?? null;

/** Characters that a command may contain, from the nonce. */
export const tagOf = (nonce: Buffer): string => `a${nonce.toString('hex')}`;

export const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

/** As far as the answer is that long. */
export const uint16 = (bytes: Buffer, at: number): number => (bytes.length >= at + 2 ? bytes.readUInt16BE(at) : 0);
export const uint32 = (bytes: Buffer, at: number): number => (bytes.length >= at + 4 ? bytes.readUInt32BE(at) : 0);
const MOST_COMPARED = 200;

/** Whether the bytes begin like the expression of their hexadecimal digits, in which blanks do not count. */
export const isLike = (bytes: Buffer, expression: string): boolean =>
  new RegExp(`^(?:${expression.replaceAll(' ', '')})`).test(bytes.toString('hex', 0, MOST_COMPARED));
