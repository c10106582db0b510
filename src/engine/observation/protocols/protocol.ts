/** How a connection continues with TLS after plain messages. */
export interface StartTls {
  /** Whether the server offered TLS in what was heard. */
  readonly isOffered: (heard: readonly Buffer[]) => boolean;
  /** Absent if the handshake follows immediately. */
  readonly command?: Buffer | string;
  readonly isAccepted?: (answer: Buffer) => boolean;
  /** Whether the answers are too short to prove the protocol, so that the handshake must follow the offer. */
  readonly isProof?: boolean;
  /** What is sent over TLS, if the server states something about itself only then. */
  readonly asks?: Buffer;
}

/**
 * A protocol and the harmless hello by which its servers are recognized. A hello contains no credentials and changes nothing.
 * `heard` has one buffer for each turn of the server; the first one is its greeting if it speaks first.
 */
export interface Protocol {
  /** The IANA name, if there is one. */
  readonly service: string;
  /** The IANA name over TLS from the first byte, if there is a separate one. */
  readonly overTls?: string;
  /** The usual ports. They decide what is tried first, never what is recognized. */
  readonly ports: readonly number[];
  /** Whether a greeting may be its own; only for protocols whose servers speak first. */
  readonly greets?: (greeting: Buffer) => boolean;
  /** Occurs in most greetings, or in answers to hellos of other protocols. It decides what is tried first. */
  readonly suggestedBy?: RegExp;
  /** What to send next; null at the end. `nonce` is 8 random bytes for this connection. */
  readonly hello?: (heard: readonly Buffer[], nonce: Buffer) => Buffer | string | null;
  /** Whether an answer to the hello is complete. Without it, an answer is complete when nothing follows for a moment. */
  readonly isWhole?: (answer: Buffer) => boolean;
  /** What the server states about itself, or null if it does not speak this protocol. */
  readonly read: (heard: readonly Buffer[], nonce: Buffer) => readonly string[] | null;
  readonly startTls?: StartTls;
}

/** The bytes as text, one character each. */
export const latin = (bytes: Buffer | undefined): string => bytes?.toString('latin1') ?? '';

/** What was heard in this turn; empty if nothing was. */
export const turn = (heard: readonly Buffer[], at: number): Buffer => heard[at] ?? Buffer.alloc(0);

/** Sends each buffer after this number of buffers was heard. */
export const saying =
  (first: number, ...messages: readonly ((nonce: Buffer) => Buffer | string)[]): NonNullable<Protocol['hello']> =>
  (heard, nonce) =>
    messages[heard.length - first]?.(nonce) ?? null;

/** Characters that a command may contain, from the nonce. */
export const tagOf = (nonce: Buffer): string => `a${nonce.toString('hex')}`;

export const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

/** 0 if the answer is too short. */
export const uint16 = (bytes: Buffer, at: number): number => (bytes.length >= at + 2 ? bytes.readUInt16BE(at) : 0);
export const uint32 = (bytes: Buffer, at: number): number => (bytes.length >= at + 4 ? bytes.readUInt32BE(at) : 0);
const MOST_COMPARED = 200;

/** Whether the bytes match the expression in hexadecimal digits, whose spaces are ignored. */
export const isLike = (bytes: Buffer, expression: string): boolean =>
  new RegExp(`^(?:${expression.replaceAll(' ', '')})`).test(bytes.toString('hex', 0, MOST_COMPARED));
