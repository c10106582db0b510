import type { Socket } from 'node:net';
import { certificate, type TestCertificate } from '../../../src/engine/testing/certificate';
import { AUTHORITY } from '../../../src/engine/testing/test-authority';
import type { StateNetwork } from './network';
import type { Conversation } from './service-state';
import type { ServiceServers } from './service-servers';
import type { ServiceWeakness } from './service-states';
import { TestedZone } from './tested-zone';
import type { TlsServers } from './tls-servers';
import type { TlsState, TlsWeakness } from './tls-states';
import { WebSite } from './web-site';
import type { WebState } from './web-state';
import type { Weakness } from './web-weaknesses';
import type { ZoneState, ZoneWeakness } from './zone-states';
import type { ZoneServers } from './zone-servers';

/** A target with a weakness, which a state then changes. It has a name and an address of its own. */
export interface StateTarget {
  readonly host: string;
  /** As findings name their check. */
  readonly check: object;
  readonly url: string;
  readonly become: () => void;
  readonly close: () => void;
}

type ServiceTableState = ServiceWeakness['states'][number];

/** Builds targets below one domain. */
export class StateTargets {
  private readonly certificate: TestCertificate;
  private count = 0;

  constructor(
    private readonly network: StateNetwork,
    private readonly zones: ZoneServers,
    private readonly tls: TlsServers,
    private readonly services: ServiceServers,
    readonly domain: string,
  ) {
    this.certificate = certificate({ names: [`*.${domain}`], issuer: AUTHORITY, key: 'ec' });
  }

  async web(weakness: Weakness, state: WebState): Promise<StateTarget> {
    const { host, address } = this.place();
    const addresses = state.hasVersion6 === true ? [address, this.network.version6Of(address)] : [address];
    const site = await WebSite.open(this.network, addresses, weakness.isHttps === true ? this.certificate : null);
    site.handler = weakness.weak;
    const location = `${weakness.isHttps === true ? 'https' : 'http'}://${host}${weakness.location}`;
    return {
      host,
      url: location,
      check: weakness.yaml === undefined ? { id: weakness.check, location } : { http: weakness.yaml, location },
      become: () => {
        site.restart(state.begin(weakness), state.speaksHttp2 === true);
        this.zones.common.set(host, { A: [address], ...(addresses[1] !== undefined && { AAAA: [addresses[1]] }) });
      },
      close: () => site.close(),
    };
  }

  zone({ check, weak, fixed }: ZoneWeakness, state: ZoneState): StateTarget {
    const { host } = this.place();
    const zone = new TestedZone(host, this.domain, this.zones);
    zone.set(weak);
    const location = `dns://${host}`;
    const become = (): void => state.arrange(zone, { weak, fixed });
    return { host, url: location, check: { id: check, location }, become, close: () => undefined };
  }

  async secured({ check, weak, states }: TlsWeakness, state: TlsState): Promise<StateTarget> {
    const ports = this.tls.portOf.bind(this.tls);
    const shown = states.find(({ truth }) => truth === 'weak');
    if (shown === undefined) throw new Error(`${weak} is shown by no state`);
    const target = await this.conversing(443, shown.begin(ports), () => ({
      version4: state.begin(ports),
      version6: state.version6?.(ports),
    }));
    const location = `https://${target.host}/`;
    return { ...target, url: location, check: { id: check, location } };
  }

  async service({ check, port, states }: ServiceWeakness, state: ServiceTableState): Promise<StateTarget> {
    const ports = this.services.portOf.bind(this.services);
    const [shown] = states;
    if (shown === undefined) throw new Error(`${check} has no state`);
    const target = await this.conversing(port, shown.begin(ports), () => ({
      version4: state.begin(ports),
      version6: state.version6?.(ports),
    }));
    const location = `tcp://${target.host}:${port}`;
    return { ...target, url: location, check: { id: check, location } };
  }

  private place(): { host: string; address: string } {
    this.count += 1;
    const [host, address] = [`s${this.count}.${this.domain}`, this.network.nextAddress()];
    this.zones.common.set(host, { A: [address] });
    return { host, address };
  }

  /** A host whose connections are answered by these conversations. */
  private async conversing(
    port: number,
    weak: Conversation,
    begin: () => { version4: Conversation; version6: Conversation | undefined },
  ): Promise<Pick<StateTarget, 'host' | 'become' | 'close'>> {
    const { host, address } = this.place();
    const version6 = this.network.version6Of(address);
    const servers = [await this.network.listen(address, port), await this.network.listen(version6, port)];
    const current: [Conversation, Conversation] = [weak, weak];
    let connections = 0;
    servers.forEach((server, at) =>
      server.on('connection', (socket: Socket) => current[at as 0 | 1](socket, connections++)),
    );
    const become = (): void => {
      const next = begin();
      current[0] = next.version4;
      current[1] = next.version6 ?? next.version4;
      if (next.version6 !== undefined) this.zones.common.set(host, { A: [address], AAAA: [version6] });
    };
    return { host, become, close: () => servers.forEach((server) => server.close()) };
  }
}
