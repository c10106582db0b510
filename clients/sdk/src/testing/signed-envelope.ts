import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { preAuthenticationEncoding } from '../attestation';

const TYPE = 'application/vnd.in-toto+json';

export const idOf = (key: KeyObject): string =>
  createHash('sha256')
    .update(key.export({ format: 'der', type: 'spki' }))
    .digest('hex')
    .slice(0, 16);
export const listed = (key: KeyObject, id = idOf(key)) => ({
  id,
  public_key: key.export({ format: 'pem', type: 'spki' }),
});
export const keysText = (...keys: object[]): string => JSON.stringify({ keys });

/** The key of TEST 1 in section 7.1 of RFC 8032. */
const SEED = '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60';
export const privateKey = createPrivateKey({
  key: Buffer.from(`302e020100300506032b657004220420${SEED}`, 'hex'),
  format: 'der',
  type: 'pkcs8',
});
export const publicKey = createPublicKey(privateKey);
export const keys = keysText(listed(publicKey));

export const digest = 'a'.repeat(64);
export const image = { image_digest: `sha256:${'0'.repeat(64)}` };
export const evidence = {
  type: 'assay/retest-evidence/1',
  target: 'https://a.example/',
  probes: [{ kind: 'probe', exchanges: [{ to: 'https://a.example/', sha256: digest }] }],
  verdict: { result: 'fixed', reason: 'grün' },
};
export const statement = {
  _type: 'https://in-toto.io/Statement/v1',
  subject: [{ name: 'https://a.example/', uri: 'https://a.example/', digest: { sha256: digest } }],
  predicateType: 'urn:assay:retest-evidence:v1',
  predicate: { evidence, stated_by_caller: null as object | null },
};

interface Parts {
  readonly type?: string;
  readonly signedType?: string;
  readonly signer?: KeyObject;
}

/** Signed by the key of the service, whatever the payload is. */
export function envelopeOf(
  payload: object | string | Buffer,
  { type = TYPE, signedType = type, signer = privateKey }: Parts = {},
) {
  const text = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : JSON.stringify(payload);
  const body = Buffer.from(text as string);
  const sig = sign(null, preAuthenticationEncoding(signedType, body), signer).toString('base64');
  return { payload: body.toString('base64'), payloadType: type, signatures: [{ keyid: idOf(publicKey), sig }] };
}

/** An authentic one with an image that a caller stated. */
export const signedEnvelope = () => ({
  envelope: envelopeOf({ ...statement, predicate: { evidence, stated_by_caller: image } }),
  image: image.image_digest,
  keys,
});
