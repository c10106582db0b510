import { isIPv6, type Socket } from 'node:net';

const WINDOW_MS = 1_000;
/** Of all sources and names in one window. More are refused until the next one. */
const MOST_SOURCES = 20_000;

/** Counts what each source sends in a second. Sources of IPv6 are networks of 64 bits, which one sender usually has. */
export class SourceLimit {
  private counts = new Map<string, number>();
  private began = 0;

  constructor(
    private readonly mostPerSecond: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** With a name, what a source sends about other names does not count. */
  allows(address: string, name = ''): boolean {
    if (this.now() - this.began >= WINDOW_MS) {
      this.counts = new Map();
      this.began = this.now();
    }
    const source = `${networkOf(address)} ${name}`;
    const count = (this.counts.get(source) ?? 0) + 1;
    if (count > this.mostPerSecond || (count === 1 && this.counts.size >= MOST_SOURCES)) return false;
    this.counts.set(source, count);
    return true;
  }
}

/** Counts the open connections of each source. */
export class SourceConnections {
  private readonly open = new Map<string, number>();

  constructor(private readonly most: number) {}

  /** Returns whether the source may have it. */
  add(address: string, socket: Pick<Socket, 'once'>): boolean {
    const source = networkOf(address);
    const count = this.open.get(source) ?? 0;
    if (count >= this.most) return false;
    this.open.set(source, count + 1);
    socket.once('close', () => {
      const left = (this.open.get(source) ?? 1) - 1;
      if (left > 0) this.open.set(source, left);
      else this.open.delete(source);
    });
    return true;
  }
}

function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [first = '', rest] = address.split('::');
  const start = first.split(':').filter((part) => part !== '');
  const end = rest === undefined ? [] : rest.split(':').filter((part) => part !== '');
  const zeros = Array.from({ length: Math.max(0, 8 - start.length - end.length) }, () => '0');
  return [...start, ...zeros, ...end].slice(0, 4).join(':');
}
