import type { Socket } from 'node:net';
import { clientNetwork } from '../../../kernel/client-network';

/** Both sides of a connection have these, before and after its handshake. */
type Peer = Pick<Socket, 'remoteAddress' | 'remotePort'>;

const peerKeyOf = ({ remoteAddress, remotePort }: Peer): string => `${remoteAddress} ${remotePort}`;

/** Connections whose other side has not proved yet that it has the key. Those that have do not count. */
export class PendingHandshakes {
  private readonly networks = new Map<string, string>();

  constructor(
    private readonly max: number,
    /** Of an IPv4 address, or of the /64 of an IPv6 address. */
    private readonly maxOfNetwork: number,
  ) {}

  /** Why the connection is refused, or null when it was added. */
  add(peer: Peer): string | null {
    // It has disconnected already.
    if (peer.remoteAddress === undefined) return 'it has no address';
    const network = clientNetwork(peer.remoteAddress);
    if (this.networks.size >= this.max) return `${this.max} connections have not ended their handshake`;
    if ([...this.networks.values()].filter((other) => other === network).length >= this.maxOfNetwork)
      return `${this.maxOfNetwork} connections of ${network} have not ended their handshake`;
    this.networks.set(peerKeyOf(peer), network);
    return null;
  }

  remove(peer: Peer): void {
    this.networks.delete(peerKeyOf(peer));
  }
}
