import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { WebSocket } from 'ws';
import { encodeFrame, encodeJson, FRAME } from '../../src/beacon-protocol/frame';
import { Multiplexer } from '../../src/beacon-protocol/multiplexer';
import { receiveFromSocket, socketChannel } from '../../src/beacon-protocol/socket-channel';
import { type BeaconLink, BeaconLinks, Relay } from '../../src/modules/beacons';
import { AgentConnections } from '../../src/modules/beacons/connections/agent-connections';
import { RELAY_TLS, relayKey } from '../../src/modules/beacons/connections/relay-secret';
import { newTicket, TicketReader, type TicketSubject } from '../../src/modules/beacons/connections/relay-ticket';
import { everything } from '../../src/platform/api/scope';
import { findSecretKey } from '../../src/platform/config/secret-key';
import { Metrics } from '../../src/platform/metrics/metrics';

import { startApi, testConfig, useApi } from '../support/api';
import type { Client } from '../support/client';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, type Tenant, unique } from '../support/factories';
import { describeWithHaproxy, startHaproxy } from '../support/haproxy-gateway';
import { describeWithGateway, type Gateway, startGateway } from '../support/nginx-gateway';
import { lockRows } from '../support/row-locks';
import { type AgentCredentials, agentSocket, connectAgent } from '../support/test-agent';

const api = useApi({});
const make = new Factories(api);
const scope = everything('the worker opens links for its work');
const signal = new AbortController().signal;
const work = { reference: 'a job', attempt: 1 };

let site: { server: Server; port: number };

beforeAll(async () => {
  await api.app.get(Relay).start();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {});
    socket.pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  site = { server, port: (server.address() as AddressInfo).port };
});

afterAll(async () => {
  site.server.close();
  await api.app.get(Relay).stop();
});

interface Beacon extends AgentCredentials {
  readonly tenant: Tenant;
  readonly client: Client;
  readonly path: string;
}

async function createBeacon(tenant?: Tenant): Promise<Beacon> {
  const owner = tenant ?? (await make.organization());
  const { client } = await owner.as('admin');
  const { status, body } = await client.post(`/v1/organizations/${owner.id}/beacons/`, {
    name: unique('beacon').replace(' ', '-'),
    allowed_cidrs: ['10.77.0.0/24'],
  });
  expect([status, body.description]).toEqual([201, undefined]);
  return {
    tenant: owner,
    client,
    path: `/v1/organizations/${owner.id}/beacons/${body.id}`,
    id: body.id,
    token: body.beacon_token,
  };
}

const network = () => ({ ports: { '10.77.0.5:80': site.port, '10.78.0.5:80': site.port } });
const target = { address: '10.77.0.5', port: 80 };

const openLink = ({ id, tenant }: Beacon): Promise<BeaconLink> =>
  api.app.get(BeaconLinks).open({ id, organizationId: tenant.id }, work, signal);

async function echo(stream: Duplex, message: string): Promise<string> {
  stream.end(message);
  return text(stream);
}

const responseOf = async (socket: ReturnType<typeof agentSocket>) => {
  socket.on('error', () => {});
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, import('node:http').IncomingMessage];
  const body = JSON.parse(await text(response)) as { description: string };
  return { status: response.statusCode, upgrade: response.headers.upgrade, description: body.description };
};

