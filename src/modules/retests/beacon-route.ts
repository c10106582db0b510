import type { Duplex } from 'node:stream';
import { type Endpoint, ExchangeError, type FailureCode, type Place, type Route } from '../../engine';
import type { Cidr } from '../../kernel/cidr';
import { type BeaconLink, StreamFailure, type StreamFailureCode, type ReachableBeacon } from '../beacons';

/** A connection that could not be opened in time says nothing about the protocol of the target: that is `timeout`. */
const CODES: Readonly<Record<StreamFailureCode, FailureCode>> = {
  refused: 'refused',
  unreachable: 'unreachable',
  no_route: 'no_route',
  timeout: 'unreachable',
  unresolved: 'unresolved',
  egress: 'egress',
  lost: 'unreachable',
};

/** For the pace that everything through one beacon shares. */
export const beaconKey = (beaconId: number): string => `beacon ${beaconId}`;

/** The engine's way to the targets behind a beacon. */
export class BeaconRoute implements Route {
  readonly key: string;
  readonly cidrs: readonly Cidr[];
  /** Aborted when the link is lost, so that the test ends. */
  readonly lost: AbortSignal;
  private readonly loss = new AbortController();

  constructor(
    beacon: ReachableBeacon,
    private readonly link: BeaconLink,
    readonly isProven: (place: Place) => Promise<boolean>,
  ) {
    this.key = beaconKey(beacon.id);
    this.cidrs = beacon.cidrs;
    this.lost = AbortSignal.any([link.lost, this.loss.signal]);
  }

  resolve(host: string, signal: AbortSignal): Promise<string[]> {
    return this.converted(this.link.resolve(host, signal));
  }

  connect(endpoint: Endpoint, signal: AbortSignal): Promise<Duplex> {
    return this.converted(this.link.connect(endpoint, signal));
  }

  private async converted<T>(asked: Promise<T>): Promise<T> {
    try {
      return await asked;
    } catch (error) {
      if (!(error instanceof StreamFailure)) throw error;
      if (error.code === 'lost') this.loss.abort(error);
      throw new ExchangeError(CODES[error.code], error.message);
    }
  }
}
