import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { canonicalJson, keyIdOf } from '../../evidence/domain/signed-bytes';
import { grown, leafHash, rootOf } from './merkle-tree';

interface HashedEntry {
  readonly id: string;
  readonly timestamp: Date;
  readonly organizationId: number | null;
  readonly actorType: string;
  readonly actorId: unknown;
  readonly operation: string;
  readonly operationCategory: string;
  readonly resourceType: string;
  readonly resourceId: unknown;
  readonly status: string;
  readonly metadata: unknown;
}

/** The bytes of an entry in the tree. `docs/backup.md` states them; a change of them needs another type. */
export const entryHash = (log: HashedEntry): Buffer =>
  leafHash(
    canonicalJson({
      type: 'assay/audit-entry/1',
      id: log.id,
      timestamp: log.timestamp.toISOString(),
      organization_id: log.organizationId,
      actor_type: log.actorType,
      actor_id: log.actorId,
      operation: log.operation,
      operation_category: log.operationCategory,
      resource_type: log.resourceType,
      resource_id: log.resourceId,
      status: log.status,
      metadata: log.metadata,
    }),
  );

export interface TreeState {
  readonly size: number;
  /** In hex. */
  readonly root: string;
}

/** What is signed. */
export interface HeadStatement extends TreeState {
  readonly type: 'assay/audit-head/1';
  readonly organization_id: number;
  /** The month of the ids of the entries, in UTC, such as 2026-11. */
  readonly month: string;
  /** The last head of an earlier month, so that no whole month can be removed. */
  readonly previous: (TreeState & { readonly month: string }) | null;
  /** All keys that sign evidence, the oldest first. */
  readonly evidence_keys: TreeState;
  readonly signed: string;
}

export interface SignedHead {
  readonly head: HeadStatement;
  readonly signature: {
    readonly algorithm: 'Ed25519';
    /** The first 16 hex digits of the SHA-256 of the public key. */
    readonly key: string;
    /** SubjectPublicKeyInfo in Base64. */
    readonly public_key: string;
    readonly value: string;
  };
}

/** PKCS #8 of an Ed25519 key, before its 32 bytes. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

export const headKeyOf = (setting: string): KeyObject =>
  createPrivateKey({ key: Buffer.concat([PKCS8, Buffer.from(setting, 'base64')]), format: 'der', type: 'pkcs8' });

export function signedHead(head: HeadStatement, key: KeyObject): SignedHead {
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).toString('base64');
  const value = sign(null, Buffer.from(canonicalJson(head)), key).toString('base64');
  return { head, signature: { algorithm: 'Ed25519', key: keyIdOf(key), public_key: publicKey, value } };
}

/** The tree of the keys, in the order in which they were created. */
export function evidenceKeysState(
  keys: readonly { readonly id: string; readonly publicKey: string; readonly created: Date }[],
): TreeState {
  const ordered = keys.toSorted((one, other) => +one.created - +other.created || (one.id < other.id ? -1 : 1));
  const leaves = ordered.map(({ id, publicKey, created }) =>
    leafHash(
      canonicalJson({ type: 'assay/evidence-key/1', id, public_key: publicKey, created: created.toISOString() }),
    ),
  );
  return { size: leaves.length, root: rootOf(grown([], 0, leaves)).toString('hex') };
}
