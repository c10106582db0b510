import { openAsBlob, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type AssayClient,
  dataOf,
  pages,
  safeLine,
  type Schemas,
  waitForImport,
  waitForObservation,
} from '../../sdk/src';
import { firstOf } from './findings';
import { timeText } from './output';
import { EXIT, Problem } from './problem';
import type { CommonFlags, Session } from './session';

const LIMIT = 100;

export async function assets(
  session: Session,
  flags: CommonFlags & { limit?: number; query?: string; label?: string },
): Promise<void> {
  const client = session.client();
  const path = { organization_id: await session.organization(client) };
  const query = { q: flags.query, label: flags.label } as never;
  const list = pages(client, '/v1/organizations/{organization_id}/assets/', { path, query });
  const { rows, hasMore } = await firstOf(list, flags.limit ?? LIMIT);
  session.output.table<Schemas['ListedAssetResponse']>(rows, {
    ID: (one) => one.id,
    TYPE: (one) => one.type,
    ASSET: (one) => one.value,
    TIER: (one) => one.tier,
    FINDINGS: (one) => one.n_findings,
    LABELS: (one) => one.labels?.join(', '),
  });
  if (rows.length === 0) session.output.say('No assets.');
  if (hasMore) session.output.say(`The first ${rows.length}. More: --limit ${rows.length * 10}`);
}

export async function events(session: Session, flags: CommonFlags & { limit?: number }): Promise<void> {
  const client = session.client();
  const list =
    session.settings.organization === undefined
      ? pages(client, '/v1/events')
      : pages(client, '/v1/organizations/{organization_id}/events/', {
          path: { organization_id: await session.organization(client) },
        });
  const { rows, hasMore } = await firstOf(list, flags.limit ?? LIMIT);
  session.output.table<Schemas['EventResponse']>(rows, {
    SLUG: (one) => one.slug,
    ORGANIZATION: (one) => one.organization_id,
    STATUS: (one) => one.status,
    EVENT: (one) => one.name,
    BEGINS: (one) => timeText(one.start_date),
    ENDS: (one) => timeText(one.end_date),
  });
  if (rows.length === 0) session.output.say('No events.');
  if (hasMore) session.output.say(`The first ${rows.length}. More: --limit ${rows.length * 10}`);
}

export async function observe(
  session: Session,
  asset: number,
  { wait }: CommonFlags & { wait?: boolean },
): Promise<number> {
  const client = session.client();
  const { output, signal } = session;
  const started = await dataOf(client.POST('/v1/assets/{asset_id}/observe', { params: { path: { asset_id: asset } } }));
  if (wait !== true) {
    output.record(started, () => started.uuid);
    output.say(`The observation waits for its turn. Next: assay open asset ${asset}`);
    return EXIT.success;
  }
  const onState = ({ status }: { status: string }): void => output.progress(`Observation: ${safeLine(status)}`);
  const waited = await waitForObservation(client, started.uuid, { signal, onState });
  output.stopProgress();
  if (!waited.ended) {
    output.say('assay: Stopped waiting. The observation goes on.');
    return EXIT.inconclusive;
  }
  const { status, hosts, open_ports: ports, changes, error } = waited.state;
  const shown = `${safeLine(status)}: ${hosts ?? 0} hosts, ${ports ?? 0} open ports, ${changes ?? 0} changes`;
  output.record(waited.state, () => (error ? `${shown}. ${safeLine(error)}` : shown));
  return status === 'FINISHED' ? EXIT.success : EXIT.failed;
}

interface ImportFlags extends CommonFlags {
  readonly dryRun?: boolean;
  readonly format?: string;
  readonly asset?: string;
  readonly unknownAssets?: string;
}

export async function importFile(session: Session, file: string, flags: ImportFlags): Promise<number> {
  const client = session.client();
  const { output, signal, settings } = session;
  const body = (await openAsBlob(file).catch(() => {
    throw new Problem(`${file} cannot be read.`);
  })) as never;
  const query = {
    name: basename(file).slice(0, 200),
    format: flags.format,
    asset: flags.asset,
    unknown_assets: flags.unknownAssets,
    dry_run: flags.dryRun,
  } as never;
  // As it is: the service recognizes the format.
  const sent = { body, bodySerializer: (one: unknown) => one, headers: { 'content-type': 'application/octet-stream' } };
  const { event } = settings;
  const started = await dataOf(
    event === undefined
      ? client.POST('/v1/organizations/{organization_id}/imports', {
          params: { path: { organization_id: await session.organization(client) }, query },
          ...sent,
        })
      : client.POST('/v1/events/{event_slug}/imports', { params: { path: { event_slug: event }, query }, ...sent }),
  );
  const waited = await waitForImport(client, started.id, {
    signal,
    onState: ({ status, rows_done: done }) =>
      output.progress(`Import ${started.id}: ${safeLine(status)}, ${done} results`),
  });
  output.stopProgress();
  if (!waited.ended) {
    output.say(`assay: Stopped waiting. The import ${started.id} goes on.`);
    return EXIT.inconclusive;
  }
  const { status, rows, error, refused_not_stored: notStored } = waited.state;
  const counts = Object.entries(rows ?? {}).map(([what, count]) => `${count} ${what.replace('_', ' ')}`);
  output.record(waited.state, () => `${safeLine(status)}: ${counts.join(', ')}`);
  if (error) output.say(`assay: ${safeLine(error)}`);
  if ((rows?.refused ?? 0) > 0) await sayRefused(session, client, started.id, (rows?.refused ?? 0) + (notStored ?? 0));
  if (flags.dryRun === true) output.say(`Nothing has changed. Next: assay import ${file}`);
  return status === 'FINISHED' ? EXIT.success : EXIT.failed;
}

