/** One call of the listener of this installation. */
export interface Callback {
  readonly host: string;
  readonly protocol: 'dns' | 'http' | 'https';
  readonly source: string;
  readonly called: Date;
}

/** The listener that targets can call, and the names that only one request has. */
export interface Callbacks {
  /** The names of one experiment share a group. */
  newGroup(): string;
  /** A host below the domain of the listener that was never used. */
  newHost(group?: string): string;
  /** What has called these hosts so far, in the order of time. */
  callsOf(hosts: readonly string[]): Promise<readonly Callback[]>;
  /** By the clock that `called` is read from. */
  now(): Date;
  pause(ms: number): Promise<void>;
  /** How long an experiment waits for a first call. */
  readonly patienceMs: number;
  /** Whether it listens for HTTPS too. Otherwise silence shows no fix where a URL acts. */
  readonly hasHttps: boolean;
  /** Whether the target has called it over HTTP in this test. Otherwise nothing says that it can. */
  readonly isReached: boolean;
}

/** A value that makes something call a host. */
export interface CallbackSyntax {
  readonly id: string;
  /** What acts on the value. */
  readonly by: string;
  /** Only a listener with HTTPS sees its calls. */
  readonly isHttps?: boolean;
  fits?(value: string): boolean;
  write(value: string, host: string): string;
  /** Values with the host as text. What acts on `write` does not act on them, but what looks for addresses finds them. */
  readonly controls: readonly ((value: string, host: string) => string)[];
}

/** A syntax that was sent once, with a host of its own. */
export interface Scout {
  readonly syntax: CallbackSyntax;
  readonly host: string;
  readonly sentAt: Date;
}

const POLL_MS = 200;

export const overHttp = ({ protocol }: Callback): boolean => protocol !== 'dns';

/** Waits for a call until a time. Returns all calls so far. */
export async function awaitCall(
  callbacks: Callbacks,
  hosts: readonly string[],
  until: number,
  isCall: (call: Callback) => boolean = overHttp,
): Promise<readonly Callback[]> {
  for (;;) {
    const calls = await callbacks.callsOf(hosts);
    const left = until - callbacks.now().getTime();
    if (calls.some(isCall) || left <= 0) return calls;
    await callbacks.pause(Math.min(POLL_MS, left));
  }
}
