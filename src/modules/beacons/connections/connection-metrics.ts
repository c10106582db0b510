import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Metrics } from '../../../platform/metrics/metrics';
import type { AgentConnection } from './agent-connection';

/** What the agents that are connected to this process do. */
export class ConnectionMetrics {
  private readonly sockets = new Set<Socket>();
  private received = 0;
  private sent = 0;

  constructor(metrics: Metrics, connections: () => readonly AgentConnection[]) {
    const connected = metrics.gauge({
      name: 'assay_beacon_connections',
      help: 'Agents of beacons that are connected to this process',
    });
    const beacons = metrics.gauge({
      name: 'assay_beacons_connected',
      help: 'Beacons with at least one agent that is connected to this process',
    });
    const streams = metrics.gauge({
      name: 'assay_beacon_streams',
      help: 'Connections to targets through the agents that are connected to this process',
    });
    metrics.onScrape('beacons', [], async () => () => {
      const agents = connections();
      connected.set({}, agents.length);
      beacons.set({}, new Set(agents.map(({ beaconId }) => beaconId)).size);
      streams.set({}, sumOf(agents.map(({ multiplexer }) => multiplexer.openStreamCount)));
    });
    metrics.total(
      { name: 'assay_beacon_received_bytes_total', help: 'Bytes from agents, with those of the protocol' },
      () => this.received + sumOf([...this.sockets].map(({ bytesRead }) => bytesRead)),
    );
    metrics.total(
      { name: 'assay_beacon_sent_bytes_total', help: 'Bytes to agents, with those of the protocol' },
      () => this.sent + sumOf([...this.sockets].map(({ bytesWritten }) => bytesWritten)),
    );
  }

  /** Counts the bytes of this connection from now on. */
  measure(socket: Duplex): void {
    if (!(socket instanceof Socket)) return;
    this.sockets.add(socket);
    socket.once('close', () => {
      this.sockets.delete(socket);
      this.received += socket.bytesRead;
      this.sent += socket.bytesWritten;
    });
  }
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);
