import { freePort } from '../../src/engine/testing/real-server';
import { BackgroundTasks } from './background-tasks';
import { TwoProcesses } from './behind-gateway';
import { type QueriedDatabase, queryOnce } from './database';
import { DatabaseProxy } from './database-proxy';
import { eventually } from './eventually';
import { HotStandby, type Server } from './hot-standby';
import { scrape, valueOf } from './metrics';

/** How long an API process was away. */
interface Outage {
  readonly from: number;
  to: number;
}

/** Two API and two worker processes, a primary with a synchronous standby, and a read replica. Each of them can fail. */
export class ReplicatedDeployment extends BackgroundTasks {
  readonly servers = new HotStandby();
  readonly outages: Outage[] = [];
  readonly postgres: QueriedDatabase = {
    url: () => this.url,
    query: (text, values) => queryOnce(this.servers.postgres.url(this.servers.leader, 'assay_owner'), text, values),
  };
  private readonly proxies: Readonly<Record<Server, DatabaseProxy>> = {
    primary: this.proxyOf('primary'),
    replica: this.proxyOf('replica'),
    third: this.proxyOf('third'),
  };
  private processes: Record<'api' | 'worker', TwoProcesses> | undefined;
  private ports: readonly number[] = [];
  private metricsPorts: readonly number[] = [];
  private turn = 0;

  /** Requests go to the two processes in turn. */
  readonly api = {
    next: (): string => `http://127.0.0.1:${this.ports[this.turn++ % 2]}`,
    get url(): string {
      return this.next();
    },
  };

  /** Both servers that can be the primary. */
  get url(): string {
    const [one, other] = [this.proxies.primary.url, this.proxies.replica.url].map((url) => new URL(url));
    return `postgres://assay_app@${one?.host},${other?.host}/assay?target_session_attrs=read-write`;
  }

  proxy(server: Server): DatabaseProxy {
    return this.proxies[server];
  }

  async start(): Promise<void> {
    await this.servers.start();
    await this.servers.follow('third');
    await this.servers.replicateSynchronously();
    await Promise.all(Object.values(this.proxies).map((proxy) => proxy.start()));
  }

  async startProcesses(settings: Record<string, string>): Promise<void> {
    this.ports = [await freePort(), await freePort()];
    this.metricsPorts = [await freePort(), await freePort()];
    const common = {
      LOG_LEVEL: 'warn',
      DATABASE_URL: this.url,
      DATABASE_REPLICA_URLS: this.proxies.third.url,
      ...settings,
    };
    const api = (at: 0 | 1): Record<string, string> => ({
      ...common,
      HOST: '127.0.0.1',
      PORT: String(this.ports[at]),
      PORTAL_PORT: 'off',
      METRICS_PORT: String(this.metricsPorts[at]),
    });
    this.processes = {
      api: new TwoProcesses('api', [api(0), api(1)]),
      worker: new TwoProcesses('worker', [common, common]),
    };
    await Promise.all(Object.values(this.processes).map((two) => two.start()));
  }

  async kill(kind: 'api' | 'worker', at: number): Promise<void> {
    const two = this.processes?.[kind];
    const child = two?.running[at]?.child;
    if (child?.exitCode !== null || child.signalCode !== null) throw new Error(`${kind} ${at} has ended by itself`);
    const outage = { from: performance.now(), to: Infinity };
    if (kind === 'api') this.outages.push(outage);
    await two?.restart(at, 'SIGKILL');
    outage.to = performance.now();
  }

  /** The follower becomes the primary, and the others are made again from it. */
  async promote(): Promise<void> {
    const { servers } = this;
    const former = await servers.promote();
    await servers.postgres.stop(former, 'SIGQUIT');
    await servers.follow(former);
    await servers.follow('third');
    await servers.replicateSynchronously();
  }

  /** How many reads each server has answered, since the processes were started. */
  async reads(): Promise<Record<'primary' | 'replica', number>> {
    const scrapes = await Promise.all(this.metricsPorts.map((port) => scrape(`http://127.0.0.1:${port}/metrics`)));
    const of = (server: string): number =>
      scrapes.reduce((sum, one) => sum + valueOf(one, 'assay_database_reads_total', { server }), 0);
    return { primary: of('primary'), replica: of('replica') };
  }

  /** Waits until the replica answers reads again. */
  async untilReplicaReads(read: () => Promise<unknown>): Promise<void> {
    const { replica } = await this.reads();
    await eventually(async () => {
      await read();
      expect((await this.reads()).replica).toBeGreaterThan(replica);
    });
  }

  /** What the last processes have logged as errors; complete when they have ended. */
  get errors(): string {
    const all = Object.values(this.processes ?? {}).flatMap(({ running }) => running);
    const lines = all.flatMap((one) => one.output().split('\n'));
    return lines.filter((line) => line.includes('"level":50') && !line.includes('"status":503')).join('\n');
  }

  /** Returns the exit codes of the processes. */
  async close(): Promise<(number | null)[]> {
    await Promise.allSettled(this.tasks);
    const codes = await Promise.all(Object.values(this.processes ?? {}).map((two) => two.end('SIGTERM')));
    await Promise.all(Object.values(this.proxies).map((proxy) => proxy.disconnect()));
    await this.servers.postgres.remove();
    return codes.flat();
  }

  private proxyOf(server: Server): DatabaseProxy {
    return new DatabaseProxy(() => this.servers.postgres.url(server, 'assay_app'));
  }
}
