import { readFileSync } from 'node:fs';
import { Pool } from 'pg';
import { type Config, ConfigError } from '../../platform/config/load-config';
import { readEnvFile } from '../../platform/config/env-file';
import { Metrics } from '../../platform/metrics/metrics';
import { MetricsServer } from '../../platform/metrics/metrics-server';
import { runProcess } from '../process';
import { Listener, type ListenerSettings } from './listener';
import { type Call, type CallResult, CALLS_METRIC, type Protocol, Recorder } from './recorder';

const DATABASE_TIMEOUT_MS = 4_000;

readEnvFile();
// The program knows no other database: what its role may not do, it cannot do.
for (const suffix of ['', '_FILE'])
  process.env[`DATABASE_URL${suffix}`] = process.env[`CALLBACK_DATABASE_URL${suffix}`] ?? '';

function settingsOf(config: Config): ListenerSettings {
  const { CALLBACK_DOMAIN: domain, CALLBACK_KEY: key, CALLBACK_ADDRESSES: addresses } = config;
  const { CALLBACK_CERTIFICATE: cert, CALLBACK_CERTIFICATE_KEY: certKey } = config;
  if (domain === undefined || key === undefined || addresses.length === 0)
    throw new ConfigError(['CALLBACK_DOMAIN, CALLBACK_KEY and CALLBACK_ADDRESSES must be set for the listener']);
  const ports = {
    dns: config.CALLBACK_DNS_PORT,
    http: config.CALLBACK_HTTP_PORT,
    https: config.CALLBACK_HTTPS_PORT,
  };
  const certificate =
    cert === undefined || certKey === undefined
      ? null
      : { cert: readFileSync(cert, 'utf8'), key: readFileSync(certKey, 'utf8') };
  return { domain, key: Buffer.from(key, 'base64'), addresses, host: config.CALLBACK_HOST, ports, certificate };
}

runProcess(
  'listener of callbacks',
  async (config, log) => {
    const metrics = new Metrics();
    const counted = metrics.counter(CALLS_METRIC);
    const count = (protocol: Protocol, result: CallResult): void => counted({ protocol, result });
    const pool = new Pool({
      connectionString: config.DATABASE_URL,
      application_name: 'assay callbacks',
      max: 2,
      connectionTimeoutMillis: DATABASE_TIMEOUT_MS,
      query_timeout: DATABASE_TIMEOUT_MS,
    });
    pool.on('error', () => undefined);
    const recorder = new Recorder((call) => record(pool, call), count);
    const settings = settingsOf(config);
    const listener = new Listener(settings, (call) => recorder.add(call), count);
    const server = new MetricsServer(config, metrics);
    const metricsUrl = await server.start();
    if (metricsUrl !== undefined) log.info({ url: metricsUrl }, 'metrics listening');
    log.info({ domain: settings.domain, ports: await listener.start() }, 'listening for callbacks');
    if (settings.certificate === null) log.warn('no HTTPS, because CALLBACK_CERTIFICATE is not set');
    return async () => {
      await listener.stop();
      await server.onApplicationShutdown();
      await pool.end();
    };
  },
  { awaitsDatabase: false },
);

async function record(pool: Pool, { name, protocol, source }: Call): Promise<boolean> {
  const { rows } = await pool.query<{ recorded: boolean }>('SELECT listener.record_callback($1, $2, $3) AS recorded', [
    name,
    protocol,
    source,
  ]);
  return rows[0]?.recorded === true;
}
