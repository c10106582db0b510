import type { TlsOptions } from 'node:tls';
import { Transport, type TransportOptions, type Via } from '../transport/transport';
import { certificate } from './certificate';
import { NameServer } from './name-server';
import { TargetServer } from './target-server';

/** The host name of a test target. */
export const HOST = 'target.test';

/** The User-Agent of the engine when it sends requests as a browser. */
export const BROWSER =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

/** Puts the target into a state. */
export type TargetSetup = (testTarget: TestTarget) => void | Promise<void>;

const CERTIFICATE = certificate({ names: [HOST] });

/**
 * Puts the target into the state of the probe before each exchange. Probes run concurrently, so a probe waits while another probe
 * needs a different state.
 */
class CountingTransport extends Transport {
  private readonly underWay = new Set<Promise<unknown>>();
  private state: TargetSetup | null = null;
  private turn = 0;

  constructor(
    options: TransportOptions,
    private readonly setup: (turn: number) => TargetSetup,
    private readonly testTarget: TestTarget,
  ) {
    super(options);
  }

  override async http(...asked: Parameters<Transport['http']>): ReturnType<Transport['http']> {
    return this.entering(asked[1], () => super.http(...asked));
  }

  override async tls(...asked: Parameters<Transport['tls']>): ReturnType<Transport['tls']> {
    return this.entering(asked[2], () => super.tls(...asked));
  }

  override async tcp(...asked: Parameters<Transport['tcp']>): ReturnType<Transport['tcp']> {
    return this.entering(asked[2], () => super.tcp(...asked));
  }

  override async dns(...asked: Parameters<Transport['dns']>): ReturnType<Transport['dns']> {
    return this.entering(asked[2], () => super.dns(...asked));
  }

  private async entering<T>({ turn = 0 }: Via, exchange: () => Promise<T>): Promise<T> {
    const state = this.setup(turn);
    while (this.underWay.size > 0 && turn !== this.turn && state !== this.state) await Promise.race(this.underWay);
    [this.turn, this.state] = [turn, state];
    const entered = (async () => {
      await state(this.testTarget);
      return exchange();
    })();
    const ended: Promise<unknown> = entered.catch(() => undefined).then(() => this.underWay.delete(ended));
    this.underWay.add(ended);
    return entered;
  }
}

/** A target server, name servers that resolve its name, and transports that may connect to them. */
export class TestTarget {
  private constructor(
    readonly server: TargetServer,
    readonly names: NameServer,
    /** The second name server. It answers like the first one, unless a test gives it its own zone. */
    readonly secondary: NameServer,
  ) {}

  static async open(): Promise<TestTarget> {
    const testTarget = new TestTarget(
      await TargetServer.start(CERTIFICATE),
      await NameServer.start(),
      await NameServer.start(),
    );
    testTarget.clear();
    return testTarget;
  }

  /** Resets it to the state after opening: undisturbed, without connections, and listening. */
  async reset(): Promise<void> {
    await this.server.restart();
    this.server.site = {};
    this.clear();
  }

  /** An undisturbed target with its name and its own certificate. */
  clear(tls: TlsOptions = CERTIFICATE): void {
    this.server.disturb = () => false;
    this.server.balance = null;
    this.server.route = () => null;
    this.server.service = null;
    this.server.showTls(tls);
    this.names.mode = 'answer';
    this.secondary.mode = 'answer';
    this.secondary.primary = this.names;
    this.names.zone = { [HOST]: { A: ['127.0.0.1'], SOA: ['ns1.dns.test hostmaster.dns.test 1'] } };
  }

  /** A transport with this time limit. It puts the target into the state of the current probe before each exchange. */
  transport(exchangeMs: number, setup: (turn: number) => TargetSetup): Transport {
    const options = {
      userAgent: 'engine-tests (security@example.test)',
      browserUserAgent: BROWSER,
      egressAllow: [{ address: '127.0.0.1', port: this.server.port }],
      dnsServers: [this.names.address, this.secondary.address],
      limits: { exchangeMs, perSecond: 10_000, concurrency: 4, bytes: 1_000_000 },
    };
    return new CountingTransport(options, setup, this);
  }

  async close(): Promise<void> {
    await Promise.all([this.server.stop(), this.names.stop(), this.secondary.stop()]);
  }
}

/** One target for all tests in the `describe` block that calls this. It is reset before each test. */
export function sharedTestTarget(): () => TestTarget {
  let opened: TestTarget | null = null;
  const testTarget = (): TestTarget => {
    if (opened === null)
      throw new Error('The test target is not open yet. Call this in a test, not in a describe block.');
    return opened;
  };
  beforeAll(async () => {
    opened = await TestTarget.open();
  });
  afterEach(() => testTarget().reset());
  afterAll(() => testTarget().close());
  return testTarget;
}
