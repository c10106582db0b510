import type { Socket } from 'node:net';
import type { Cidr } from '../../kernel/cidr';
import type { Endpoint } from './endpoint';

/** Decides which rules apply to a connection. */
export interface DialRules {
  /** Through this beacon and nowhere else. */
  readonly route?: Route;
  /** The organization that the target is tested for: allowed endpoints may be for one organization. */
  readonly organizationId?: number;
}

/**
 * The way to private targets through a beacon, which only the operator can configure. Without one there is no way:
 * nothing that a tenant records makes the service dial a private address by itself.
 */
export interface Route {
  /** The blocks that the beacon serves: nothing outside them is dialled through it. */
  readonly cidrs: readonly Cidr[];
  /** The addresses of a host as they are known behind the beacon. */
  resolve(host: string, signal: AbortSignal): Promise<string[]>;
  /** A connected socket to this very endpoint; it never chooses another. */
  connect(endpoint: Endpoint, signal: AbortSignal): Promise<Socket>;
}
