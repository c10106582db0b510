import { Cidr } from './cidr';

/** Values by blocks of addresses. A search looks once for each prefix length, however many blocks there are. */
export class CidrMap<Value> {
  private readonly values = new Map<string, Value>();
  private readonly prefixes = new Set<number>();

  /** Of a block in canonical form. The first value of a block stays. */
  add(block: string, value: Value): void {
    if (this.values.has(block)) return;
    this.values.set(block, value);
    this.prefixes.add(Number(block.slice(block.indexOf('/') + 1)));
  }

  /** The value of the smallest block that contains an address; undefined if there is none. */
  find(ip: string): Value | undefined {
    for (const block of Cidr.containing(ip, this.prefixes).toReversed()) {
      const value = this.values.get(block.toString());
      if (value !== undefined) return value;
    }
    return undefined;
  }
}
