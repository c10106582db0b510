import { setFlagsFromString } from 'node:v8';
import { EngineRuntime } from '../../modules/retests';
import { ConnectionDrain } from '../../platform/http/connection-drain';
import { createApp } from './create-app';
import { Readiness } from './readiness';
import { portalPort } from '../../platform/config/portal-address';
import { createPortal } from '../../portal/create-portal';
import { runProcess } from '../process';

/** How long running requests may take after the shutdown has begun. */
const drainMs = 10_000;

// The old generation may double before a collection. By default V8 lets it grow fourfold, and the memory under load varies by
// a hundred megabytes.
setFlagsFromString('--heap-growing-percent=100');

runProcess('api', async (config, log) => {
  const app = await createApp(config, log);
  await app.get(EngineRuntime).announceAllowed();
  const server = app.getHttpServer();
  const drain = new ConnectionDrain(server);
  await app.listen(config.PORT, config.HOST);
  log.info({ url: await app.getUrl() }, 'API listening');
  const portal = await createPortal(config, log, app);
  const portalDrain = new ConnectionDrain(portal.getHttpServer());
  await portal.listen(portalPort(config), config.HOST);
  log.info({ url: await portal.getUrl() }, 'portal listening');
  return async () => {
    app.get(Readiness).stop();
    drain.begin();
    portalDrain.begin();
    const force = setTimeout(() => {
      server.closeAllConnections();
      portal.getHttpServer().closeAllConnections();
    }, drainMs);
    await portal.close();
    await app.close();
    clearTimeout(force);
  };
});
