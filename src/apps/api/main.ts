import { setFlagsFromString } from 'node:v8';
import { ConnectionDrain } from '../../platform/http/connection-drain';
import { createApp } from './create-app';
import { Readiness } from './readiness';
import { runProcess } from '../process';

/** How long a request in flight may take to be answered. */
const drainMs = 10_000;

// What outlives two collections of the young may double what the process holds before it is collected. Left to itself V8
// lets it grow fourfold, and the memory under load goes up and down by a hundred megabytes.
setFlagsFromString('--heap-growing-percent=100');

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
