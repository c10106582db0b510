import type { TlsOptions } from 'node:tls';
import { Transport, type TransportOptions, type Via } from '../transport/transport';
import { certificate } from './certificate';
import { NameServer } from './name-server';
import { TargetServer } from './target-server';

/** The name under which a target on a stage is known. */
export const HOST = 'target.test';

/** What the engine says of itself when it asks as a browser. */
export const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) Test/1.0';

/** Sets the stage to a state of the target. */
export type TargetSetup = (testTarget: TestTarget) => void | Promise<void>;

const CERTIFICATE = certificate({ names: [HOST] });

/** Tells which probe is being made, before anything is sent: scenes change with it. */
class CountingTransport extends Transport {
  constructor(
    options: TransportOptions,
    private readonly enter: (turn: number) => Promise<void>,
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
    await this.enter(turn);
    return exchange();
  }
}

/** A target server, a name server that leads to it, and transports that may reach them. */
export class TestTarget {
  private constructor(
    readonly server: TargetServer,
    readonly names: NameServer,
    /** Relied on as well; it answers as the first one does, unless it is given a zone of its own. */
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

  /** As if newly opened: undisturbed, without connections, and listening. */
  async reset(): Promise<void> {
    await this.server.restart();
    this.server.site = {};
    this.clear();
  }

  /** An undisturbed target that is known by its name and shows its own certificate. */
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

  /** A transport whose exchanges are long or short; the scene of its probe is set before each. */
  transport(exchangeMs: number, setup: (turn: number) => TargetSetup): Transport {
    const options = {
      userAgent: 'engine-tests (security@example.test)',
      browserUserAgent: BROWSER,
      egressAllow: [{ address: '127.0.0.1', port: this.server.port }],
      dnsServers: [this.names.address, this.secondary.address],
      limits: { exchangeMs, perSecond: 10_000, concurrency: 4, bytes: 1_000_000 },
    };
    return new CountingTransport(options, async (turn) => setup(turn)(this));
  }

  async close(): Promise<void> {
    await Promise.all([this.server.stop(), this.names.stop(), this.secondary.stop()]);
  }
}

/** One target for all tests of the `describe` block in which this is called; each of them finds it reset. */
export function sharedTestTarget(): () => TestTarget {
  let opened: TestTarget | null = null;
  const testTarget = (): TestTarget => {
    if (opened === null) throw new Error('the test target is open while the tests run, and not before');
    return opened;
  };
  beforeAll(async () => {
    opened = await TestTarget.open();
  });
  afterEach(() => testTarget().reset());
  afterAll(() => testTarget().close());
  return testTarget;
}
