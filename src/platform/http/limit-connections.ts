import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Logger } from '@nestjs/common';
import { clientNetwork } from '../../kernel/client-network';

export interface ConnectionLimit {
  readonly perAddress: number;
  /** Addresses of gateways, whose connections carry the requests of all clients. */
  readonly isExempt: (address: string) => boolean;
  readonly onRefused: () => void;
}

const LOG_INTERVAL_MS = 60_000;

/**
 * Limits the open connections of one address, so that one client cannot use up the memory and the file descriptors of the
 * process. Further connections are reset before anything of them is read.
 */
export function limitConnections(server: Server, { perAddress, isExempt, onRefused }: ConnectionLimit): void {
  const logger = new Logger('connections');
  const counts = new Map<string, number>();
  let nextLog = 0;
  const refuse = (socket: Socket, network: string): void => {
    socket.resetAndDestroy();
    onRefused();
    // One line a minute, so that a flood does not fill the log.
    if (performance.now() < nextLog) return;
    nextLog = performance.now() + LOG_INTERVAL_MS;
    logger.warn(
      `${network} has ${perAddress} open connections, so further ones are refused. Raise CONNECTIONS_PER_ADDRESS if its ` +
        'clients need more. If it is a gateway, add it to TRUSTED_PROXIES.',
    );
  };
  server.prependListener('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    // Undefined if the client has disconnected already.
    if (remoteAddress === undefined || isExempt(remoteAddress)) return;
    const network = clientNetwork(remoteAddress);
    const open = counts.get(network) ?? 0;
    if (open >= perAddress) {
      refuse(socket, network);
      return;
    }
    counts.set(network, open + 1);
    socket.once('close', () => {
      const left = (counts.get(network) ?? 1) - 1;
      if (left === 0) counts.delete(network);
      else counts.set(network, left);
    });
  });
}
