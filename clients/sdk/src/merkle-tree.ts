import { createHash } from 'node:crypto';

/** The tree of RFC 9162, section 2.1. */
const hashOf = (prefix: number, ...parts: readonly (string | Buffer)[]): Buffer => {
  const hash = createHash('sha256').update(Buffer.of(prefix));
  for (const part of parts) hash.update(part);
  return hash.digest();
};

export const leafHash = (data: string | Buffer): Buffer => hashOf(0, data);
const nodeHash = (left: Buffer, right: Buffer): Buffer => hashOf(1, left, right);

/** A tree that grows. */
export class MerkleTree {
  /** Of the perfect subtrees, the largest first. */
  private readonly roots: Buffer[] = [];
  private count = 0;

  get size(): number {
    return this.count;
  }

  add(leaf: Buffer): void {
    let root = leaf;
    for (let rest = this.count; rest % 2 === 1; rest = (rest - 1) / 2)
      root = nodeHash(this.roots.pop() ?? Buffer.alloc(0), root);
    this.roots.push(root);
    this.count++;
  }

  get root(): string {
    const root =
      this.roots.length === 0
        ? createHash('sha256').digest()
        : this.roots.reduceRight((right, left) => nodeHash(left, right));
    return root.toString('hex');
  }
}

interface Sized {
  readonly size: number;
  /** In hex. */
  readonly root: string;
}

/** RFC 9162, section 2.1.3.2. Hashes are in hex. */
export function verifyInclusion(leaf: Buffer, index: number, path: readonly string[], { size, root }: Sized): boolean {
  if (!Number.isSafeInteger(index) || index < 0 || index >= size) return false;
  let [at, last, hash] = [index, size - 1, leaf];
  for (const text of path) {
    if (last === 0) return false;
    const other = Buffer.from(text, 'hex');
    if (at % 2 === 1 || at === last) {
      hash = nodeHash(other, hash);
      while (at % 2 === 0 && at !== 0) [at, last] = [at / 2, Math.floor(last / 2)];
    } else hash = nodeHash(hash, other);
    [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  }
  return last === 0 && hash.toString('hex') === root;
}

/** RFC 9162, section 2.1.4.2: whether the second tree begins with all leaves of the first one. Hashes are in hex. */
export function verifyConsistency(first: Sized, second: Sized, proof: readonly string[]): boolean {
  if (first.size < 1 || first.size > second.size) return false;
  if (first.size === second.size) return proof.length === 0 && first.root === second.root;
  const isPower = (first.size & (first.size - 1)) === 0;
  const path = (isPower ? [first.root, ...proof] : [...proof]).map((text) => Buffer.from(text, 'hex'));
  let [at, last] = [first.size - 1, second.size - 1];
  while (at % 2 === 1) [at, last] = [(at - 1) / 2, Math.floor(last / 2)];
  const start = path.shift();
  if (start === undefined) return false;
  let older: Buffer = start;
  let newer: Buffer = start;
  for (const other of path) {
    if (last === 0) return false;
    if (at % 2 === 1 || at === last) {
      older = nodeHash(other, older);
      newer = nodeHash(other, newer);
      while (at % 2 === 0 && at !== 0) [at, last] = [at / 2, Math.floor(last / 2)];
    } else newer = nodeHash(newer, other);
    [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  }
  return last === 0 && older.toString('hex') === first.root && newer.toString('hex') === second.root;
}
