/** The bytes of base32 without padding (RFC 4648), such as the key of an authenticator app. */
export function base32Bytes(text: string): Buffer {
  const bits = Array.from(text)
    .map((one) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(one).toString(2).padStart(5, '0'))
    .join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
