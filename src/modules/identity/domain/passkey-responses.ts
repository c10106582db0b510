import {
  type AuthenticationResponseJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type WebAuthnCredential,
} from '@simplewebauthn/server';
import { decodeAttestationObject, isoBase64URL } from '@simplewebauthn/server/helpers';
import { passkeyNotCreated } from './identity.errors';
import type { RelyingParty } from './relying-party';

interface Expected {
  readonly party: RelyingParty;
  readonly challenge: string;
}

interface StoredKey {
  readonly userId: number;
  readonly credentialId: Buffer;
  readonly publicKey: Buffer;
  readonly counter: string;
}

/** Either the counter of the authenticator, or why the assertion is refused. */
type Assertion =
  | { readonly counter: number; readonly problem?: undefined }
  | { readonly problem: string; readonly counter?: undefined };

const MAX_TRANSPORTS = 10;
/** In base64url: authenticators have ids of at most 1,023 bytes, and an index of the database has a limit. */
const MAX_ID = 1_364;
const MAX_REASON = 200;
/** Others have certificates, which nothing here needs, and whose lists of revocations would be fetched. */
const ATTESTATIONS = new Set(['none', 'packed']);

/** What authenticators know the user by. It is no address or name. */
export const handleOf = (userId: number): Buffer<ArrayBuffer> => Buffer.from(`user ${userId}`);

/** By which the passkey of a response is found; empty if the response is damaged. */
export function credentialIdIn(response: string): Buffer {
  try {
    const { id } = objectIn(response) as { readonly id?: unknown };
    return Buffer.from(typeof id === 'string' ? id : '', 'base64url');
  } catch {
    return Buffer.alloc(0);
  }
}

export async function checkedAssertion(
  text: string,
  { userId, credentialId, publicKey, counter }: StoredKey,
  { party, challenge, isAlone }: Expected & { readonly isAlone: boolean },
): Promise<Assertion> {
  try {
    const response = objectIn(text) as AuthenticationResponseJSON;
    const { userHandle } = response.response;
    if (typeof userHandle === 'string' && userHandle !== handleOf(userId).toString('base64url'))
      fail('handle of another user');
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: isAlone,
      credential: {
        id: credentialId.toString('base64url'),
        publicKey: new Uint8Array(publicKey),
        counter: Number(counter),
      },
    });
    return verified ? { counter: authenticationInfo.newCounter } : { problem: 'wrong signature' };
  } catch (error) {
    return { problem: (error instanceof Error ? error.message : String(error)).slice(0, MAX_REASON) };
  }
}

export async function createdCredential(
  text: string,
  { party, challenge }: Expected,
): Promise<{ readonly credential: WebAuthnCredential; readonly transports: string[] }> {
  try {
    const response = objectIn(text) as RegistrationResponseJSON;
    const format = decodeAttestationObject(isoBase64URL.toBuffer(response.response.attestationObject)).get('fmt');
    if (!ATTESTATIONS.has(format)) fail('unexpected attestation');
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: false,
    });
    if (!verified) return fail('wrong signature');
    if (registrationInfo.credential.id.length > MAX_ID) fail('id too long');
    const { transports = [] } = response.response;
    const named = transports
      .filter((name: unknown) => typeof name === 'string' && /^[a-z-]{1,20}$/.test(name))
      .slice(0, MAX_TRANSPORTS);
    return { credential: registrationInfo.credential, transports: named };
  } catch {
    throw passkeyNotCreated();
  }
}

function objectIn(text: string): object {
  const value: unknown = JSON.parse(text);
  return typeof value === 'object' && value !== null ? value : fail('no object');
}

function fail(reason: string): never {
  throw new Error(reason);
}
