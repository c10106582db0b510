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

/** A free port followed by free ports, different from those of concurrent tests. */
const base = 21_000 + (process.pid % 8_000);

afterEach(async () => {
  for (const server of taken.splice(0)) {
    server.close();
    await once(server, 'close');
  }
});

describe('the address of the demo target', () => {
  it('is on loopback, 100 ports after the API, with its endpoint and URL', async () => {
    const port = base + 100;
    expect(await chooseDemoTargetAddress(base, undefined, null)).toEqual({
      port,
      endpoint: `127.0.0.1:${port}`,
      url: `http://127.0.0.1:${port}/`,
    });
  });

  it('leaves the ports of the applications that the user tests to them', async () => {
    expect(await chooseDemoTargetAddress(base, undefined, null, [base + 100])).toMatchObject({ port: base + 101 });
  });

  it('stays the same if the port of the API changes', async () => {
    expect(await chooseDemoTargetAddress(base, undefined, `http://127.0.0.1:${base + 7}/`)).toMatchObject({
      port: base + 7,
    });
  });

  it('uses the next port if the default and the last port are taken', async () => {
    const last = await take();
    await take(base + 100);
    const address = await chooseDemoTargetAddress(base, undefined, `http://127.0.0.1:${last}/`);
    expect(address).toMatchObject({ port: base + 101 });
  });

  it('is never the port of the API', async () => {
    const address = await chooseDemoTargetAddress(base, undefined, `http://127.0.0.1:${base}/`);
    expect(address).toMatchObject({ port: base + 100 });
  });

  it('is below the ephemeral ports', async () => {
    const { port } = await chooseDemoTargetAddress(40_000, undefined, null);
    expect(port).toBeLessThan(32_768);
  });

  it('uses DEMO_TARGET_PORT, or fails if that port is taken', async () => {
    expect(await chooseDemoTargetAddress(base, base + 3, `http://127.0.0.1:${base + 7}/`)).toMatchObject({
      port: base + 3,
    });
    const port = await take();
    await expect(chooseDemoTargetAddress(base, port, null)).rejects.toThrow(
      `Port ${port} (DEMO_TARGET_PORT) is used by another program. ` +
        `Choose another port, or start without the demo target: DEMO_TARGET=off npm start`,
    );
  });

  it('fails after twenty taken ports', async () => {
    for (let port = base + 100; port < base + 120; port += 1) await take(port);
    await expect(chooseDemoTargetAddress(base, undefined, null)).rejects.toThrow(
      `No port from ${base + 100} to ${base + 119} is free for the demo target.`,
    );
  });
});
