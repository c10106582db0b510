import type { AddressesToObserve, HostSeen, HostToObserve } from '../../engine';
import type { Hosting } from '../assets';
import type { Launchable } from '../retests';
import type { TraceContext } from '../../kernel/trace-context';
import type { AssetSeen } from './domain/changes-between';

/** What to look at. */
export interface LookRequest {
  readonly host: string;
  readonly isName: boolean;
  readonly launch: Launchable;
  /** The ports to try, by who runs the host. */
  readonly portsOf: (hosting: Hosting | null) => readonly number[];
  /** Of an asset that is a URL. */
  readonly url: HostToObserve['url'];
  /** Those of the names that belong to the organization. */
  readonly ownAmong: (names: readonly string[]) => Promise<ReadonlySet<string>>;
  /** To each host; null for the usual pace. */
  readonly requestsPerSecond: number | null;
  readonly work: LookWork;
}

export interface LookWork {
  readonly reference: string;
  readonly attempt: number;
  readonly limitMs: number;
  readonly trace?: TraceContext;
}

/** A block to look at. */
export interface BlockLookRequest {
  readonly launch: Launchable;
  readonly work: LookWork;
  /** To each host; null for the usual pace. */
  readonly requestsPerSecond: number | null;
}

/** Looks at the hosts among some addresses. */
export type AddressObserver = (addresses: AddressesToObserve) => Promise<HostSeen[]>;

/** It has no result, for a reason that the user can change. The message says what to do. */
export class LookFailedError extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'LookFailedError';
  }
}

/** Looks at the hosts of an asset. */
export abstract class HostObserver {
  /** Throws a `LookFailedError` if there is no result. */
  abstract look(request: LookRequest, signal: AbortSignal): Promise<AssetSeen>;

  /** Runs a test that looks at addresses of a block; from its start again if the link of the beacon was lost. */
  abstract lookAtBlock<T>(
    request: BlockLookRequest,
    signal: AbortSignal,
    test: (observe: AddressObserver) => Promise<T>,
  ): Promise<T>;
}
