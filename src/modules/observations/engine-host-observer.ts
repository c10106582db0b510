import { Injectable } from '@nestjs/common';
import { ExchangeError, ExchangeFailed, type HostSeen, observeAddresses, observeHost, type Place } from '../../engine';
import { BeaconTests, EngineRuntime, resolvedHost, type ResolvedHost, type TestRun } from '../retests';
import type { AssetSeen } from './domain/changes-between';
import {
  type AddressObserver,
  type BlockLookRequest,
  HostObserver,
  LookFailedError,
  type LookRequest,
} from './host-observer';
import { TechnologyTemplates } from './technology-templates';

/** Of a name; some have dozens. */
const MAX_ADDRESSES = 8;

/** Looks at hosts with the engine, directly or through the beacon of the asset. */
@Injectable()
export class EngineHostObserver extends HostObserver {
  constructor(
    private readonly runtime: EngineRuntime,
    private readonly tests: BeaconTests,
    private readonly templates: TechnologyTemplates,
  ) {
    super();
  }

  override look(request: LookRequest, signal: AbortSignal): Promise<AssetSeen> {
    return this.tests.run(request.launch, request.work, signal, (run) => this.lookThrough(request, run));
  }

  override lookAtBlock<T>(
    { launch, work, requestsPerSecond }: BlockLookRequest,
    signal: AbortSignal,
    test: (observe: AddressObserver) => Promise<T>,
  ): Promise<T> {
    const { transport } = this.runtime;
    return this.tests.run(launch, work, signal, async (run) => {
      const templates = await this.templates.current();
      return test((addresses) =>
        observeAddresses(transport, addresses, run, {
          templates,
          paces: this.runtime.observationPaces(launch.requestsPerSecond, requestsPerSecond),
        }),
      );
    });
  }

  private async lookThrough(
    { host, isName, launch, portsOf, url, ownAmong, requestsPerSecond }: LookRequest,
    run: TestRun,
  ): Promise<AssetSeen> {
    const { transport } = this.runtime;
    const { addresses, records, hosting } = await this.resolved({ host, port: launch.target.port }, ownAmong, run);
    const ports = portsOf(hosting);
    const templates = await this.templates.current();
    const options = { templates, paces: this.runtime.observationPaces(launch.requestsPerSecond, requestsPerSecond) };
    const hosts: HostSeen[] = [];
    for (const address of addresses.slice(0, MAX_ADDRESSES))
      hosts.push(await observeHost(transport, { host, address, ports, url }, run, options));
    return { isName, addresses, hosting, hosts, watched: new Set(ports), ...(isName && { records }) };
  }

  private async resolved(place: Place, ownAmong: LookRequest['ownAmong'], run: TestRun): Promise<ResolvedHost> {
    const { host } = place;
    try {
      return await resolvedHost(this.runtime.transport, place, run, ownAmong);
    } catch (error) {
      if (!(error instanceof ExchangeError || error instanceof ExchangeFailed)) throw error;
      throw new LookFailedError(`The addresses of ${host} cannot be observed: ${reasonOf(error)}. ${REMEDY}`);
    }
  }
}

const REMEDY = 'Correct the records of the name, or delete the asset.';

const reasonOf = (error: ExchangeError | ExchangeFailed): string =>
  error instanceof ExchangeFailed ? error.failure.reason : error.message;
