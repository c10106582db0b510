const rotated = (value: number, bits: number): number => (value << bits) | (value >>> (32 - bits));

const scrambled = (word: number): number => Math.imul(rotated(Math.imul(word, 0xcc9e2d51), 15), 0x1b873593);

/** The 32-bit hash of MurmurHash3 with seed 0, as a signed number. */
export function murmur3(bytes: Buffer): number {
  const whole = bytes.length - (bytes.length % 4);
  let hash = 0;
  for (let at = 0; at < whole; at += 4) {
    hash = (Math.imul(rotated(hash ^ scrambled(bytes.readInt32LE(at)), 13), 5) + 0xe6546b64) | 0;
  }
  const rest = bytes.subarray(whole).reduceRight((word, byte) => (word << 8) | byte, 0);
  if (whole < bytes.length) hash ^= scrambled(rest);
  hash ^= bytes.length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