describe('an agent', () => {
  it('sets its beacon online, with its version', async () => {
    const beacon = await createBeacon();
    const agent = await connectAgent(api.port, beacon);
    expect(agent.configurations).toEqual([
      { type: 'config', allowed_cidrs: ['10.77.0.0/24'], dns_server: null, version: 1 },
    ]);
    await eventually(async () => {
      const { body } = await beacon.client.get(beacon.path);
      expect(body).toMatchObject({ status: 1, connected: true, agent_version: '1.2.3' });
    });
    const { client } = await beacon.tenant.as('owner');
    const { body } = await client.get('/v1/audit-logs/?operation=beacon.status_change');
    expect(body.audit_logs[0]).toMatchObject({ actor_type: 'beacon', metadata: { from: 0, to: 1 } });
    const metrics = api.app.get(Metrics);
    const metricOf = async (name: string): Promise<number> => {
      await metrics.refresh();
      return (await metrics.registry.getSingleMetric(name)?.get())?.values[0]?.value ?? NaN;
    };
    const connected = await metricOf('assay_beacon_connections');
    expect(connected).toBeGreaterThanOrEqual(1);
    const received = await metricOf('assay_beacon_received_bytes_total');
    expect(received).toBeGreaterThan(0);
    expect(await metricOf('assay_beacon_sent_bytes_total')).toBeGreaterThan(0);
    agent.socket.close();
    await eventually(async () => expect(await metricOf('assay_beacon_connections')).toBeLessThan(connected));
    // Bytes of connections that have ended count, too.
    expect(await metricOf('assay_beacon_received_bytes_total')).toBeGreaterThanOrEqual(received);
    await eventually(async () => {
      const { body: after } = await beacon.client.get(beacon.path);
      // A report is missed after five minutes.
      expect(after).toMatchObject({ status: 1, connected: false });
    });
  });

  it('with a wrong token gets a 401', async () => {
    const { id } = await createBeacon();
    const response = await responseOf(agentSocket(api.port, { id, token: 'ab_wrong' }));
    expect(response).toMatchObject({ status: 401, description: expect.stringContaining('id of the beacon') });
  });

  it('of another version of the protocol gets a sentence that says so', async () => {
    const response = await responseOf(agentSocket(api.port, await createBeacon(), 'assay.beacon.99'));
    expect(response).toMatchObject({
      status: 426,
      upgrade: 'websocket',
      description: expect.stringContaining('assay.beacon.1'),
    });
  });

  it('that does not ask for a WebSocket gets a 426', async () => {
    const { id, token } = await createBeacon();
    const client = make.withCredentials({ accessKey: String(id), secret: token });
    expect((await client.get('/v1/beacons/connect')).status).toBe(426);
  });

  it('cannot connect with the token of another beacon', async () => {
    const [one, other] = [await createBeacon(), await createBeacon()];
    expect(await responseOf(agentSocket(api.port, { id: one.id, token: other.token }))).toMatchObject({ status: 401 });
  });

  it('may not ask the service for connections', async () => {
    const agent = await connectAgent(api.port, await createBeacon());
    const asked = once(agent.socket, 'close');
    agent.socket.send(encodeFrame(FRAME.open, 1, encodeJson({ address: '10.77.0.5', port: 80 })));
    const [code, reason] = (await asked) as [number, Buffer];
    expect([code, reason.toString()]).toEqual([1008, 'protocol violation: this side does not open connections']);
  });

  it.each([
    ['a text message', (socket: { send(data: string): void }) => socket.send('hello'), 'text messages'],
    [
      'a first message that is not hello',
      (socket: { send(data: Buffer): void }) =>
        socket.send(encodeFrame(FRAME.control, 0, encodeJson({ type: 'config' }))),
      'not hello',
    ],
    [
      'a version that is none',
      (socket: { send(data: Buffer): void }) =>
        socket.send(encodeFrame(FRAME.control, 0, encodeJson({ type: 'hello', agent_version: 'a\nb' }))),
      'not a version',
    ],
  ])('that sends %s is disconnected with the reason', async (_name, send, reason) => {
    const socket = agentSocket(api.port, await createBeacon());
    await once(socket, 'open');
    const closed = once(socket, 'close');
    send(socket);
    expect(String(((await closed) as [number, Buffer])[1])).toContain(reason);
  });

  it.each([
    ['more than ten control messages in a second', 11, 20, 'more than 10 control messages in a second'],
    ['a control message of more than 4 KiB after its hello', 1, 4_100, 'longer than 4096 bytes'],
  ])('that sends %s is disconnected with the reason', async (_name, messages, length, reason) => {
    const { socket } = await connectAgent(api.port, await createBeacon());
    const closed = once(socket, 'close');
    const message = Buffer.from('{"type":"later"}'.padEnd(length));
    for (let at = 0; at < messages; at += 1) socket.send(encodeFrame(FRAME.control, 0, message));
    expect(((await closed) as [number, Buffer]).map(String)).toEqual(['1008', expect.stringContaining(reason)]);
  });

  it('that cuts a message into more than eight fragments is disconnected', async () => {
    const { socket } = await connectAgent(api.port, await createBeacon());
    const closed = once(socket, 'close');
    for (let at = 0; at < 9; at += 1) socket.send('', { binary: true, fin: false });
    expect(((await closed) as [number])[0]).toBe(1008);
  });

  it('may have a long hello, with many interfaces', async () => {
    const socket = agentSocket(api.port, await createBeacon());
    await once(socket, 'open');
    const interfaces = Array.from({ length: 64 }, (_none, at) => `${at}`.padEnd(256, 'x'));
    socket.send(encodeFrame(FRAME.control, 0, encodeJson({ type: 'hello', agent_version: '1.2.3', interfaces })));
    const [config] = (await once(socket, 'message')) as [Buffer];
    expect(config.toString()).toContain('"type":"config"');
    socket.terminate();
  });

  it('is one of at most four of its beacon', async () => {
    const beacon = await createBeacon();
    for (let at = 0; at < 4; at += 1) await connectAgent(api.port, beacon);
    await expect(connectAgent(api.port, beacon)).rejects.toThrow('4 agents of this beacon are connected already');
  });

  it('is one of at most four, also when many connect at once', async () => {
    const beacon = await createBeacon();
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => connectAgent(api.port, beacon)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
  });

  it('waits for its hello with at most eight connections of its beacon', async () => {
    const beacon = await createBeacon();
    const sockets = Array.from({ length: 8 }, () => agentSocket(api.port, beacon));
    await Promise.all(sockets.map((socket) => once(socket, 'open')));
    expect(await responseOf(agentSocket(api.port, beacon))).toMatchObject({ status: 429 });
    for (const socket of sockets) socket.terminate();
  });

  it('waits for its hello with at most eight connections of its beacon, also when a hundred come at once', async () => {
    const beacon = await createBeacon();
    const sockets = Array.from({ length: 100 }, () => agentSocket(api.port, beacon));
    const outcomes = await Promise.all(
      sockets.map((socket) => Promise.race([once(socket, 'open').then(() => 101), responseOf(socket)])),
    );
    for (const socket of sockets) socket.terminate();
    const refused = outcomes.filter((outcome) => outcome !== 101);
    expect(refused).toEqual(Array(92).fill(expect.objectContaining({ status: 429 })));
  });

  it('keeps its place until its socket is closed, also after a violation', async () => {
    const beacon = await createBeacon();
    const served = new Set<Socket>();
    const serve = (socket: Socket): void => {
      served.add(socket);
      socket.once('close', () => served.delete(socket));
    };
    const server = api.app.getHttpServer() as Server;
    server.on('connection', serve);
    const ports = new Set<number | undefined>();
    const sockets: WebSocket[] = [];
    for (let at = 0; at < 30; at += 1) {
      const socket = agentSocket(api.port, beacon);
      socket.once('upgrade', ({ socket: { localPort } }) => ports.add(localPort));
      await Promise.race([once(socket, 'open'), responseOf(socket)]);
      if (socket.readyState !== WebSocket.OPEN) continue;
      sockets.push(socket);
      // It does not answer the close frame.
      socket.pause();
      socket.send('a violation');
      expect([...served].filter(({ remotePort }) => ports.has(remotePort)).length).toBeLessThanOrEqual(8);
    }
    server.off('connection', serve);
    for (const socket of sockets) socket.terminate();
  });
});

