import { ConnectionDrain } from '../../platform/http/connection-drain';
import { createApp } from './create-app';
import { Readiness } from './readiness';
import { runProcess } from '../process';

/** How long a request in flight may take to be answered. */
const drainMs = 10_000;

runProcess('api', async (config, log) => {
  const app = await createApp(config, log);
  const server = app.getHttpServer();
  const drain = new ConnectionDrain(server);
  await app.listen(config.PORT, config.HOST);
  log.info({ url: await app.getUrl() }, 'the API listens');
  return async () => {
    app.get(Readiness).stop();
    drain.begin();
    const force = setTimeout(() => server.closeAllConnections(), drainMs);
    await app.close();
    clearTimeout(force);
  };
});
