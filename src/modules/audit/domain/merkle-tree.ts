import { createHash } from 'node:crypto';
import { Turns } from '../../../kernel/in-turns';

/** The tree of RFC 9162, section 2.1. */
const hashOf = (prefix: number, ...parts: readonly (string | Buffer)[]): Buffer => {
  const hash = createHash('sha256').update(Buffer.of(prefix));
  for (const part of parts) hash.update(part);
  return hash.digest();
};

export const leafHash = (data: string | Buffer): Buffer => hashOf(0, data);
const nodeHash = (left: Buffer, right: Buffer): Buffer => hashOf(1, left, right);
const EMPTY_ROOT = createHash('sha256').digest();

/** Leaves that are hashed without a turn for others: about a millisecond. */
const PIECE = 1_000;

/**
 * The roots of the perfect subtrees of a tree, the largest first: one for each bit of its size, and all that a tree needs to grow.
 */
export type Frontier = readonly Buffer[];

export function grown(frontier: Frontier, size: number, leaves: readonly Buffer[]): Frontier {
  const roots = [...frontier];
  for (const [at, leaf] of leaves.entries()) {
    let root = leaf;
    for (let rest = size + at; rest % 2 === 1; rest = (rest - 1) / 2) root = nodeHash(roots.pop() ?? EMPTY_ROOT, root);
    roots.push(root);
  }
  return roots;
}

export const rootOf = (frontier: Frontier): Buffer =>
  frontier.length === 0 ? EMPTY_ROOT : frontier.reduceRight((right, left) => nodeHash(left, right));

async function rootOfLeaves(leaves: readonly Buffer[]): Promise<Buffer> {
  const turns = new Turns();
  let frontier: Frontier = [];
  for (let at = 0; at < leaves.length; at += PIECE) {
    await turns.take();
    frontier = grown(frontier, at, leaves.slice(at, at + PIECE));
  }
  return rootOf(frontier);
}

/** The largest power of two below the number of leaves. */
function splitOf(leaves: readonly Buffer[]): [left: Buffer[], right: Buffer[]] {
  let half = 1;
  while (half * 2 < leaves.length) half *= 2;
  return [leaves.slice(0, half), leaves.slice(half)];
}

/** From the leaf to the root. */
export async function inclusionPath(leaves: readonly Buffer[], index: number): Promise<Buffer[]> {
  if (leaves.length <= 1) return [];
  const [left, right] = splitOf(leaves);
  return index < left.length
    ? [...(await inclusionPath(left, index)), await rootOfLeaves(right)]
    : [...(await inclusionPath(right, index - left.length)), await rootOfLeaves(left)];
}

/** That the tree of the first `size` leaves is the beginning of the tree of all. `isWhole`: the verifier knows the root of them. */
export async function consistencyPath(leaves: readonly Buffer[], size: number, isWhole = true): Promise<Buffer[]> {
  if (size === leaves.length) return isWhole ? [] : [await rootOfLeaves(leaves)];
  const [left, right] = splitOf(leaves);
  return size <= left.length
    ? [...(await consistencyPath(left, size, isWhole)), await rootOfLeaves(right)]
    : [...(await consistencyPath(right, size - left.length, false)), await rootOfLeaves(left)];
}