describe('registrations', () => {
  it('keep the places of agents that have disconnected until they have ended', async () => {
    const beacon = await createBeacon();
    const release = await lockRows('beacons', [beacon.id]);
    let accepted = 0;
    try {
      for (let at = 0; at < 12; at += 1) {
        const socket = agentSocket(api.port, beacon);
        await Promise.race([once(socket, 'open'), responseOf(socket)]);
        if (socket.readyState !== WebSocket.OPEN) continue;
        accepted += 1;
        socket.send(encodeFrame(FRAME.control, 0, encodeJson({ type: 'hello', agent_version: '1.2.3' })));
        socket.close();
        await once(socket, 'close');
      }
    } finally {
      await release();
    }
    expect(accepted).toBe(8);
  });

  it('do not keep the connections of a process that cannot renew its leases', async () => {
    const { app, port } = await startApi({ DATABASE_TIMEOUT_MS: '6000' });
    await app.get(Relay).start();
    try {
      const [beacon, other] = [await createBeacon(), await createBeacon()];
      const agent = await connectAgent(port, beacon);
      const rows = await query<{ id: number }>('SELECT id::int FROM beacon_connections WHERE beacon_id = $1', [
        beacon.id,
      ]);
      const release = await lockRows(
        'beacon_connections',
        rows.map(({ id }) => id),
      );
      try {
        await eventually(async () => {
          const { socket } = await connectAgent(port, other);
          socket.terminate();
          expect(agent.multiplexer.closed.reason).toMatchObject({
            message: 'this process lost contact with its database',
          });
        });
      } finally {
        await release();
      }
    } finally {
      await app.get(Relay).stop();
      await app.close();
    }
  });
});

