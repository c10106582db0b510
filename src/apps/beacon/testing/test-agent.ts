import { AgentLog } from '../agent-log';
import { BeaconAgent, type PrivateNetwork } from '../beacon-agent';
import type { AgentOptions } from '../options';
import { closeAfterTest, until } from './resources';
import { type TestConnection, TestService } from './test-service';
import { toLoopback } from './test-target';

export const TEST_TOKEN = `ab_${'t'.repeat(43)}`;

export type LogLine = Readonly<Record<string, unknown>>;

/** An agent in this process, whose private network is on loopback. */
export class TestAgent {
  readonly lines: LogLine[] = [];
  readonly stopped: Promise<void>;
  private readonly agent: BeaconAgent;

  constructor(options: Partial<AgentOptions> & Pick<AgentOptions, 'url'>, network: PrivateNetwork = {}) {
    const all = {
      credentials: () => ({ id: 7, token: TEST_TOKEN }),
      ca: undefined,
      proxy: undefined,
      allow: undefined,
      warnings: [],
      ...options,
    };
    const log = new AgentLog((line) => this.lines.push(JSON.parse(line) as LogLine), 'json');
    this.agent = new BeaconAgent(all, log, { openSocket: toLoopback, ...network });
    this.stopped = this.agent.run();
    closeAfterTest(() => this.stop());
  }

  stop(): Promise<void> {
    this.agent.stop();
    return this.stopped;
  }

  /** The lines of this event so far. */
  logged(event: string): LogLine[] {
    return this.lines.filter((line) => line['event'] === event);
  }

  /** The first line of this event, as soon as there is one. */
  async log(event: string): Promise<LogLine> {
    await until(() => this.logged(event).length > 0);
    return this.logged(event)[0] ?? {};
  }
}

/** An agent that has connected to the service and received its networks. */
export async function connectedAgent(
  service: TestService,
  options: Partial<AgentOptions> = {},
  network: PrivateNetwork = {},
): Promise<TestConnection & { readonly agent: TestAgent }> {
  const next = service.next();
  const agent = new TestAgent({ url: service.url, ...options }, network);
  const connection = await next;
  await agent.log('configured');
  return { agent, ...connection };
}
