import { packageVersion } from '../../kernel/package-version';
import type { Config } from '../../platform/config/load-config';
import { reasonOf } from '../../platform/database/database-errors';
import { schemaState } from '../../platform/database/schema-state';
import { asService } from './as-table-owner';
import { type ReadStatus, readStatus } from './read-status';
import { redisState, type ReplicaState, replicaState } from './reachable-servers';
import { textTable } from './text-output';

const TIMEOUTS = { connectionTimeoutMillis: 3_000, query_timeout: 3_000 };
const MAX_CLOCK_SECONDS = 5;
const MAX_LAG_SECONDS = 30;
const MAX_WAIT_SECONDS = 600;
const MAX_BACKLOG_SECONDS = 300;
/** The worker keeps four. */
const LEAST_MONTHS = 2;

export interface InstallationStatus extends Partial<ReadStatus> {
  readonly version: string;
  readonly redis: string;
  readonly replicas: readonly ReplicaState[];
  readonly missing_migrations: readonly string[];
  readonly schema_is_newer: boolean;
  /** One sentence each, which says what to do. */
  readonly problems: readonly string[];
}

/** What an operator must know of an installation, also of one that is broken: what cannot be read is a problem. */
export async function installationStatus(config: Config): Promise<InstallationStatus> {
  const redis = await redisState(config.REDIS_URL);
  const known = await asService(config, readStatus, TIMEOUTS).catch((error: unknown) => reasonOf(error));
  const replicas =
    typeof known === 'string'
      ? []
      : await Promise.all(config.DATABASE_REPLICA_URLS.map((url) => replicaState(url, known.position)));
  const status = typeof known === 'string' ? undefined : known;
  const { missing, isNewer } = schemaState(status?.ran ?? []);
  const found = { redis, replicas, missing_migrations: status === undefined ? [] : missing, schema_is_newer: isNewer };
  const { ran: _ran, position: _position, ...shown } = status ?? {};
  const problems = [
    ...(typeof known === 'string' ? [`The database in DATABASE_URL cannot be read: ${known}.`] : problemsOf(known)),
    ...(status !== undefined && missing.length > 0
      ? [`The schema lacks ${missing.length} migrations: run migrate.`]
      : []),
    ...(isNewer ? ['The schema is newer than this version: finish the update of this machine.'] : []),
    ...(redis.startsWith('unreachable')
      ? [`Redis is ${redis}. Requests are limited by each process alone: check REDIS_URL.`]
      : []),
    ...replicas.flatMap(({ host, problem, lag_seconds: lag = 0 }) =>
      problem !== undefined
        ? [`The replica ${host} cannot be read: ${problem}. Reads go to the primary meanwhile.`]
        : lag > MAX_LAG_SECONDS
          ? [
              `The replica ${host} is ${Math.round(lag)} seconds behind. Reads go to the primary meanwhile: see docs/scale.md.`,
            ]
          : [],
    ),
  ];
  return { version: packageVersion, ...shown, ...found, problems };
}

function problemsOf(status: ReadStatus): string[] {
  const { processes, work, feed_backlog: feed, audit_months_ahead: months, clock_difference_seconds: clock } = status;
  const { wal_archive: archive } = status;
  const others = [...new Set(processes.map(({ version }) => version).filter((version) => version !== packageVersion))];
  return [
    ...['api', 'worker']
      .filter((program) => !processes.some((one) => one.program === program))
      .map((program) => `No ${program} is connected: start one.`),
    ...(others.length === 0
      ? []
      : [`Processes of version ${others.join(', ')} run beside ${packageVersion}: finish the update.`]),
    ...(Math.abs(clock) > MAX_CLOCK_SECONDS
      ? [`The clock of this machine differs from that of the database by ${Math.round(clock)} seconds: correct it.`]
      : []),
    ...work
      .filter(({ oldest_seconds: oldest }) => oldest > MAX_WAIT_SECONDS)
      .map(
        ({ kind, oldest_seconds: oldest }) =>
          `Work of kind ${kind} has been waiting for ${Math.round(oldest / 60)} minutes: run more workers, and see list-work --kind ${kind}.`,
      ),
    ...(feed.oldest_seconds > MAX_BACKLOG_SECONDS
      ? [
          `${feed.changes} changes wait for the feed, the oldest for ${Math.round(feed.oldest_seconds / 60)} minutes: read the log of the worker.`,
        ]
      : []),
    ...(months < LEAST_MONTHS
      ? [`The audit log has partitions for ${months} months ahead: a worker adds them, so read its log.`]
      : []),
    ...(archive.is_failing
      ? ['PostgreSQL cannot archive its write-ahead log, so backups miss changes: read its log.']
      : []),
  ];
}

export function statusText(status: InstallationStatus): string {
  const { processes = [], work = [], feed_backlog: feed, problems, wal_archive: archive } = status;
  const seconds = (value: number | undefined): string => (value === undefined ? 'unknown' : `${value.toFixed(1)} s`);
  return [
    `Version: ${status.version}`,
    processes.length === 0
      ? 'Processes: none'
      : textTable(
          ['Process', 'Version', 'Host', 'Connections'],
          processes.map(({ program, version, host, connections }) => [program, version, host, connections]),
        ),
    `Schema: ${status.missing_migrations.length === 0 ? 'complete' : `${status.missing_migrations.length} migrations are missing`}`,
    `Clock against the database: ${seconds(status.clock_difference_seconds)}`,
    `Redis: ${status.redis}`,
    ...status.replicas.map(
      ({ host, lag_seconds: lag, problem }) => `Replica ${host}: ${problem ?? `${seconds(lag)} behind`}`,
    ),
    ...(work.length === 0
      ? ['Unfinished work: none']
      : [
          textTable(
            ['Work', 'Waiting', 'Running', 'Failed in a day', 'Oldest waits'],
            work.map((one) => [one.kind, one.waiting, one.running, one.failed, seconds(one.oldest_seconds)]),
          ),
        ]),
    `Feed: ${feed?.changes ?? 'unknown'} changes wait`,
    `Organizations: ${status.organizations ?? 'unknown'}, suspended: ${status.suspended ?? 'unknown'}, near a limit: ${status.near_limit ?? 'unknown'}`,
    `Audit log: partitions for ${status.audit_months_ahead ?? 'unknown'} months ahead`,
    `Write-ahead log archived: ${archive?.last?.toISOString() ?? 'never, or not by PostgreSQL'}`,
    problems.length === 0 ? 'No problems.' : `Problems:\n${problems.map((problem) => `- ${problem}`).join('\n')}`,
  ].join('\n');
}
