import { createHash, createPublicKey, verify } from 'node:crypto';
import { canonicalJson, type Fields, isFields, keysIn } from './evidence-parts';
import { leafHash, MerkleTree } from './merkle-tree';

export interface AuditTreeState {
  readonly size: number;
  readonly root: string;
}

export interface AuditHead extends AuditTreeState {
  readonly organization: number;
  readonly month: string;
  readonly previous: (AuditTreeState & { readonly month: string }) | null;
  readonly evidenceKeys: AuditTreeState;
  readonly signed: Date;
  /** The id of the key that signed it. */
  readonly key: string;
}

const ENTRY_FIELDS = [
  'id',
  'actor_type',
  'actor_id',
  'operation',
  'operation_category',
  'resource_type',
  'resource_id',
  'status',
  'metadata',
] as const;

/** The leaf of an entry as the API, an export in NDJSON or an archive has it. */
export function auditEntryHash(entry: Fields, organization: number): Buffer {
  const fields = Object.fromEntries(ENTRY_FIELDS.map((name) => [name, entry[name] ?? null]));
  const timestamp = new Date(String(entry['timestamp'])).toISOString();
  const type = 'assay/audit-entry/1';
  return leafHash(canonicalJson({ type, ...fields, timestamp, organization_id: organization }));
}

export const timeOfAuditEntry = (id: string): Date => new Date(parseInt(id.replaceAll('-', '').slice(0, 12), 16));

function stateIn(value: unknown): AuditTreeState {
  const { size, root } = isFields(value) ? value : {};
  if (typeof size !== 'number' || typeof root !== 'string') throw new Error('A head has no size or root.');
  return { size, root };
}

/** Throws unless the key that the document names has signed its head. Whose key that is, only its id says. */
export function readAuditHead(document: unknown): AuditHead {
  const { head, signature } = isFields(document) ? document : {};
  if (!isFields(head) || head['type'] !== 'assay/audit-head/1' || !isFields(signature))
    throw new Error('A head has an unknown type or no signature.');
  const { organization_id: organization, month, previous, signed } = head;
  const name = `The head of organization ${String(organization)}, ${String(month)} with ${String(head['size'])} entries`;
  const der = Buffer.from(String(signature['public_key']), 'base64');
  const key = createHash('sha256').update(der).digest('hex').slice(0, 16);
  const publicKey = createPublicKey({ key: der, format: 'der', type: 'spki' });
  const value = Buffer.from(String(signature['value']), 'base64');
  if (publicKey.asymmetricKeyType !== 'ed25519' || !verify(null, Buffer.from(canonicalJson(head)), publicKey, value))
    throw new Error(`${name} was changed after it was signed.`);
  if (typeof organization !== 'number' || typeof month !== 'string' || typeof signed !== 'string')
    throw new Error(`${name} lacks a field.`);
  return {
    ...stateIn(head),
    organization,
    month,
    previous: isFields(previous) ? { ...stateIn(previous), month: String(previous['month']) } : null,
    evidenceKeys: stateIn(head['evidence_keys']),
    signed: new Date(signed),
    key,
  };
}

/** Whether a response of `GET /v1/evidence-keys` begins with the keys that a head covers. */
export function coversEvidenceKeys({ size, root }: AuditTreeState, document: unknown): boolean {
  keysIn(document);
  const listed = (document as { readonly keys: readonly Fields[] }).keys;
  const orderOf = (key: Fields): string => `${String(key['created'])} ${String(key['id'])}`;
  const ordered = listed.toSorted((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1));
  const tree = new MerkleTree();
  for (const { id, public_key, created } of ordered.slice(0, size))
    tree.add(leafHash(canonicalJson({ type: 'assay/evidence-key/1', id, public_key, created })));
  return tree.size === size && tree.root === root;
}