describe('a link', () => {
  it('carries streams to the network of the beacon', async () => {
    const beacon = await createBeacon();
    const agent = await connectAgent(api.port, beacon, { ...network(), names: { 'intranet.example': ['10.77.0.5'] } });
    const link = await openLink(beacon);
    const message = randomBytes(300_000).toString('hex');
    expect(await echo(await link.connect(target, signal), message)).toBe(message);
    expect(await link.resolve('intranet.example', signal)).toEqual(['10.77.0.5']);
    await expect(link.resolve('other.example', signal)).rejects.toMatchObject({ code: 'unresolved' });
    await expect(link.connect({ address: '10.77.0.6', port: 80 }, signal)).rejects.toMatchObject({ code: 'refused' });
    expect(agent.asked).toEqual([target, { address: '10.77.0.6', port: 80 }]);
    link.close();
    await eventually(async () => expect(agent.multiplexer.streamCount).toBe(0));
  });

  it('leaves out answers that are not addresses, and says so if there is no other', async () => {
    const beacon = await createBeacon();
    const names = { 'one.example': ['\0', '10.77.0.5', 'x'.repeat(1_000)], 'none.example': ['\0'] };
    await connectAgent(api.port, beacon, { names });
    const link = await openLink(beacon);
    expect(await link.resolve('one.example', signal)).toEqual(['10.77.0.5']);
    await expect(link.resolve('none.example', signal)).rejects.toMatchObject({
      code: 'unresolved',
      message: 'none.example has no address: the agent returned none',
    });
    link.close();
  });

  it('does not ask the agent for addresses outside of its networks', async () => {
    const beacon = await createBeacon();
    const agent = await connectAgent(api.port, beacon, network());
    const link = await openLink(beacon);
    await expect(link.connect({ address: '10.78.0.5', port: 80 }, signal)).rejects.toMatchObject({ code: 'egress' });
    expect(agent.asked).toEqual([]);
    link.close();
  });

  it('is lost when its agent disappears while a stream is open, and the stream is reset', async () => {
    const beacon = await createBeacon();
    const agent = await connectAgent(api.port, beacon, network());
    const link = await openLink(beacon);
    const stream = await link.connect(target, signal);
    stream.write('half');
    await once(stream, 'readable');
    agent.socket.terminate();
    await expect(text(stream)).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(link.lost.aborted).toBe(true);
    await expect(link.connect(target, signal)).rejects.toMatchObject({ code: 'lost' });
    await expect(openLink(beacon)).rejects.toThrow('no agent of the beacon is connected');
  });

  it('moves to the new agent when the old one says goodbye, and running streams continue', async () => {
    const beacon = await createBeacon();
    const old = await connectAgent(api.port, beacon, network());
    const link = await openLink(beacon);
    const running = await link.connect(target, signal);
    const next = await connectAgent(api.port, beacon, network());
    await old.goodbye();
    await eventually(async () => {
      const before = next.asked.length;
      await echo(await link.connect(target, signal), 'new');
      expect(next.asked.length).toBe(before + 1);
    });
    expect(await echo(running, 'still there')).toBe('still there');
    expect(link.lost.aborted).toBe(false);
    link.close();
  });

  it('uses the newest of several agents, and another one when that is gone', async () => {
    const beacon = await createBeacon();
    const first = await connectAgent(api.port, beacon, network());
    const second = await connectAgent(api.port, beacon, network());
    const link = await openLink(beacon);
    await echo(await link.connect(target, signal), 'a');
    expect([first.asked.length, second.asked.length]).toEqual([0, 1]);
    second.socket.terminate();
    await eventually(async () => {
      await echo(await link.connect(target, signal), 'b');
      expect(first.asked.length).toBeGreaterThan(0);
    });
    expect(link.lost.aborted).toBe(false);
    link.close();
  });

  it('cannot be opened to the beacon of another organization', async () => {
    const [one, other] = [await createBeacon(), await createBeacon()];
    await connectAgent(api.port, other, network());
    await expect(openLink({ ...one, id: other.id })).rejects.toMatchObject({ code: 'lost' });
    expect(await api.app.get(BeaconLinks).find(scope, one.tenant.id, other.id)).toBeUndefined();
  });
});