async function sayRefused({ output }: Session, client: AssayClient, id: number, total: number): Promise<void> {
  const parameters = { path: { import_id: id }, query: { result: 'refused' } as never };
  const { rows } = await firstOf(pages(client, '/v1/imports/{import_id}/rows', parameters), 10);
  for (const { number, title, reason } of rows)
    output.say(`refused ${number}: ${safeLine(title)}: ${safeLine(reason)}`);
  if (total > rows.length) output.say(`and ${total - rows.length} more`);
}

interface FeedFlags extends CommonFlags {
  readonly follow?: boolean;
  readonly after?: number;
  readonly type?: string;
}

/** Every entry once, in order. */
export async function feed(session: Session, { follow, after, type }: FeedFlags): Promise<void> {
  const { output, signal } = session;
  const client = session.client({ attempts: follow === true ? Infinity : undefined });
  const path = { organization_id: await session.organization(client) };
  const read = (position: number | undefined, wait: number): Promise<Schemas['FeedResponse']> =>
    dataOf(
      client.GET('/v1/organizations/{organization_id}/feed', {
        params: { path, query: { after: position, type, wait, limit: 1_000 } as never },
      }),
    );
  let position = after;
  if (follow === true && after === undefined)
    position = (await read(9_999_999_999, 0).catch(() => read(undefined, 0))).newest;
  try {
    for (;;) {
      const page = await read(position, follow === true ? 20 : 0);
      for (const entry of page.entries)
        output.record(
          entry,
          () =>
            `${entry.position}\t${safeLine(entry.at)}\t${safeLine(entry.type)}\t${safeLine(entry.record_id)}\t${safeLine(dataText(entry.data))}`,
        );
      const isDone = page.entries.length === 0 && page.next_after >= page.newest;
      if (follow !== true && (isDone || page.next_after === position)) return;
      position = page.next_after;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    output.say(`Continue with: assay feed --follow --after ${position ?? 0}`);
  }
}

const dataText = (data: unknown): string => {
  const { title, status, severity, value, name } = data as Record<string, unknown>;
  return [title ?? value ?? name, severity, status]
    .filter((one) => typeof one === 'string' || typeof one === 'number')
    .join(', ');
};

interface ReportFlags extends CommonFlags {
  readonly format?: string;
  readonly output?: string;
}

/** Of a scan (its UUID), an event (its slug), or the organization. */
export async function report(session: Session, subject: string | undefined, flags: ReportFlags): Promise<void> {
  const client = session.client();
  const { output, signal } = session;
  const format = flags.format ?? 'pdf';
  const body = { options: { format } } as never;
  const isScan = /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(subject ?? '');
  const { id } = await dataOf(
    subject === undefined
      ? client.POST('/v1/organizations/{organization_id}/reports/', {
          params: { path: { organization_id: await session.organization(client) } },
          body,
        })
      : isScan
        ? client.POST('/v1/jobs/{uuid}/reports/', { params: { path: { uuid: subject } }, body })
        : client.POST('/v1/events/{event_slug}/reports/', { params: { path: { event_slug: subject } }, body }),
  );
  if (id === null) throw new Problem('The service gave the report no id.');
  const path = { report_id: id };
  for (;;) {
    const state = await dataOf(client.GET('/v1/reports/{report_id}/', { params: { path } }));
    if (state.error) throw new Problem(`The report failed: ${state.error}`);
    if (state.generation_date) break;
    output.progress(`Report ${id} is written`);
    await delay(1_000, undefined, { signal });
  }
  output.stopProgress();
  const bytes = await dataOf(
    client.GET('/v1/reports/{report_id}/download', { params: { path }, parseAs: 'arrayBuffer' }),
  );
  const file =
    flags.output ??
    `assay-report-${id}.${format === 'junit' ? 'xml' : /^(gitlab|vex|csaf)$/.test(format) ? 'json' : format}`;
  if (file === '-') return void session.terminal.stdout.write(Buffer.from(bytes));
  writeFileSync(file, Buffer.from(bytes));
  output.record({ id, file }, () => file);
}
