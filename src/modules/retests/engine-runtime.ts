import { Injectable } from '@nestjs/common';
import {
  DEFAULT_LIMITS,
  EGRESS_REFUSALS,
  OBSERVATION_PACES,
  type Paces,
  type ProbePolicy,
  Transport,
  type Via,
} from '../../engine';
import type { EgressEntry } from '../../kernel/egress-entry';
import type { Scope } from '../../platform/api/scope';
import { Config } from '../../platform/config/load-config';
import { ownListeners } from '../../platform/config/own-listeners';
import { DatabaseClock } from '../../platform/database/database-clock';
import { Metrics } from '../../platform/metrics/metrics';
import { type HostingState, MAX_REQUESTS_PER_SECOND_ELSEWHERE } from '../assets';
import { announceEntries, OrganizationsService } from '../organizations';
import { beaconKey } from './beacon-route';
import { TargetPacesRepository } from './data/target-paces.repository';

interface StatedPace {
  readonly requestsPerSecond: number | null;
}

/** The exchanges at once that keep the pace while each answer takes up to 0.6 seconds, so that slow targets take no longer. */
const concurrencyAt = (perSecond: number): number =>
  Math.min(6, Math.max(DEFAULT_LIMITS.concurrency, Math.ceil(perSecond * 0.6)));

/** What the engine runs on in this process: one transport for all tests, which shares the pace of each host with those of other processes. */
@Injectable()
export class EngineRuntime {
  readonly transport: Transport;
  readonly probePolicy: ProbePolicy;
  readonly allowed: readonly EgressEntry[];
  private readonly perSecond: number;

  constructor(
    config: Config,
    private readonly organizations: OrganizationsService,
    metrics: Metrics,
    sharedPace: TargetPacesRepository,
    readonly clock: DatabaseClock,
  ) {
    const refused = metrics.counter({
      name: 'assay_egress_refused_total',
      help: 'Addresses that no connection was opened to, because the egress rules forbid it',
      labels: { reason: EGRESS_REFUSALS },
    });
    this.allowed = config.EGRESS_ALLOW;
    this.perSecond = config.ENGINE_REQUESTS_PER_SECOND;
    this.probePolicy = { probes: config.ENGINE_PROBES, spreadMs: config.ENGINE_PROBE_SPREAD_MS };
    this.transport = new Transport({
      userAgent: config.ENGINE_USER_AGENT,
      browserUserAgent: config.ENGINE_BROWSER_USER_AGENT,
      egressAllow: this.allowed,
      ownListeners: ownListeners(config),
      onEgressRefusal: (reason) => refused({ reason }),
      callbackDomain: config.CALLBACK_DOMAIN,
      trustSingleAddresses: config.NODE_ENV !== 'production',
      dnsServers: config.DNS_SERVERS.length > 0 ? config.DNS_SERVERS : undefined,
      limits: { perSecond: this.perSecond },
      sharedPace,
      now: () => clock.time(),
    });
  }

  async policyFor(scope: Scope, organizationId: number): Promise<ProbePolicy> {
    const { refusalsCountAsFixed } = await this.organizations.get(scope, organizationId);
    return { ...this.probePolicy, refusalsCountAsFixed };
  }

  /** Waits until an address behind a beacon may be connected to, at the pace of observations. The caller calls the result afterwards. */
  turnBehind(beaconId: number, address: string, signal: AbortSignal): Promise<() => void> {
    const visit = { route: { key: beaconKey(beaconId) }, pace: OBSERVATION_PACES, signal };
    return this.transport.paces.acquire(address, visit);
  }

  /** The pace of all tests of a target: that of its asset, or of its event if that is lower. Null for the operator's setting. */
  statedPace(ofAsset: StatedPace, ofEvent: StatedPace | null, hosting: HostingState | null): number | null {
    const { requestsPerSecond: stated } = ofAsset;
    const most = hosting?.isLimited === true ? MAX_REQUESTS_PER_SECOND_ELSEWHERE : Infinity;
    const asset = stated === null ? null : Math.min(stated, most);
    const event = ofEvent?.requestsPerSecond ?? null;
    return event === null ? asset : Math.min(event, asset ?? this.perSecond);
  }

  /** The pace of `statedPace`, for one test. */
  paceOf(requestsPerSecond: number | null): Pick<Via, 'pace'> {
    if (requestsPerSecond === null) return {};
    const host = { perSecond: requestsPerSecond, concurrency: concurrencyAt(requestsPerSecond) };
    return { pace: { ...OBSERVATION_PACES, host, requestsPerSecond } };
  }

  /** The pace of an observation: the default, or that of its asset or its plan if that is lower. */
  observationPaces(ofAsset: number | null, ofPlan: number | null): Paces {
    const limit = ofPlan ?? Infinity;
    const { host, shared } = OBSERVATION_PACES;
    const perSecond = Math.min(limit, ofAsset ?? Infinity, host.perSecond);
    return { host: { ...host, perSecond }, shared, requestsPerSecond: Math.min(limit, ofAsset ?? this.perSecond) };
  }

  /** Called when a process that tests or decides about targets starts. Throws if an organization never existed. */
  announceAllowed(): Promise<void> {
    return announceEntries(this.organizations, 'EGRESS_ALLOW', this.allowed, 'test');
  }
}