const forWebSockets = `
      proxy_http_version 1.1;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection "upgrade";`;

async function carriesThrough(gateway: Gateway): Promise<void> {
  try {
    const beacon = await createBeacon();
    await connectAgent(gateway.port, beacon, network());
    const link = await openLink(beacon);
    const message = randomBytes(500_000).toString('hex');
    expect(await echo(await link.connect(target, signal), message)).toBe(message);
    link.close();
  } finally {
    await gateway.stop();
  }
}

describeWithGateway('an agent behind nginx', () => {
  it('connects as docs/beacons.md configures it', async () =>
    carriesThrough(await startGateway(api.port, forWebSockets)));

  it('gets a sentence from a gateway that removes the Upgrade header', async () => {
    const gateway = await startGateway(api.port);
    try {
      const socket = agentSocket(gateway.port, await createBeacon());
      expect(await responseOf(socket)).toMatchObject({ status: 426, description: expect.stringContaining('proxy') });
    } finally {
      await gateway.stop();
    }
  });
});

describeWithHaproxy('an agent behind haproxy', () => {
  it('connects without settings of its own', async () => carriesThrough(await startHaproxy([api.port])));
});

describe('changes of a beacon', () => {
  it('that is deleted disconnect its agents', async () => {
    const beacon = await createBeacon();
    const agent = await connectAgent(api.port, beacon, network());
    const stream = await (await openLink(beacon)).connect(target, signal);
    expect((await beacon.client.delete(beacon.path)).status).toBe(204);
    await expect(text(stream)).rejects.toMatchObject({ code: 'ECONNRESET' });
    await eventually(async () =>
      expect(agent.multiplexer.closed.reason).toMatchObject({
        message: expect.stringContaining('the beacon was deleted'),
      }),
    );
  });

  it('disconnect its agents when the organization is deleted', async () => {
    const integrator = await make.integrator();
    const tenant = await make.organization({ integratorId: integrator.integratorId });
    const agent = await connectAgent(api.port, await createBeacon(tenant));
    expect((await integrator.client.delete(`/v1/organizations/${tenant.id}`)).status).toBeLessThan(300);
    await eventually(async () => expect(agent.multiplexer.closed.aborted).toBe(true));
  });

  it('reach its agents, and end streams that are outside of the new networks', async () => {
    const beacon = await createBeacon();
    const agent = await connectAgent(api.port, beacon, network());
    const link = await openLink(beacon);
    const stream = await link.connect(target, signal);
    await beacon.client.patch(beacon.path, { allowed_cidrs: ['10.78.0.0/24'], dns_server: '10.78.0.53' });
    await expect(text(stream)).rejects.toThrow('the networks of the beacon changed');
    await expect(link.connect(target, signal)).rejects.toMatchObject({ code: 'egress' });
    expect(await echo(await link.connect({ address: '10.78.0.5', port: 80 }, signal), 'new')).toBe('new');
    expect(agent.configurations.at(-1)).toEqual({
      type: 'config',
      allowed_cidrs: ['10.78.0.0/24'],
      dns_server: '10.78.0.53',
      version: 2,
    });
    link.close();
  });
});

