import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { open, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import type { Client } from 'pg';
import { conflict } from '../../kernel/domain-error';
import { timeOfUuidV7 } from '../../kernel/uuid-v7';
import { monthOf } from '../../modules/audit';
import { SigningKeysService } from '../../modules/evidence';
import type { Config } from '../../platform/config/load-config';
import {
  type ArchivedRow,
  type ArchiveManifest,
  hasSignature,
  signatureFileOf,
  signedManifest,
  verifyArchive,
} from './archive-file';
import { asTableOwner } from './as-table-owner';
import { auditPartitions, dropPartition } from './audit-partitions';
import {
  type Age,
  deletePiece,
  expiredRows,
  PIECE,
  proofLines,
  removeUnusedProofs,
  type Retention,
  retentionOf,
} from './history-rows';
import { asOperator, runWithModules } from './run-in-domain';

export interface ArchiveOptions extends Age {
  readonly file: string;
  /** After each dropped partition and each deleted piece. */
  readonly onDeleted?: (rows: number) => void;
}

/**
 * Writes old audit entries and old history of findings to a file, signs it, and then deletes exactly the rows of the file. An
 * interrupted run is repeated with the same file: without a signature nothing was deleted, and with one only the deletion is left.
 */
export async function archiveHistory(config: Config, options: ArchiveOptions): Promise<ArchiveManifest> {
  const { file } = options;
  if (existsSync(file) && !hasSignature(file))
    throw conflict(
      `${file} exists without a signature, so nothing of it was deleted. Remove it, or choose another file.`,
    );
  return asTableOwner(config, (owner) =>
    runWithModules(config, async (app) => {
      const retention = await retentionOf(owner, options);
      const signingKeys = app.get(SigningKeysService);
      if (!hasSignature(file)) {
        // Without a key, nothing is written.
        const key = await signingKeys.current();
        const facts = await writeRows(owner, `${file}.part`, retention);
        await renameDurably(`${file}.part`, file);
        await writeDurably(signatureFileOf(file), signedManifest(facts, key));
      }
      const keys = (await signingKeys.list()).map(({ id, publicKey }) => ({ id, pem: publicKey }));
      const manifest = await verifyArchive(file, keys);
      const isNew = await recordOnce(owner, manifest, (work) => {
        const { sha256: resourceId, before, auditLogs, findingHistory } = manifest;
        const metadata = { before, audit_logs: auditLogs, finding_history: findingHistory };
        const entry = { operation: 'audit_log.archive', resourceType: 'audit_log', resourceId, metadata } as const;
        return asOperator(app, { ...entry, organizationId: null }, work);
      });
      const deleted = await deleteArchived(owner, file, manifest, options.onDeleted);
      await removeUnusedProofs(owner, new Date(manifest.before));
      if (!isNew && deleted === 0)
        throw conflict(`${file} is complete, and its rows are deleted. Choose another file for a new archive.`);
      return manifest;
    }),
  );
}

/** An entry before the first deletion. Returns false if an interrupted run has written it. */
async function recordOnce(
  client: Client,
  { sha256 }: ArchiveManifest,
  record: (work: () => Promise<void>) => Promise<void>,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `SELECT 1 FROM audit_logs
     WHERE organization_id = 0 AND resource_type = 'audit_log' AND resource_id = $1 AND operation = 'audit_log.archive'`,
    [sha256],
  );
  if (rowCount !== 0) return false;
  await record(async () => undefined);
  return true;
}

async function writeRows(
  owner: Client,
  file: string,
  retention: Retention,
): Promise<Omit<ArchiveManifest, 'type' | 'signed'>> {
  const hash = createHash('sha256');
  const output = await open(file, 'w', 0o600);
  const written = { audit_logs: 0, finding_history: 0 };
  const partitions: Record<string, number> = {};
  const months = new Map<string, readonly [organizationId: number, month: string]>();
  const write = async (text: string): Promise<void> => {
    hash.update(text);
    await output.write(text);
  };
  try {
    for (const table of ['audit_logs', 'finding_history'] as const) {
      for await (const rows of expiredRows(owner, table, retention)) {
        await write(rows.map(({ line }) => `{"table":"${table}","row":${line}}\n`).join(''));
        written[table] += rows.length;
        if (table === 'audit_logs')
          for (const { partition, id, organization_id: organizationId } of rows) {
            partitions[partition] = (partitions[partition] ?? 0) + 1;
            const month = monthOf(timeOfUuidV7(id));
            months.set(`${organizationId} ${month}`, [organizationId, month]);
          }
      }
    }
    for (const [organizationId, month] of months.values())
      for await (const line of proofLines(owner, organizationId, month)) await write(line);
    await output.sync();
    return {
      sha256: hash.digest('hex'),
      before: retention.before.toISOString(),
      auditLogs: written.audit_logs,
      findingHistory: written.finding_history,
      partitions,
    };
  } finally {
    await output.close();
  }
}

async function writeDurably(file: string, text: string): Promise<void> {
  await writeFile(`${file}.part`, text, { mode: 0o600, flush: true });
  await renameDurably(`${file}.part`, file);
}

/** The folder is written too: what follows is deleted in another machine's database. */
async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to);
  const folder = await open(dirname(to), 'r');
  await folder.sync();
  await folder.close();
}

/** The others are proofs. */
const DELETED: ReadonlySet<string> = new Set(['audit_logs', 'finding_history']);

/** Drops the partitions whose rows are all in the file, and deletes its other rows. */
async function deleteArchived(
  owner: Client,
  file: string,
  manifest: ArchiveManifest,
  onDeleted: (rows: number) => void = () => undefined,
): Promise<number> {
  let deleted = 0;
  let piece: ArchivedRow[] = [];
  const count = (rows: number): void => {
    deleted += rows;
    if (rows > 0) onDeleted(rows);
  };
  const flush = async (): Promise<void> => {
    const table = piece[0]?.table;
    const rows = piece.map(({ row }) => row);
    if (table !== undefined) count(await deletePiece(owner, table, rows));
    piece = [];
  };
  await dropArchived(owner, manifest, count);
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const next = JSON.parse(line) as ArchivedRow;
    if (!DELETED.has(next.table)) continue;
    if (piece.length === PIECE || (piece[0] !== undefined && piece[0].table !== next.table)) await flush();
    piece.push(next);
  }
  await flush();
  return deleted;
}

/** A partition that has as many rows as the file has of it has no other row: the log is append-only. */
async function dropArchived(
  owner: Client,
  { partitions = {}, before }: ArchiveManifest,
  count: (rows: number) => void,
): Promise<void> {
  for (const partition of await auditPartitions(owner, new Date(before))) {
    const rows = partitions[partition.name] ?? 0;
    const check = `SELECT count(*) = $1 AS "mayDrop" FROM ${partition.name}`;
    if (await dropPartition(owner, partition, check, [rows])) count(rows);
  }
}
