import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { chooseDemoTargetAddress } from './demo-target-address';

const taken: Server[] = [];

async function take(port = 0): Promise<number> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  taken.push(server);
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

/** A free port, with free ones behind it, that other tests at the same time do not choose either. */
const base = 21_000 + (process.pid % 8_000);

afterEach(async () => {
  for (const server of taken.splice(0)) {
    server.close();
    await once(server, 'close');
  }
});

describe('the place of the demo target', () => {
  it('is beside the API, on loopback, and spelled as everybody needs it', async () => {
    const port = base + 100;
    expect(await chooseDemoTargetAddress(base, undefined, null)).toEqual({
      port,
      endpoint: `127.0.0.1:${port}`,
      url: `http://127.0.0.1:${port}/`,
    });
  });

  it('stays where it was, whatever the port of the API is now', async () => {
    expect(await chooseDemoTargetAddress(base, undefined, `http://127.0.0.1:${base + 7}/`)).toMatchObject({
      port: base + 7,
    });
  });

  it('is the next port where the usual one, or that of the last time, is taken', async () => {
    const last = await take();
    await take(base + 100);
    const address = await chooseDemoTargetAddress(base, undefined, `http://127.0.0.1:${last}/`);
    expect(address).toMatchObject({ port: base + 101 });
  });

  it('is not the port that the API is about to take', async () => {
    const address = await chooseDemoTargetAddress(base, undefined, `http://127.0.0.1:${base}/`);
    expect(address).toMatchObject({ port: base + 100 });
  });

  it('is none of the ports that connections are given', async () => {
    const { port } = await chooseDemoTargetAddress(40_000, undefined, null);
    expect(port).toBeLessThan(32_768);
  });

  it('that the user has named is that one or none', async () => {
    expect(await chooseDemoTargetAddress(base, base + 3, `http://127.0.0.1:${base + 7}/`)).toMatchObject({
      port: base + 3,
    });
    const port = await take();
    await expect(chooseDemoTargetAddress(base, port, null)).rejects.toThrow(
      `Port ${port}, which DEMO_TARGET_PORT names, is taken by another program. ` +
        `Choose another one, or leave the demo target out: DEMO_TARGET=off npm start`,
    );
  });

  it('is not looked for without end', async () => {
    for (let port = base + 100; port < base + 120; port += 1) await take(port);
    await expect(chooseDemoTargetAddress(base, undefined, null)).rejects.toThrow(
      `No port from ${base + 100} to ${base + 119} is free for the demo target.`,
    );
  });
});
