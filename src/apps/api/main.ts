import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { INestApplicationContext } from '@nestjs/common';
import { Relay } from '../../modules/beacons';
import { announceEntries, OrganizationsService } from '../../modules/organizations';
import { EngineRuntime } from '../../modules/retests';
import type { Log } from '../../platform/logging/log';
import { MetricsServer } from '../../platform/metrics/metrics-server';
import { ConnectionDrain, HEALTH_NOTICE_MS, IDLE_NOTICE_MS } from '../../platform/http/connection-drain';
import { trustedProxies } from '../../platform/http/trusted-proxies';
import { createApp } from './create-app';
import { Readiness } from './readiness';
import { type Config, ConfigError } from '../../platform/config/load-config';
import { portalPort } from '../../platform/config/portal-address';
import { runProcess } from '../process';

/** How long running requests may take after the shutdown has begun. */
const drainMs = 10_000;

/** Loading leaves garbage, from whose size V8 computes how far the heap may grow. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  collect();
}

/** The portal has its own listener in this process. */
async function startPortal(
  config: Config,
  log: Log,
  api: INestApplicationContext,
  isGateway: (address: string) => boolean,
) {
  const port = portalPort(config);
  if (port === undefined) return undefined;
  // An API without the portal does not load its code.
  const { createPortal } = await import('../../portal/create-portal.js');
  const portal = await createPortal(config, log, api);
  try {
    await portal.listen(port, config.HOST);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new ConfigError([`port ${port} of the portal is in use: set PORTAL_PORT to another port, or to off`]);
  }
  log.info({ url: await portal.getUrl() }, 'portal listening');
  const server = portal.getHttpServer();
  return { server, drain: new ConnectionDrain(server, isGateway), close: () => portal.close() };
}

runProcess('api', async (config, log) => {
  if (config.AUDIT_HEAD_KEY !== undefined)
    throw new ConfigError([
      'AUDIT_HEAD_KEY must be set for workers only: what the API can sign proves nothing about it',
    ]);
  const app = await createApp(config, log);
  const metricsUrl = await app.get(MetricsServer).start();
  if (metricsUrl !== undefined) log.info({ url: metricsUrl }, 'metrics listening');
  await app.get(EngineRuntime).announceAllowed();
  await announceEntries(app.get(OrganizationsService), 'WEBHOOK_ALLOW', config.WEBHOOK_ALLOW, 'send webhooks to');
  const isGateway = trustedProxies(config.TRUSTED_PROXIES);
  const server = app.getHttpServer();
  const api = { server, drain: new ConnectionDrain(server, isGateway) };
  await app.listen(config.PORT, config.HOST);
  const relay = app.get(Relay);
  await relay.start();
  log.info({ url: await app.getUrl() }, 'API listening');
  const portal = await startPortal(config, log, app, isGateway);
  const listeners = portal === undefined ? [api] : [api, portal];
  collectGarbage();
  return async () => {
    app.get(Readiness).stop();
    // Agents get the reason before their connections are closed.
    const relayStopped = relay.stop();
    const force = setTimeout(() => {
      for (const { server } of listeners) server.closeAllConnections();
    }, drainMs);
    const hasGateways = config.TRUSTED_PROXIES.length > 0;
    if (hasGateways) await delay(HEALTH_NOTICE_MS);
    const closed = listeners.map(({ server }) => once(server, 'close'));
    await Promise.all(listeners.map(({ drain }) => drain.stopListening()));
    for (const { drain } of listeners) drain.begin();
    if (hasGateways) await delay(IDLE_NOTICE_MS);
    for (const { drain } of listeners) drain.closeIdle();
    await relayStopped;
    // Ends the live pages, which would stay open otherwise.
    await portal?.close();
    await Promise.all(closed);
    await app.close();
    clearTimeout(force);
  };
});