describe('a new token', () => {
  it('leaves agents with the old one connected until the overlap ends', async () => {
    const beacon = await createBeacon();
    const agent = await connectAgent(api.port, beacon, network());
    const { status, body } = await beacon.client.post(`${beacon.path}/token`, { overlap_hours: 1 });
    expect([status, body.beacon_token]).toEqual([200, expect.stringMatching(/^ab_/)]);
    const next = await connectAgent(api.port, { id: beacon.id, token: body.beacon_token });
    const again = await connectAgent(api.port, beacon);
    await query(`UPDATE beacons SET previous_token_until = now() WHERE id = $1`, [beacon.id]);
    await eventually(async () => {
      expect(
        [agent, again].map(({ multiplexer }) => (multiplexer.closed.reason as Error | undefined)?.message),
      ).toEqual(Array(2).fill('the token of the beacon was replaced: start the agent with the new one'));
    });
    expect(next.multiplexer.closed.aborted).toBe(false);
    await expect(connectAgent(api.port, beacon)).rejects.toThrow('401');
  });

  it('without an overlap disconnects them', async () => {
    const beacon = await createBeacon();
    const agent = await connectAgent(api.port, beacon);
    await beacon.client.post(`${beacon.path}/token`, { overlap_hours: 0 });
    await eventually(async () => expect(agent.multiplexer.closed.aborted).toBe(true));
    await expect(connectAgent(api.port, beacon)).rejects.toThrow('401');
  });

  it('is for admins, and is in the audit log without the token', async () => {
    const beacon = await createBeacon();
    const member = await beacon.tenant.as('member');
    expect((await member.client.post(`${beacon.path}/token`, {})).status).toBe(403);
    const { body } = await beacon.client.post(`${beacon.path}/token`, {});
    const { client } = await beacon.tenant.as('owner');
    const entries = await client.get('/v1/audit-logs/?operation=beacon.rotate_token');
    expect(entries.body.audit_logs.map(({ status }: { status: string }) => status)).toEqual(['success', 'failure']);
    expect(JSON.stringify(entries.body)).not.toContain(body.beacon_token);
  });
});

describe('the relay', () => {
  async function relayOf(beacon: Beacon) {
    const [row] = await query<{ port: number; host: string }>(
      'SELECT relay_port AS port, relay_host AS host FROM beacon_connections WHERE beacon_id = $1',
      [beacon.id],
    );
    return row as { port: number; host: string };
  }

  async function present(beacon: Beacon, ticket: unknown, localAddress?: string) {
    const secret = findSecretKey(await testConfig()) as Buffer;
    const { host, port } = await relayOf(beacon);
    const socket = connectTls({
      ...RELAY_TLS,
      socket: connect({ host, port, localAddress }),
      pskCallback: () => ({ psk: relayKey(secret, 'tls'), identity: 'w' }),
      checkServerIdentity: () => undefined,
    });
    await once(socket, 'secureConnect');
    return new Promise<Readonly<Record<string, unknown>>>((resolve) => {
      const link = new Multiplexer(socketChannel(socket), { onControl: resolve });
      receiveFromSocket(socket, link);
      link.closed.addEventListener('abort', () => resolve({ type: 'closed' }));
      void link.sendControl({ type: 'ticket', ticket });
    });
  }

  async function ticketFor(beacon: Beacon, changes: Partial<TicketSubject> = {}, now = new Date()) {
    const secret = findSecretKey(await testConfig()) as Buffer;
    const { processId } = api.app.get(AgentConnections);
    const subject = { beaconId: beacon.id, organizationId: beacon.tenant.id, work: 'job', attempt: 1, processId };
    return newTicket({ ...subject, ...changes }, relayKey(secret, 'ticket'), now);
  }

  it('takes each ticket once', async () => {
    const beacon = await createBeacon();
    await connectAgent(api.port, beacon);
    const ticket = await ticketFor(beacon);
    expect(await present(beacon, ticket)).toEqual({ type: 'ready', agent_version: '1.2.3' });
    expect(await present(beacon, ticket)).toEqual({ type: 'refused', reason: 'the ticket was used before' });
  });

  it.each<[string, (beacon: Beacon) => Promise<unknown>, string]>([
    ['for another process', (beacon) => ticketFor(beacon, { processId: 'another' }), 'for another process'],
    ['for another organization', (beacon) => ticketFor(beacon, { organizationId: beacon.tenant.id + 1 }), 'no agent'],
    ['that has expired', (beacon) => ticketFor(beacon, {}, new Date(Date.now() - 91_000)), 'expired'],
    ['that is from the future', (beacon) => ticketFor(beacon, {}, new Date(Date.now() + 3_600_000)), 'expired'],
    ['that was changed', async (beacon) => (await ticketFor(beacon)).replace('.', 'A.'), 'not valid'],
    ['that is none', () => Promise.resolve(7), 'no ticket'],
  ])('refuses a ticket %s', async (_name, ticket, reason) => {
    const beacon = await createBeacon();
    await connectAgent(api.port, beacon);
    expect(await present(beacon, await ticket(beacon))).toEqual({
      type: 'refused',
      reason: expect.stringContaining(reason),
    });
  });

  it('gives nothing to a client without the key', async () => {
    const beacon = await createBeacon();
    await connectAgent(api.port, beacon);
    const { host, port } = await relayOf(beacon);
    const socket = connectTls({
      ...RELAY_TLS,
      host,
      port,
      pskCallback: () => ({ psk: randomBytes(32), identity: 'w' }),
      checkServerIdentity: () => undefined,
    });
    await expect(once(socket, 'secureConnect')).rejects.toThrow();
    const plain = connect({ host, port });
    plain.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(await text(plain).catch(() => 'reset')).not.toContain('HTTP');
  });

  it('closes connections without a handshake after five seconds, and accepts at most 256 from one address', async () => {
    const beacon = await createBeacon();
    await connectAgent(api.port, beacon);
    // Connections with the key do not count.
    expect(await present(beacon, await ticketFor(beacon))).toMatchObject({ type: 'ready' });
    const { host, port } = await relayOf(beacon);
    const strangers = Array.from({ length: 300 }, () => connect({ host, port }));
    const endings = Promise.all(
      strangers.map(async (socket) => {
        const isReset = new Promise((resolve) => socket.once('error', () => resolve(true)));
        return Promise.race([isReset, once(socket, 'close').then(() => false)]);
      }),
    );
    await Promise.allSettled(strangers.filter(({ connecting }) => connecting).map((socket) => once(socket, 'connect')));
    // Workers at other addresses are served at the same time.
    expect(await present(beacon, await ticketFor(beacon), '127.0.0.2')).toMatchObject({ type: 'ready' });
    expect((await endings).filter((isReset) => isReset)).toHaveLength(44);
    expect(await present(beacon, await ticketFor(beacon))).toMatchObject({ type: 'ready' });
  });

  it('forgets used tickets when they have expired', () => {
    const key = randomBytes(32);
    const reader = new TicketReader(key, 'p');
    const subject = { beaconId: 1, organizationId: 1, work: 'job', attempt: 1, processId: 'p' };
    const now = new Date('2026-01-31T12:00:00Z');
    const ticket = newTicket(subject, key, now);
    expect(reader.read(ticket, now)).toMatchObject(subject);
    expect(reader.read(ticket, new Date(now.getTime() + 59_999))).toBe('the ticket was used before');
    expect(reader.read(ticket, new Date(now.getTime() + 90_000))).toBe('the ticket has expired');
    // The clock of a worker may be ahead or behind.
    for (const skew of [-29_000, 29_000])
      expect(reader.read(newTicket(subject, key, new Date(now.getTime() + skew)), now)).toMatchObject(subject);
  });
});

