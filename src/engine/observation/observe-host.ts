import { PACE_OF_NETWORK, type Paces } from '../transport/limits';
import type { Transport, Via } from '../transport/transport';
import { dialPort, type Dialled } from './dial-port';
import type { HostSeen, PortSeen, Statement, TechnologySeen } from './host-seen';
import { PortLook, type WebPort } from './port-look';
import { isSilentPort, mayAskPage } from './ports';
import { technologiesOf } from './technologies/technologies-of';
import type { TechnologyTemplate } from './technologies/technology-template';
import { DEFAULT_WAITS, type Waits } from './waits';

export interface HostToObserve {
  /** The tested name, or the address. */
  readonly host: string;
  /** The one address to look at. */
  readonly address: string;
  /** The ports in the order in which they are tried. */
  readonly ports: readonly number[];
  /** The port of a URL. If it is a printer port, only the page is requested. */
  readonly url?: WebPort | null;
}

export interface ObservationOptions {
  /** Loaded templates, in addition to our own table. */
  readonly templates?: readonly TechnologyTemplate[];
  readonly paces?: Paces;
  readonly connectMs?: number;
  /** The connect timeout for searching a block. */
  readonly searchMs?: number;
  readonly waits?: Waits;
}

export const OBSERVATION_PACES: Paces = { host: { perSecond: 10, concurrency: 8 }, shared: PACE_OF_NETWORK };
const CONNECT_MS = 3_000;

/** After this many consecutive ports without an answer, a port that answered before is tried again; then after twice as many. */
const SILENT_IN_A_ROW = 8;
/** If a host has not answered on this many ports, the others are not tried. */
const SILENT_FROM_THE_START = 100;
const DIALS_OF_A_LOST_HOST = 2;
/** Some firewalls accept connections on every port. After this many mute ports, fewer protocols are tried on the others. */
const MOST_MUTE_PORTS = 5;

const STOPPED_ANSWERING = 'the host stopped answering';
const NEVER_ANSWERED = `the host answered on none of the first ${SILENT_FROM_THE_START} ports`;

/** Looks at one address. Ports that may not be dialled are left out. */
class HostLook {
  private readonly seen = new Map<number, PortSeen>();
  /** Ports without an answer since the last answer. */
  private silent: number[] = [];
  private nextControl = SILENT_IN_A_ROW;
  private answeringPort: number | null = null;
  private checked: Promise<void> = Promise.resolve();
  private mute = 0;
  private stopped: string | null = null;
  private refusal: string | null = null;

  constructor(
    private readonly transport: Transport,
    private readonly target: HostToObserve,
    private readonly via: Via,
    private readonly options: ObservationOptions,
  ) {
    const { paces = OBSERVATION_PACES, connectMs = CONNECT_MS } = options;
    this.via = { ...via, address: target.address, pace: paces, connectMs };
  }

  async run(): Promise<HostSeen> {
    const waiting = [...new Set(this.target.ports)].values();
    const { concurrency } = this.via.pace?.host ?? OBSERVATION_PACES.host;
    await Promise.all(Array.from({ length: concurrency }, () => this.lookAtEach(waiting)));
    if (this.stopped === STOPPED_ANSWERING) for (const port of this.silent) this.seen.delete(port);
    const ports = [...this.seen.values()].sort((a, b) => a.port - b.port);
    return { address: this.target.address, ports, stopped: this.stopped ?? (ports.length === 0 ? this.refusal : null) };
  }

  private async lookAtEach(ports: Iterator<number>): Promise<void> {
    for (let next = ports.next(); next.done !== true && this.stopped === null; next = ports.next())
      await this.lookAt(next.value);
  }

  private async lookAt(port: number): Promise<void> {
    const { host, url } = this.target;
    const { waits = DEFAULT_WAITS } = this.options;
    const isBrief = this.mute >= MOST_MUTE_PORTS;
    const page = isSilentPort(port) && url?.port === port && mayAskPage(port) ? url : null;
    const isSilent = isSilentPort(port) && page === null;
    const look = new PortLook({ host, port }, this.transport.identityOf(this.via, false), waits, isBrief, page);
    const dialled = await this.dial(port, isSilent ? null : look);
    if ('refusal' in dialled) {
      this.refusal ??= dialled.refusal;
      return;
    }
    const { state } = dialled;
    this.seen.set(port, { port, state, service: null, security: null, certificate: null, technologies: [] });
    if (state === 'filtered') return this.noteSilence(port);
    this.noteAnswer(port);
    if (state === 'closed' || isSilent) return;
    await this.identify(port, look);
    if (look.isMute) this.mute += 1;
    this.seen.set(port, { port, state, ...look.seen, technologies: await this.technologiesIn(look.statements) });
  }

  private async technologiesIn(statements: readonly Statement[]): Promise<TechnologySeen[]> {
    const seen = technologiesOf(statements);
    for (const template of this.options.templates ?? []) {
      const one = await template.seenIn(statements);
      if (one !== null && !seen.some(({ name }) => name.toLowerCase() === one.name.toLowerCase())) seen.push(one);
    }
    return seen;
  }

  /** Opens further connections until the port is identified or accepts no more. */
  private async identify(port: number, look: PortLook): Promise<void> {
    while (!look.isDone && this.stopped === null) {
      const dialled = await this.dial(port, look);
      if ('refusal' in dialled || dialled.state === 'closed') return;
      if (dialled.state === 'open') continue;
      await this.checkHost();
      return;
    }
  }

  private dial(port: number, look: PortLook | null): Promise<Dialled> {
    return dialPort(this.transport, { host: this.target.host, port }, this.via, look);
  }

  private noteAnswer(port: number): void {
    this.answeringPort ??= port;
    this.silent = [];
    this.nextControl = SILENT_IN_A_ROW;
  }

  private async noteSilence(port: number): Promise<void> {
    this.silent.push(port);
    if (this.answeringPort === null) {
      if (this.silent.length >= SILENT_FROM_THE_START) this.stopped ??= NEVER_ANSWERED;
    } else if (this.silent.length >= this.nextControl) {
      this.nextControl *= 2;
      await this.checkHost();
    }
  }

  /** Whether a port that answered before still answers. Only one check runs at a time. */
  private checkHost(): Promise<void> {
    this.checked = this.checked.then(async () => {
      const port = this.answeringPort;
      if (port === null || this.stopped !== null) return;
      for (let attempt = 0; attempt < DIALS_OF_A_LOST_HOST; attempt += 1) {
        const dialled = await this.dial(port, null);
        if ('refusal' in dialled || dialled.state !== 'filtered') return;
      }
      this.stopped = STOPPED_ANSWERING;
    });
    return this.checked;
  }
}

/** The ports of an address, their services, and what these state about themselves. */
export function observeHost(
  transport: Transport,
  target: HostToObserve,
  via: Via,
  options: ObservationOptions = {},
): Promise<HostSeen> {
  return new HostLook(transport, target, via, options).run();
}
