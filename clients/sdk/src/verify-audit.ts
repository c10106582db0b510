import {
  type AuditHead,
  auditEntryHash,
  type AuditTreeState,
  coversEvidenceKeys,
  readAuditHead,
  timeOfAuditEntry,
} from './audit-heads';
import { type Fields, isFields } from './evidence-parts';
import { MerkleTree } from './merkle-tree';

/** A commit comes some seconds after the time in the id of its entry, at most. */
const LATE_MS = 600_000;
const HASH_DIGITS = 64;

export interface AuditReport {
  readonly organization: number;
  readonly month: string;
  /** Of the last head. */
  readonly size: number;
  readonly signed: Date;
  readonly removed: readonly string[];
  readonly changed: readonly string[];
  /** Behind a head: with a time before it, but not in it. */
  readonly added: readonly string[];
  /** Entries that no head covers yet. */
  readonly uncovered: number;
  /** Heads that do not fit the hashes, or each other. */
  readonly problems: readonly string[];
}

export interface AuditOptions {
  /** The ids of the keys that may sign heads. Without them every key may. */
  readonly keys?: readonly string[];
  /** The response of `GET /v1/evidence-keys`. */
  readonly evidenceKeys?: unknown;
  /** The files have only entries from this time on, and before that one. */
  readonly from?: Date;
  readonly until?: Date;
}

interface Leaf {
  readonly id: string;
  readonly hash: string;
}

interface Tree {
  readonly heads: AuditHead[];
  /** What heads of later months say of it. */
  readonly claims: AuditTreeState[];
  readonly pieces: Map<number, readonly Leaf[]>;
  readonly entries: Map<string, string>;
}

/**
 * Compares entries with the signed heads of their months, without a service. Takes the lines of any number of files: exports of the log
 * in NDJSON, archives, proofs and heads.
 */
export class AuditVerification {
  private readonly trees = new Map<string, Tree>();
  private readonly problems: string[] = [];
  private readonly organizations = new Set<number>();
  /** Lines of exports, which do not name their organization. */
  private readonly unnamed: Fields[] = [];
  readonly keys: Set<string> = new Set();

  constructor(private readonly options: AuditOptions = {}) {}

  add(line: string): void {
    if (line.trim() === '') return;
    const value: unknown = JSON.parse(line);
    if (!isFields(value)) throw new Error('A line is no object.');
    const { table, row } = value;
    if (value['head'] !== undefined) this.addHead(value);
    else if (table === 'audit_heads' && isFields(row)) this.addHead(row['document']);
    else if (table === 'audit_leaves' && isFields(row)) this.addLeaves(row);
    else if (table === 'audit_logs' && isFields(row)) this.addEntry(row, Number(row['organization_id']));
    else if (table === undefined && typeof value['operation'] === 'string') this.unnamed.push(value);
    else if (table !== 'finding_history') throw new Error('A line is not an entry, a head or hashes of the audit log.');
  }

  /** Problems of no single month come first. */
  finish(): { readonly problems: readonly string[]; readonly months: readonly AuditReport[] } {
    const [organization, ...others] = this.organizations;
    if (this.unnamed.length > 0 && (organization === undefined || others.length > 0))
      throw new Error('Entries of an export need the heads of one organization beside them.');
    for (const entry of this.unnamed) this.addEntry(entry, organization ?? 0);
    const months = [...this.trees].toSorted().flatMap(([name, tree]) => this.reportOf(name, tree));
    return { problems: this.problems, months };
  }

  private tree(organization: number, month: string): Tree {
    const name = `${organization} ${month}`;
    let tree = this.trees.get(name);
    if (tree === undefined)
      this.trees.set(name, (tree = { heads: [], claims: [], pieces: new Map(), entries: new Map() }));
    return tree;
  }