describe('an Upgrade header for another protocol', () => {
  const send = async (request: string): Promise<string> => {
    const socket = connect(api.port, '127.0.0.1');
    socket.write(request);
    return text(socket);
  };

  it('is ignored, and the whole body is read', async () => {
    const { client, path, id, token } = await createBeacon();
    expect((await client.get(path)).status).toBe(200);
    const body = JSON.stringify({
      version: 1,
      interfaces: Array.from({ length: 64 }, (_none, at) => `${at}`.padEnd(64, 'x')),
    });
    const socket = connect(api.port, '127.0.0.1');
    socket.write(
      `POST /v1/beacons/report HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMA\r\nAuthorization: Basic ${Buffer.from(`${id}:${token}`).toString('base64')}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 10)}`,
    );
    await new Promise(setImmediate);
    socket.write(body.slice(10));
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 OK[^]*"version":1/);
  });

  it('does not keep a connection open after its response', async () => {
    const socket = connect({ port: api.port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => {});
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 OK/);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    // The client does not end its side: only a server that has let go of the connection answers with a reset.
    const writing = setInterval(() => socket.write('x'), 20);
    await closed;
    clearInterval(writing);
  });

  it('of a WebSocket on another path is answered like a request', async () => {
    const request = (path: string) =>
      `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;
    expect(await send(request('/healthz'))).toMatch(/^HTTP\/1\.1 200 OK/);
    expect(await send(request('/v1/jobs/'))).toMatch(/^HTTP\/1\.1 401 /);
  });
});
