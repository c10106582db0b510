import type { Duplex } from 'node:stream';
import type { Cidr } from '../../../kernel/cidr';
import type { TraceContext } from '../../../kernel/trace-context';
import type { Scope } from '../../../platform/api/scope';

/** A beacon as the launch rule and the tests see it. */
export interface ReachableBeacon {
  readonly id: number;
  readonly organizationId: number;
  readonly name: string;
  readonly cidrs: readonly Cidr[];
  /** Whether an agent of the beacon is connected now. */
  readonly isConnected: boolean;
  /** The version of the agent that would be used; null when none is connected. */
  readonly agentVersion: string | null;
}

/** The work that a link is opened for. */
export interface LinkedWork {
  readonly reference: string;
  readonly attempt: number;
  readonly trace?: TraceContext;
}

/** The way from a worker to the network of a beacon, for one piece of work. */
export interface BeaconLink {
  /** Aborted, with a `StreamFailure`, when the agent or the process that it is connected to is gone. */
  readonly lost: AbortSignal;
  /** Of the agent that is used. */
  readonly agentVersion: string;
  /** The addresses of a host as the agent resolves them. */
  resolve(host: string, signal: AbortSignal): Promise<string[]>;
  /** A TCP connection of the agent to this endpoint. */
  connect(endpoint: { readonly address: string; readonly port: number }, signal: AbortSignal): Promise<Duplex>;
  close(): void;
}

/** Opens links to beacons. */
export abstract class BeaconLinks {
  /** Undefined if there is no such beacon in the scope and organization. */
  abstract find(scope: Scope, organizationId: number, beaconId: number): Promise<ReachableBeacon | undefined>;
  /** Throws a `StreamFailure` with code `lost` if no agent is connected. */
  abstract open(
    beacon: Pick<ReachableBeacon, 'id' | 'organizationId'>,
    work: LinkedWork,
    signal: AbortSignal,
  ): Promise<BeaconLink>;
}
