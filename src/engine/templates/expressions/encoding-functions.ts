import { createCipheriv, createHash, createHmac, getHashes } from 'node:crypto';
import { crc32, deflateRawSync, deflateSync, gunzipSync, gzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { type FunctionTable, ofText, takes, type TemplateFunction, type Values } from './function-table';
import { murmur3 } from './murmur3';
import { bounded, bytesOf, ExpressionError, ExpressionLimitExceeded, LONGEST_VALUE, textFromBytes } from './value';

const hash = (algorithm: string): TemplateFunction =>
  ofText((text) => createHash(algorithm).update(bytesOf(text)).digest('hex'));

const HASHES = new Set(getHashes());

function hmac(values: Values): string {
  const algorithm = values.text(0).toLowerCase().replaceAll('-', '');
  if (!HASHES.has(algorithm)) throw new ExpressionError(`"${algorithm.slice(0, 40)}" is not a known hash`);
  return createHmac(algorithm, bytesOf(values.text(2)))
    .update(bytesOf(values.text(1)))
    .digest('hex');
}

/** Invalid input is an error of the expression; too much output exceeds a limit. */
function converted(convert: () => Buffer | string): string {
  try {
    const result = convert();
    return typeof result === 'string' ? bounded(result) : textFromBytes(result);
  } catch (error) {
    if (error instanceof ExpressionError) throw error;
    const code: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined;
    if (code === 'ERR_BUFFER_TOO_LARGE') throw new ExpressionLimitExceeded('a value is too large when it is unpacked');
    throw new ExpressionError('the value cannot be converted');
  }
}

const bytes = (convert: (input: Buffer) => Buffer | string): TemplateFunction =>
  ofText((text) => converted(() => convert(bytesOf(text))));

const limit = { maxOutputLength: LONGEST_VALUE };

function fromBase64(text: string): Buffer {
  const digits = text.replaceAll(/\s/g, '');
  if (!/^[\w+/-]*={0,2}$/.test(digits)) throw new ExpressionError('the text is not base64');
  return Buffer.from(digits, 'base64');
}

function fromHex(text: string): Buffer {
  if (!/^(?:[\da-f]{2})*$/i.test(text)) throw new ExpressionError('the text is not hexadecimal');
  return Buffer.from(text, 'hex');
}

/** The format of Python's `base64.encodebytes`. */
const pythonBase64 = (input: Buffer): string => input.toString('base64').replaceAll(/.{1,76}/g, '$&\n');

const percentEncoded = (input: Buffer): string =>
  [...input]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return /[\w.~-]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');

const percentDecoded = (text: string): Buffer => {
  if (/%(?![\da-f]{2})/i.test(text)) throw new ExpressionError('the text is not percent-encoded');
  return Buffer.concat(
    text
      .replaceAll('+', ' ')
      .split(/(%[\da-f]{2})/i)
      .map((piece) => (/^%[\da-f]{2}$/i.test(piece) ? Buffer.from(piece.slice(1), 'hex') : bytesOf(piece))),
  );
};

const HTML: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&#34;', "'": '&#39;' };
const FROM_HTML = new Map([
  ...Object.entries(HTML).map(([one, name]) => [name, one] as const),
  ['&quot;', '"'],
  ['&apos;', "'"],
]);

function aesCbc(values: Values): string {
  const [plain, key, iv] = [values.text(0), values.text(1), values.text(2)].map(bytesOf);
  if (plain === undefined || key === undefined || iv === undefined) throw new ExpressionError('aes_cbc takes 3 values');
  return converted(() => {
    const cipher = createCipheriv(`aes-${key.length * 8}-cbc`, key, iv);
    return Buffer.concat([cipher.update(plain), cipher.final()]);
  });
}

function xor(values: Values): string {
  const [one, other] = [bytesOf(values.text(0)), bytesOf(values.text(1))];
  if (one.length !== other.length) throw new ExpressionError('xor takes two texts of the same length');
  return textFromBytes(Buffer.from(one.map((byte, at) => byte ^ (other[at] ?? 0))));
}

/** An archive of alternating names and texts. Its times are not set, so it is always the same. */
function zip(values: Values): string {
  if (values.count % 2 !== 0) throw new ExpressionError('zip takes a name and a text for each file');
  const [files, directory] = [[] as Buffer[], [] as Buffer[]];
  let at = 0;
  for (let place = 0; place < values.count; place += 2) {
    const name = bytesOf(values.text(place));
    const content = bytesOf(values.text(place + 1));
    const packed = deflateRawSync(content);
    // The fields from the version to the length of the extra field, which both headers contain.
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(content.length, 18);
    common.writeUInt16LE(name.length, 22);
    const file = Buffer.concat([Buffer.from('PK\x03\x04'), common, name, packed]);
    const offset = Buffer.alloc(14);
    offset.writeUInt32LE(at, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x00'), common, offset, name);
    files.push(file);
    at += file.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(values.count / 2, 4);
  end.writeUInt16LE(values.count / 2, 6);
  end.writeUInt32LE(entries.length, 8);
  end.writeUInt32LE(at, 12);
  return textFromBytes(Buffer.concat([...files, entries, Buffer.from('PK\x05\x06'), end]));
}

const JWT_HASHES: Readonly<Record<string, string>> = { HS256: 'sha256', HS384: 'sha384', HS512: 'sha512' };

/** A token that is signed with a shared secret, or unsigned. */
function jwt(values: Values): string {
  const algorithm = values.count > 1 ? values.text(1).toUpperCase() : 'NONE';
  const isUnsigned = algorithm === 'NONE' || algorithm === '';
  const hashName = JWT_HASHES[algorithm];
  if (!isUnsigned && hashName === undefined)
    throw new ExpressionError(`generate_jwt has no algorithm "${algorithm.slice(0, 40)}"`);
  const header = JSON.stringify({ alg: isUnsigned ? 'none' : algorithm, typ: 'JWT' });
  const signed = [header, values.text(0)].map((text) => bytesOf(text).toString('base64url')).join('.');
  if (hashName === undefined) return `${signed}.`;
  return `${signed}.${createHmac(hashName, bytesOf(values.text(2)))
    .update(signed)
    .digest('base64url')}`;
}

export const ENCODING_FUNCTIONS: FunctionTable = {
  base64: bytes((input) => input.toString('base64')),
  base64_py: bytes(pythonBase64),
  base64_decode: ofText((text) => converted(() => fromBase64(text))),
  hex_encode: bytes((input) => input.toString('hex')),
  hex_decode: ofText((text) => converted(() => fromHex(text))),
  url_encode: bytes(percentEncoded),
  url_decode: ofText((text) => converted(() => percentDecoded(text))),
  html_escape: ofText((text) => bounded(text.replaceAll(/[&<>"']/g, (one) => HTML[one] ?? one))),
  html_unescape: ofText((text) =>
    text.replaceAll(/&(?:amp|lt|gt|quot|apos|#34|#39);/g, (one) => FROM_HTML.get(one) ?? one),
  ),
  gzip: bytes((input) => gzipSync(input)),
  gzip_decode: bytes((input) => gunzipSync(input, limit)),
  zlib: bytes((input) => deflateSync(input)),
  zlib_decode: bytes((input) => inflateSync(input, limit)),
  deflate: bytes((input) => deflateRawSync(input)),
  inflate: bytes((input) => inflateRawSync(input, limit)),
  md5: hash('md5'),
  sha1: hash('sha1'),
  sha256: hash('sha256'),
  sha512: hash('sha512'),
  mmh3: ofText((text) => String(murmur3(bytesOf(text)))),
  hmac: takes(3, 3, hmac),
  aes_cbc: takes(3, 3, aesCbc),
  xor: takes(2, 2, xor),
  zip: takes(2, 20, zip),
  generate_jwt: takes(1, 3, jwt),
};
