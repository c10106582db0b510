import { freePort } from '../../src/engine/testing/real-server';
import { type DocumentedGateway, type GatewayName, startDocumentedGateway } from './gateways';
import { launchProcess, type RunningProcess } from './processes';

/**
 * Set by `test/long/through-gateways.spec.ts`: the requests of the end-to-end specs pass this gateway, to two API processes on the
 * database of the spec, and two worker processes take the work. The application in the process of the spec only creates test data.
 */
export const gatewayOfRun = process.env['ASSAY_TEST_GATEWAY'] as GatewayName | undefined;

/** Two processes of a kind, each of which can be restarted. */
export class TwoProcesses {
  readonly running: RunningProcess[] = [];

  constructor(
    private readonly name: 'api' | 'worker',
    private readonly settings: readonly [Record<string, string>, Record<string, string>],
  ) {}

  async start(): Promise<void> {
    try {
      await Promise.all(this.settings.map((_settings, at) => this.launch(at)));
    } catch (error) {
      await this.end('SIGKILL');
      throw error;
    }
  }

  /** Returns the exit code of the process that was stopped. Resolves when the new one is ready. */
  async restart(at: number, signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<number | null> {
    this.running[at]?.kill(signal);
    const code = await this.running[at]?.exited;
    await this.launch(at);
    return code ?? null;
  }

  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<(number | null)[]> {
    for (const running of this.running) running.kill(signal);
    return Promise.all(this.running.map(({ exited }) => exited));
  }

  private async launch(at: number): Promise<void> {
    await launchProcess(this.name, this.settings[at] ?? {}, (begun) => (this.running[at] = begun));
  }
}

export interface ApisBehindGateway {
  readonly apis: TwoProcesses;
  readonly gateway: DocumentedGateway;
  stop(): Promise<void>;
}

/** Two API processes behind a gateway, with the same ports at two addresses, as two machines have them. */
export async function startTwoBehind(
  name: GatewayName,
  settings: Record<string, string>,
  environments: readonly [Record<string, string>, Record<string, string>] = [{}, {}],
): Promise<ApisBehindGateway> {
  const [api, portal] = [await freePort(), await freePort()];
  const hosts = ['127.0.0.1', '127.0.0.2'] as const;
  const common = { TRUSTED_PROXIES: '127.0.0.1', ...settings, PORT: String(api), PORTAL_PORT: String(portal) };
  const apis = new TwoProcesses('api', [
    { ...common, HOST: hosts[0], ...environments[0] },
    { ...common, HOST: hosts[1], ...environments[1] },
  ]);
  await apis.start();
  try {
    const gateway = await startDocumentedGateway(name, {
      api: [`${hosts[0]}:${api}`, `${hosts[1]}:${api}`],
      portal: [`${hosts[0]}:${portal}`, `${hosts[1]}:${portal}`],
    });
    return {
      apis,
      gateway,
      stop: async () => {
        await gateway.stop();
        await apis.end('SIGKILL');
      },
    };
  } catch (error) {
    await apis.end('SIGKILL');
    throw error;
  }
}
