import type { Callback, Callbacks } from '../../callbacks';
import type { SeededRandom } from '../../testing/seeded-random';

export const CALLBACK_DOMAIN = 'calls.test';
const HOST = /[a-z]\d{12}\.calls\.test/g;

export const hostsIn = (text: string): string[] => [...new Set(text.toLowerCase().match(HOST) ?? [])];

/** A listener whose time only passes while something waits or sends. */
export class VirtualListener implements Callbacks {
  readonly patienceMs = 5_000;
  private readonly coming: { readonly at: number; readonly call: Omit<Callback, 'called'> }[] = [];
  private made = 0;
  private time = 1_000_000;

  constructor(
    private readonly random: SeededRandom,
    readonly hasHttps = true,
  ) {}

  newGroup(): string {
    return '';
  }

  newHost(): string {
    this.made += 1;
    return `h${String(this.random.below(1_000_000)).padStart(6, '0')}${String(this.made).padStart(6, '0')}.${CALLBACK_DOMAIN}`;
  }

  now(): Date {
    return new Date(this.time);
  }

  async pause(ms: number): Promise<void> {
    this.time += ms;
  }

  async callsOf(hosts: readonly string[]): Promise<readonly Callback[]> {
    return this.coming
      .filter(({ at, call }) => at <= this.time && hosts.includes(call.host))
      .toSorted((one, other) => one.at - other.at)
      .map(({ at, call }) => ({ ...call, called: new Date(at) }));
  }

  get isReached(): boolean {
    return this.coming.some(({ at, call }) => at <= this.time && call.protocol !== 'dns');
  }

  /** Who sends HTTP has resolved the name before. */
  call(host: string, protocol: Callback['protocol'], afterMs = 20, source = '203.0.113.5'): void {
    this.coming.push({ at: this.time + afterMs, call: { host, protocol: 'dns', source: '203.0.113.53' } });
    if (protocol !== 'dns') this.coming.push({ at: this.time + afterMs + 5, call: { host, protocol, source } });
  }
}
