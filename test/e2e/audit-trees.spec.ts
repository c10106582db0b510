import {
  consistencyPath,
  grown,
  inclusionPath,
  leafHash as leafHashOfService,
  rootOf,
} from '../../src/modules/audit/domain/merkle-tree';
import { leafHash, MerkleTree, verifyConsistency, verifyInclusion } from '../../clients/sdk/src/merkle-tree';

/** The inputs and roots of the reference tests of certificate-transparency-go (merkle/testonly). */
const INPUTS = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'].map(
  (hex) => Buffer.from(hex, 'hex'),
);
const ROOTS = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];
const LEAVES = INPUTS.map(leafHash);

const hex = (path: readonly Buffer[]): string[] => path.map((hash) => hash.toString('hex'));
const stateOf = (leaves: readonly Buffer[]) => ({
  size: leaves.length,
  root: rootOf(grown([], 0, leaves)).toString('hex'),
});

it.each(ROOTS.map((root, size) => ({ size, root })))(
  'the tree of $size inputs has the root of RFC 9162',
  ({ size, root }) => {
    const tree = new MerkleTree();
    for (const leaf of LEAVES.slice(0, size)) tree.add(leaf);
    expect(tree).toMatchObject({ size, root });
    expect(stateOf(INPUTS.map(leafHashOfService).slice(0, size))).toEqual({ size, root });
  },
);

it.each([
  [
    0,
    8,
    [
      '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
    ],
  ],
  [
    5,
    8,
    [
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ],
  ],
  [2, 3, ['fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125']],
] as const)('the inclusion proof of leaf %d in %d is that of the reference tests', async (index, size, path) => {
  expect(hex(await inclusionPath(LEAVES.slice(0, size), index))).toEqual(path);
});

it.each([
  [
    1,
    8,
    [
      '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
    ],
  ],
  [
    6,
    8,
    [
      '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ],
  ],
  [
    2,
    5,
    [
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
    ],
  ],
] as const)('the consistency proof of %d and %d is that of the reference tests', async (first, second, path) => {
  expect(hex(await consistencyPath(LEAVES.slice(0, second), first))).toEqual(path);
});

describe('for all trees up to 40 leaves', () => {
  const all = Array.from({ length: 40 }, (_, at) => leafHash(`entry ${at}`));

  it('every inclusion proof holds, and for no other leaf, position, root or path', async () => {
    for (let size = 1; size <= all.length; size++) {
      const leaves = all.slice(0, size);
      const state = stateOf(leaves);
      for (const [index, leaf] of leaves.entries()) {
        const path = hex(await inclusionPath(leaves, index));
        expect(verifyInclusion(leaf, index, path, state)).toBe(true);
        expect(verifyInclusion(leafHash('other'), index, path, state)).toBe(false);
        expect(verifyInclusion(leaf, index, [...path, ROOTS[1] ?? ''], state)).toBe(false);
        expect(verifyInclusion(leaf, index, path, { size, root: ROOTS[1] ?? '' })).toBe(false);
        expect(verifyInclusion(leaf, size, path, state)).toBe(false);
        if (size > 1) {
          expect(verifyInclusion(leaf, (index + 1) % size, path, state)).toBe(false);
          expect(verifyInclusion(leaf, index, path.slice(1), state)).toBe(false);
        }
      }
    }
  });

  it('every consistency proof holds, and for no tree that begins otherwise', async () => {
    for (let second = 1; second <= all.length; second++) {
      const leaves = all.slice(0, second);
      const newer = stateOf(leaves);
      for (let first = 1; first <= second; first++) {
        const proof = hex(await consistencyPath(leaves, first));
        const older = stateOf(leaves.slice(0, first));
        expect(verifyConsistency(older, newer, proof)).toBe(true);
        const forged = stateOf([...leaves.slice(0, first - 1), leafHash('other')]);
        expect(verifyConsistency(forged, newer, proof)).toBe(false);
        expect(verifyConsistency(older, newer, [...proof, older.root])).toBe(false);
        expect(verifyConsistency(older, { ...newer, root: forged.root }, proof)).toBe(false);
        if (proof.length > 0) expect(verifyConsistency(older, newer, proof.slice(1))).toBe(false);
      }
    }
  });

  it('a tree that grows in pieces has the root of the whole', () => {
    for (let cut = 0; cut <= all.length; cut++) {
      const grownTwice = grown(grown([], 0, all.slice(0, cut)), cut, all.slice(cut));
      expect(rootOf(grownTwice).toString('hex')).toBe(stateOf(all).root);
    }
  });
});