  private addHead(document: unknown): void {
    try {
      const head = readAuditHead(document);
      const { organization, month, previous, key, evidenceKeys } = head;
      const name = `The head of organization ${organization}, ${month} with ${head.size} entries`;
      if (this.options.keys?.includes(key) === false)
        throw new Error(`${name} is signed with ${key}, which is not among the given keys.`);
      if (this.options.evidenceKeys !== undefined && !coversEvidenceKeys(evidenceKeys, this.options.evidenceKeys))
        throw new Error(`${name} covers other keys that sign evidence.`);
      this.keys.add(key);
      this.organizations.add(organization);
      this.tree(organization, month).heads.push(head);
      if (previous !== null) this.tree(organization, previous.month).claims.push(previous);
    } catch (error) {
      this.problems.push(error instanceof Error ? error.message : String(error));
    }
  }

  private addLeaves(row: Fields): void {
    const { organization_id: organization, month, start, ids, hashes } = row;
    if (!Array.isArray(ids) || typeof hashes !== 'string') throw new Error('Hashes of the audit log are incomplete.');
    const digits = hashes.replace(/^\\x/, '');
    const leaves = ids.map((id, at) => ({
      id: String(id),
      hash: digits.slice(at * HASH_DIGITS, (at + 1) * HASH_DIGITS),
    }));
    this.organizations.add(Number(organization));
    this.tree(Number(organization), String(month)).pieces.set(Number(start), leaves);
  }

  private addEntry(entry: Fields, organization: number): void {
    const id = String(entry['id']);
    const month = timeOfAuditEntry(id).toISOString().slice(0, 7);
    this.tree(organization, month).entries.set(id, auditEntryHash(entry, organization).toString('hex'));
  }

  private reportOf(name: string, { heads, claims, pieces, entries }: Tree): AuditReport[] {
    const [organization = '', month = ''] = name.split(' ');
    heads.sort((one, other) => one.size - other.size);
    const last = heads.at(-1);
    if (last === undefined || (pieces.size === 0 && entries.size === 0)) return this.withoutHead(name, entries.size);
    const leaves: Leaf[] = [];
    for (let piece = pieces.get(0); piece !== undefined; piece = pieces.get(leaves.length)) leaves.push(...piece);
    const problems = problemsOf([...heads, ...claims], leaves);
    const covered = new Map(leaves.slice(0, last.size).map(({ id, hash }) => [id, hash]));
    const isExpected = (id: string): boolean =>
      timeOfAuditEntry(id) >= (this.options.from ?? 0) && timeOfAuditEntry(id) < (this.options.until ?? Infinity);
    const unknown = [...entries.keys()].filter((id) => !covered.has(id));
    const isBehind = (id: string, head: AuditHead): boolean => +timeOfAuditEntry(id) < +head.signed - LATE_MS;
    const late = heads.flatMap((head, at) =>
      leaves.slice(head.size, heads[at + 1]?.size ?? head.size).filter(({ id }) => isBehind(id, head)),
    );
    const added = [...late.map(({ id }) => id), ...unknown.filter((id) => isBehind(id, last))];
    return [
      {
        organization: Number(organization),
        month,
        size: last.size,
        signed: last.signed,
        removed: [...covered.keys()].filter((id) => isExpected(id) && !entries.has(id)),
        changed: [...covered].flatMap(([id, hash]) => ((entries.get(id) ?? hash) === hash ? [] : [id])),
        added,
        uncovered: unknown.filter((id) => !isBehind(id, last)).length,
        problems,
      },
    ];
  }

  private withoutHead(name: string, entries: number): [] {
    if (entries > 0) this.problems.push(`Organization ${name.replace(' ', ', ')}: no head covers ${entries} entries.`);
    return [];
  }
}

/** Each head must be the root of the first leaves. */
function problemsOf(claims: readonly AuditTreeState[], leaves: readonly Leaf[]): string[] {
  const tree = new MerkleTree();
  let fitting = 0;
  for (const { size, root } of claims.toSorted((one, other) => one.size - other.size)) {
    if (size > leaves.length)
      return [
        `There are hashes of ${leaves.length} entries, and a head of ${size}: entries were removed, or the database was restored to a time before the head.`,
      ];
    for (const { hash } of leaves.slice(tree.size, size)) tree.add(Buffer.from(hash, 'hex'));
    if (tree.root !== root)
      return [
        `The hashes do not fit the head of ${size} entries: something after entry ${fitting} of the tree was removed, changed or added.`,
      ];
    fitting = size;
  }
  return [];
}
