import { createApp } from './create-app';
import { Readiness } from './readiness';
import { runProcess } from '../process';

/** How long a balancer may need to see that this process is not ready any more, and in-flight requests to end. */
const drainMs = 10_000;

runProcess('api', async (config, log) => {
  const app = await createApp(config, log);
  await app.listen(config.PORT, config.HOST);
  log.info({ url: await app.getUrl() }, 'the API listens');
  return async () => {
    app.get(Readiness).stop();
    const server = app.getHttpServer() as import('node:http').Server;
    const force = setTimeout(() => server.closeAllConnections(), drainMs);
    // Answers from now on say that the connection ends with them, so that kept-alive clients go elsewhere.
    server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
    await app.close();
    clearTimeout(force);
  };
});
