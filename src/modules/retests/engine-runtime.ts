import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { type Endpoint, endpointText, parseEndpoint, type ProbePolicy, Transport } from '../../engine';
import { canonicalIp } from '../../kernel/cidr';
import { Config } from '../../platform/config/load-config';

/** What the engine runs on in this process: one transport for all tests, so that the rate limit per target is shared. */
@Injectable()
export class EngineRuntime implements OnModuleInit {
  readonly transport: Transport;
  readonly probePolicy: ProbePolicy;
  private readonly allowed: ReadonlySet<string>;

  constructor(config: Config) {
    const egressAllow = config.EGRESS_ALLOW.map(parseEndpoint);
    this.allowed = new Set(egressAllow.map(endpointText));
    this.probePolicy = { probes: config.ENGINE_PROBES, spreadMs: config.ENGINE_PROBE_SPREAD_MS };
    this.transport = new Transport({
      userAgent: config.ENGINE_USER_AGENT,
      browserUserAgent: config.ENGINE_BROWSER_USER_AGENT,
      egressAllow,
      ownListeners: ownListeners(config),
      dnsServers: config.DNS_SERVERS.length > 0 ? config.DNS_SERVERS : undefined,
      limits: { perSecond: config.ENGINE_REQUESTS_PER_SECOND },
    });
  }

  onModuleInit(): void {
    if (this.allowed.size === 0) return;
    const opened = [...this.allowed].join(', ');
    new Logger('engine').log(
      `EGRESS_ALLOW lets the engine reach ${opened} despite the egress rules. Never set it in production.`,
    );
  }

  /** Whether EGRESS_ALLOW names exactly this endpoint. */
  isAllowed(endpoint: Endpoint): boolean {
    return this.allowed.has(endpointText(endpoint));
  }
}

/** A HOST that is a name could be any of our interfaces, so it counts as all of them. */
const ownListeners = ({ HOST, PORT }: Config): Endpoint[] => [{ address: canonicalIp(HOST) ?? '0.0.0.0', port: PORT }];
