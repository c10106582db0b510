import type { INestApplicationContext } from '@nestjs/common';
import type { AddressesToObserve, HostSeen, PortSeen } from '../../src/engine';
import { HostObserver, LookFailedError, type LookRequest } from '../../src/modules/observations';
import type { AssetSeen } from '../../src/modules/observations/domain/changes-between';

export const port = (number: number, seen: Partial<PortSeen> = {}): PortSeen => ({
  port: number,
  state: 'open',
  service: null,
  security: null,
  certificate: null,
  technologies: [],
  ...seen,
});

export const host = (address: string, ...ports: PortSeen[]): HostSeen => ({ address, ports, stopped: null });

interface Shown {
  readonly hosts: readonly HostSeen[];
  readonly hosting?: AssetSeen['hosting'];
  readonly addresses?: readonly string[];
}

/** Shows what a test says in place of the network. */
export class FakeHostObserver {
  readonly looks: { readonly host: string; readonly ports: readonly number[] }[] = [];
  readonly portions: AddressesToObserve[] = [];
  private readonly shown = new Map<string, Shown | string>();
  private readonly held = new Map<string, Promise<void>>();

  /** What the next looks at this host show. A text is the reason of a look without a result. */
  show(name: string, shown: Shown | string): void {
    this.shown.set(name, shown);
  }

  /** Looks at this host, or at `portion 3`, wait until the returned function is called. */
  hold(name: string): () => void {
    let release = (): void => undefined;
    this.held.set(name, new Promise((resolve) => (release = resolve)));
    return () => {
      this.held.delete(name);
      release();
    };
  }

  installIn(context: INestApplicationContext): void {
    const observer = context.get(HostObserver, { strict: false });
    jest.spyOn(observer, 'look').mockImplementation((request, signal) => this.look(request, signal));
    const lookAtBlock: HostObserver['lookAtBlock'] = (_request, signal, test) =>
      test((portion) => this.lookAtAddresses(portion, signal));
    jest.spyOn(observer, 'lookAtBlock').mockImplementation(lookAtBlock);
  }

  /** The hosts that `show` named by their addresses answer, and all other addresses are silent. */
  private async lookAtAddresses(portion: AddressesToObserve, signal: AbortSignal): Promise<HostSeen[]> {
    this.portions.push(portion);
    const held = this.held.get(`portion ${this.portions.length}`);
    if (held !== undefined) await Promise.race([held, aborted(signal)]);
    return portion.addresses.map(({ address }) => {
      const shown = this.shown.get(address);
      const [one] = typeof shown === 'object' ? shown.hosts : [];
      return one ?? host(address, ...portion.searched.map((number) => port(number, { state: 'filtered' })));
    });
  }

  private async look({ host: name, isName, portsOf }: LookRequest, signal: AbortSignal): Promise<AssetSeen> {
    const shown = this.shown.get(name) ?? { hosts: [] };
    const hosting = typeof shown === 'string' ? null : (shown.hosting ?? null);
    const ports = portsOf(hosting);
    this.looks.push({ host: name, ports });
    await Promise.race([this.held.get(name), aborted(signal)]);
    if (typeof shown === 'string') throw new LookFailedError(shown);
    const addresses = shown.addresses ?? shown.hosts.map(({ address }) => address);
    return { isName, addresses, hosting, hosts: shown.hosts, watched: new Set(ports) };
  }
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
