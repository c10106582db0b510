import type { Assessment, Exchange } from '../../../engine';

/** One request of a probe and its answer, each in one line. */
export interface RequestLine {
  readonly request: string;
  readonly answer: string;
  readonly address: string | null;
}

/** A probe that has ended, with the control beside it. */
export interface ProbeProgress {
  readonly kind: 'probe' | 'control';
  readonly state: Assessment['observation']['state'];
  readonly detail: string;
  /** The request for the control; null if the probe failed before it. */
  readonly control: RequestLine | null;
  readonly controlFailure: string | null;
  /** The request of the check; null if there is none besides the control. */
  readonly check: RequestLine | null;
}

/** What a worker shows of a retest while it runs. */
export interface RetestProgress {
  readonly probes: readonly ProbeProgress[];
  /** The decisive request was sent so many times more, on new connections. */
  readonly repeats: number;
  readonly requests: number;
  /** What it waits for; absent while it tests. */
  readonly waiting?: string;
}

const MAX_PROBES = 20;
const MAX_LINE = 160;

/** Follows a verification. */
export class RetestProgressLog {
  private readonly probes: ProbeProgress[] = [];
  private repeats = 0;
  private requests = 0;
  private waiting: string | null = null;

  get progress(): RetestProgress {
    const { probes, repeats, requests, waiting } = this;
    return { probes: [...probes], repeats, requests, ...(waiting !== null && { waiting }) };
  }

  /** For its turn of an account; null when it goes on. */
  waits(reason: string | null): void {
    this.waiting = reason;
  }

  add({ kind, observation, controlFailure, exchanges }: Assessment): void {
    this.requests += exchanges.length;
    if (kind === 'repeat') this.repeats += 1;
    if (kind === 'interleaved' || kind === 'variant' || kind === 'repeat' || this.probes.length === MAX_PROBES) return;
    const [control, check] = exchanges;
    this.probes.push({
      kind,
      state: observation.state,
      detail: observation.detail.slice(0, MAX_LINE),
      control: control === undefined ? null : lineOf(control),
      controlFailure: controlFailure?.slice(0, MAX_LINE) ?? null,
      check: check === undefined ? null : lineOf(check),
    });
  }
}

const firstLine = (message: string): string => message.slice(0, message.search(/\r?\n|$/));

/** GET /.git/HEAD and 404 Not Found. */
function lineOf({ kind, to, sent, received, failure, tls, address }: Exchange): RequestLine {
  const request = kind === 'http' ? firstLine(sent).replace(/ HTTP\/[\d.]+$/, '') : `${kind.toUpperCase()} ${to}`;
  const answered = kind === 'http' ? firstLine(received).replace(/^HTTP\/[\d.]+ /, '') : (tls?.protocol ?? 'answered');
  return { request: request.slice(0, MAX_LINE), answer: (failure?.reason ?? answered).slice(0, MAX_LINE), address };
}
