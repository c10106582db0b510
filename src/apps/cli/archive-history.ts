import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { open, rename, writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Client } from 'pg';
import { conflict, invalid } from '../../kernel/domain-error';
import { minUuidV7 } from '../../kernel/uuid-v7';
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
import { asOperator, runWithModules } from './run-in-domain';

/** Rows that one statement reads or deletes: a few milliseconds, and each deletion is a transaction of its own. */
const PIECE = 500;
const USUAL_DAYS = 365;

export interface ArchiveOptions {
  readonly file: string;
  readonly olderThanDays: number;
  readonly allowRecent?: boolean;
  /** After each deleted piece. */
  readonly onDeleted?: (rows: number) => void;
}

/**
 * Writes old audit entries and old history of findings to a file, signs it, and then deletes exactly the rows of the file. An
 * interrupted run is repeated with the same file: without a signature nothing was deleted, and with one only the deletion is left.
 */
export async function archiveHistory(config: Config, options: ArchiveOptions): Promise<ArchiveManifest> {
  const { file, olderThanDays, allowRecent = false } = options;
  if (!Number.isInteger(olderThanDays) || olderThanDays < 1)
    throw invalid('--older-than must be a number of days, at least 1.');
  if (olderThanDays < USUAL_DAYS && !allowRecent)
    throw invalid(`--older-than ${olderThanDays} is less than a year. Add --allow-recent if that is intended.`);
  if (existsSync(file) && !hasSignature(file))
    throw conflict(
      `${file} exists without a signature, so nothing of it was deleted. Remove it, or choose another file.`,
    );
  return asTableOwner(config, (owner) =>
    runWithModules(config, async (app) => {
      const signingKeys = app.get(SigningKeysService);
      if (!hasSignature(file)) {
        const before = new Date(Date.now() - olderThanDays * 86_400_000);
        const facts = await writeRows(owner, `${file}.part`, before);
        await rename(`${file}.part`, file);
        await writeDurably(signatureFileOf(file), signedManifest(facts, await signingKeys.current()));
      }
      const keys = (await signingKeys.list()).map(({ id, publicKey }) => ({ id, pem: publicKey }));
      const manifest = await verifyArchive(file, keys);
      const isNew = await recordOnce(owner, manifest, (work) => {
        const { sha256: resourceId, before, auditLogs, findingHistory } = manifest;
        const metadata = { before, audit_logs: auditLogs, finding_history: findingHistory };
        const entry = { operation: 'audit_log.archive', resourceType: 'audit_log', resourceId, metadata } as const;
        return asOperator(app, { ...entry, organizationId: null }, work);
      });
      const deleted = await deleteRows(owner, file, options.onDeleted);
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

interface PieceRow {
  readonly id: string;
  readonly organization_id: number;
  /** Null if the row is kept. */
  readonly line: string | null;
  readonly is_recent: boolean;
}

/** An id of an audit entry begins with its time. `ORDER BY id` would be the order of the texts, without the index. */
const AUDIT_LOGS = `
  SELECT id::text, organization_id, row_to_json(l)::text AS line, false AS is_recent FROM audit_logs l
  WHERE (id, organization_id) > ($1::uuid, $2) AND id < $3::uuid ORDER BY l.id, l.organization_id LIMIT ${PIECE}`;

/** The last change of a finding's status, and comments and edits after it, are kept: verdicts and the portal need them. */
const FINDING_HISTORY = `
  SELECT id::text, organization_id, created >= $3 AS is_recent,
    CASE WHEN created < $3 AND EXISTS (
      SELECT 1 FROM finding_history n WHERE n.finding_id = h.finding_id AND n.id > h.id AND NOT n.is_comment AND n.changes IS NULL)
    THEN row_to_json(h)::text END AS line
  FROM finding_history h
  WHERE (id, organization_id) > ($1::bigint, $2) ORDER BY h.id, h.organization_id LIMIT ${PIECE}`;

async function writeRows(
  client: Client,
  file: string,
  before: Date,
): Promise<Omit<ArchiveManifest, 'type' | 'signed'>> {
  const hash = createHash('sha256');
  const output = await open(file, 'w', 0o600);
  const write = async (table: ArchivedRow['table'], lines: readonly string[]): Promise<void> => {
    const text = lines.map((line) => `{"table":"${table}","row":${line}}\n`).join('');
    hash.update(text);
    await output.write(text);
  };
  async function each(table: ArchivedRow['table'], statement: string, first: string, bound: unknown): Promise<number> {
    let count = 0;
    let last: PieceRow | undefined;
    for (;;) {
      const { rows } = await client.query<PieceRow>(statement, [last?.id ?? first, last?.organization_id ?? 0, bound]);
      const lines = rows.flatMap(({ line }) => line ?? []);
      await write(table, lines);
      count += lines.length;
      last = rows.at(-1);
      if (last === undefined || rows.length < PIECE || rows.every((row) => row.is_recent)) return count;
    }
  }
  try {
    const auditLogs = await each('audit_logs', AUDIT_LOGS, minUuidV7(0), minUuidV7(before.getTime()));
    const findingHistory = await each('finding_history', FINDING_HISTORY, '0', before);
    await output.sync();
    return { sha256: hash.digest('hex'), before: before.toISOString(), auditLogs, findingHistory };
  } finally {
    await output.close();
  }
}

async function writeDurably(file: string, text: string): Promise<void> {
  await writeFile(`${file}.part`, text, { mode: 0o600, flush: true });
  await rename(`${file}.part`, file);
}

const DELETIONS = {
  audit_logs: `
    DELETE FROM audit_logs WHERE (id, organization_id) IN (SELECT * FROM unnest($1::uuid[], $2::int[]))`,
  finding_history: `
    DELETE FROM finding_history WHERE (id, organization_id) IN (SELECT * FROM unnest($1::bigint[], $2::int[]))`,
} as const;

async function deleteRows(
  client: Client,
  file: string,
  onDeleted: (rows: number) => void = () => undefined,
): Promise<number> {
  let piece: ArchivedRow[] = [];
  let deleted = 0;
  const flush = async (): Promise<void> => {
    const table = piece[0]?.table;
    if (table === undefined) return;
    await client.query('BEGIN');
    await client.query(`SET LOCAL assay.archived = 'on'`);
    const { rowCount } = await client.query(DELETIONS[table], [
      piece.map(({ row }) => row.id),
      piece.map(({ row }) => row.organization_id),
    ]);
    await client.query('COMMIT');
    piece = [];
    deleted += rowCount ?? 0;
    onDeleted(rowCount ?? 0);
  };
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const next = JSON.parse(line) as ArchivedRow;
    if (piece.length === PIECE || (piece[0] !== undefined && piece[0].table !== next.table)) await flush();
    piece.push(next);
  }
  await flush();
  return deleted;
}
