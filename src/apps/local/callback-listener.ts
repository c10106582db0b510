import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import type { Services } from './services';
import type { StartOutput } from './start-output';

const ROLE = 'assay_callbacks';

/** The listener of callbacks, if CALLBACK_DOMAIN is set. */
export class CallbackListener {
  constructor(
    private readonly program: string,
    private readonly environment: NodeJS.ProcessEnv,
    private readonly services: Services,
    private readonly output: StartOutput,
  ) {}

  private get isOn(): boolean {
    return Boolean(this.environment['CALLBACK_DOMAIN']);
  }

  /** Its role in the embedded database gets a new password at each start. `url` is that of the superuser. */
  async roleUrl(url: string): Promise<string | undefined> {
    if (!this.isOn) return undefined;
    const password = randomBytes(24).toString('hex');
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      const { rowCount } = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [ROLE]);
      await client.query(`${rowCount === 0 ? 'CREATE' : 'ALTER'} ROLE ${ROLE} LOGIN PASSWORD '${password}'`);
    } finally {
      await client.end();
    }
    const [, rest = ''] = url.split('@', 2);
    return `postgres://${ROLE}:${password}@${rest}`;
  }

  async start(environment: NodeJS.ProcessEnv, url: string | undefined): Promise<void> {
    if (!this.isOn) return;
    this.output.step('Starting the listener of callbacks');
    const settings = { ...environment, METRICS_PORT: 'off', ...(url !== undefined && { CALLBACK_DATABASE_URL: url }) };
    const service = this.services.launch('listener', this.program, settings);
    await this.services.requireReady(service);
    void this.services.restartOnExit(service);
  }
}
