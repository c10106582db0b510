import { setFlagsFromString } from 'node:v8';
import type { INestApplicationContext } from '@nestjs/common';
import { Relay } from '../../modules/beacons';
import { EngineRuntime } from '../../modules/retests';
import type { Log } from '../../platform/logging/log';
import { MetricsServer } from '../../platform/metrics/metrics-server';
import { ConnectionDrain } from '../../platform/http/connection-drain';
import { createApp } from './create-app';
import { Readiness } from './readiness';
import { type Config, ConfigError } from '../../platform/config/load-config';
import { portalPort } from '../../platform/config/portal-address';
import { createPortal } from '../../portal/create-portal';
import { runProcess } from '../process';

/** How long running requests may take after the shutdown has begun. */
const drainMs = 10_000;

// The old generation may double before a collection. By default V8 lets it grow fourfold, and the memory under load varies by
// a hundred megabytes.
setFlagsFromString('--heap-growing-percent=100');

/** The portal has its own listener in this process. */
async function startPortal(config: Config, log: Log, api: INestApplicationContext) {
  const port = portalPort(config);
  if (port === undefined) return undefined;
  const portal = await createPortal(config, log, api);
  try {
    await portal.listen(port, config.HOST);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new ConfigError([`port ${port} of the portal is in use: set PORTAL_PORT to another port, or to off`]);
  }
  log.info({ url: await portal.getUrl() }, 'portal listening');
  const server = portal.getHttpServer();
  const drain = new ConnectionDrain(server);
  return { begin: () => drain.begin(), force: () => server.closeAllConnections(), close: () => portal.close() };
}

runProcess('api', async (config, log) => {
  const app = await createApp(config, log);
  const metricsUrl = await app.get(MetricsServer).start();
  if (metricsUrl !== undefined) log.info({ url: metricsUrl }, 'metrics listening');
  await app.get(EngineRuntime).announceAllowed();
  const server = app.getHttpServer();
  const drain = new ConnectionDrain(server);
  await app.listen(config.PORT, config.HOST);
  const relay = app.get(Relay);
  await relay.start();
  log.info({ url: await app.getUrl() }, 'API listening');
  const portal = await startPortal(config, log, app);
  return async () => {
    app.get(Readiness).stop();
    // Agents are told why, before their connections are closed.
    const relayStopped = relay.stop();
    drain.begin();
    portal?.begin();
    const force = setTimeout(() => {
      server.closeAllConnections();
      portal?.force();
    }, drainMs);
    await relayStopped;
    await portal?.close();
    await app.close();
    clearTimeout(force);
  };
});
