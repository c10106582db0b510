import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { withExample } from './command-example';
import type { SourceName } from '../../modules/vulnerabilities';
import type { MigrateOptions } from './migrate-database';
import type { SetLimitsOptions } from './set-limits';
import type { SetRetentionOptions } from './set-retention';

const withAge = (command: Command, verb: 'archive' | 'delete'): Command =>
  command
    .requiredOption('--older-than <days>', `the age of the youngest entries to ${verb}`, Number)
    .option('--allow-recent', 'allow an age of less than 365 days');

export function addServiceCommands(program: Command): void {
  withExample(program.command('migrate'), 'migrate')
    .description(
      'Migrate the database schema. Uses MIGRATION_DATABASE_URL (the role that owns the tables) if it is set, ' +
        'else DATABASE_URL. Grants the role of DATABASE_URL the permissions of the service.',
    )
    .option('--list', 'list the migrations that ran and those that wait, and change nothing')
    .option('--dry-run', 'list what would run, and change nothing')
    .option('--new', 'make the schema in an empty database, which an installation in production has only once')
    .action(async (options: MigrateOptions) => {
      const { migrateDatabase } = await import('./migrate-database.js');
      process.stdout.write(`${(await migrateDatabase(options)).join('\n')}\n`);
    });

  withExample(program.command('preview-blocked'), 'preview-blocked')
    .description(
      'List the fixes that rest on a refusal of the tested path alone, which tests call blocked since version 0.2. Changes ' +
        'nothing, and runs before the migration.',
    )
    .action(async () => {
      const { reachableConfig } = await import('./reachable-config.js');
      const config = await reachableConfig();
      const { previewBlocked, previewText } = await import('./preview-blocked.js');
      process.stdout.write(previewText(await previewBlocked(config)));
    });

  withExample(withAge(program.command('archive-history'), 'archive'), 'archive-history 2025.ndjson --older-than 730')
    .description(
      'Write old audit entries and old history of findings to a signed archive, then delete them. Uses ' +
        'MIGRATION_DATABASE_URL. Repeat an interrupted run with the same file.',
    )
    .argument('<file>', 'the archive to write; its signature is written to <file>.sig.json')
    .action(async (file: string, { olderThan, ...options }: { olderThan: number; allowRecent?: boolean }) => {
      const { reachableConfig } = await import('./reachable-config.js');
      const config = await reachableConfig();
      const { archiveHistory } = await import('./archive-history.js');
      const { auditLogs, findingHistory } = await archiveHistory(config, {
        file,
        olderThanDays: olderThan,
        ...options,
      });
      process.stdout.write(
        `Archived in ${file} and deleted: ${auditLogs} audit entries, ${findingHistory} history entries of findings.\n`,
      );
    });

  withExample(withAge(program.command('drop-history'), 'delete'), 'drop-history --older-than 730')
    .description(
      'Delete what archive-history would archive, without an archive. Months of audit entries that have all expired are dropped ' +
        'whole. Uses MIGRATION_DATABASE_URL.',
    )
    .action(async ({ olderThan, ...options }: { olderThan: number; allowRecent?: boolean }) => {
      const { reachableConfig } = await import('./reachable-config.js');
      const config = await reachableConfig();
      const { dropHistory } = await import('./drop-history.js');
      const { partitions, auditLogs, findingHistory } = await dropHistory(config, {
        olderThanDays: olderThan,
        ...options,
      });
      process.stdout.write(
        `Dropped: ${partitions.join(', ') || 'no whole month'}. Deleted: ${auditLogs} other audit entries, ${findingHistory} history entries of findings.\n`,
      );
    });

  withExample(program.command('set-retention'), 'set-retention 3 --days 3650')
    .description(
      'Set how many days archive-history and drop-history keep the history of an organization, instead of their --older-than. ' +
        'Without options, show it. Uses MIGRATION_DATABASE_URL.',
    )
    .argument('<organization>', 'the id of the organization', Number)
    .option('--days <number>', 'from 30 to 36500', Number)
    .option('--reset', 'remove it: --older-than applies again')
    .action(async (organizationId: number, options: SetRetentionOptions) => {
      const { reachableConfig } = await import('./reachable-config.js');
      const config = await reachableConfig();
      const { setRetention } = await import('./set-retention.js');
      const days = await setRetention(config, organizationId, options);
      const kept = days === null ? 'as long as --older-than says' : `${days} days`;
      process.stdout.write(`The history of organization ${organizationId} is kept ${kept}.\n`);
    });

  withExample(program.command('set-limits'), 'set-limits 3 --reads 1200')
    .description(
      'Set how many requests a minute one API key of an organization may send; all its keys together may send four times ' +
        'that. Without options, show the limits. Uses MIGRATION_DATABASE_URL.',
    )
    .argument('<organization>', 'the id of the organization', Number)
    .option('--reads <number>', 'reads (GET)', Number)
    .option('--writes <number>', 'writes (all others)', Number)
    .option('--launches <number>', 'launches of jobs', Number)
    .option('--retests <number>', 'retests of findings', Number)
    .option('--imports <number>', 'imports', Number)
    .option('--reset', 'remove all limits of the organization: those of the configuration apply again')
    .action(async (organizationId: number, options: SetLimitsOptions) => {
      const { reachableConfig } = await import('./reachable-config.js');
      const config = await reachableConfig();
      const { limitsSentence, setLimits } = await import('./set-limits.js');
      process.stdout.write(`${limitsSentence(organizationId, await setLimits(config, organizationId, options))}\n`);
    });

  withExample(program.command('check-import-places'), 'check-import-places --apply')
    .description(
      'List findings that imports of earlier versions have put on another URL than that at their host, port and path. ' +
        'With --apply, move them with their history, or merge them into those that the URL has already.',
    )
    .option('--apply', 'move them')
    .action(async ({ apply = false }: { apply?: boolean }) => {
      const { reachableConfig } = await import('./reachable-config.js');
      const config = await reachableConfig();
      const { checkImportPlaces } = await import('./check-import-places.js');
      process.stdout.write(`${(await checkImportPlaces(config, apply)).join('\n')}\n`);
    });

  addLoadCommand(program, 'epss', 'EPSS scores that FIRST publishes (CSV)', 'epss_scores-2026-01-31.csv.gz');
  addLoadCommand(program, 'kev', 'catalog of known exploited vulnerabilities that CISA publishes (JSON)', 'kev.json');

  withExample(program.command('openapi'), 'openapi --output openapi.yaml')
    .description('Write the OpenAPI document. Needs no database.')
    .option('-o, --output <file>', 'the file to write (default: standard output)')
    .action(async ({ output }: { output?: string }) => {
      const { openapiYaml } = await import('./openapi-export.js');
      const yaml = await openapiYaml();
      if (output === undefined) process.stdout.write(yaml);
      else {
        writeFileSync(output, yaml);
        process.stdout.write(`${output} written.\n`);
      }
    });
}

function addLoadCommand(program: Command, name: SourceName, content: string, example: string): void {
  withExample(program.command(`load-${name}`), `load-${name} ${example}`)
    .description(
      `Load the file of the ${content}, also compressed by gzip. It replaces the loaded file for all organizations; after a ` +
        'mistake in the file nothing changes.',
    )
    .argument('<file>', 'the file to load')
    .option('--allow-older', 'load it although a newer file is loaded')
    .action(async (file: string, { allowOlder }: { allowOlder?: boolean }) => {
      const { reachableConfig } = await import('./reachable-config.js');
      const config = await reachableConfig();
      const { loadSentence, loadVulnerabilities } = await import('./load-vulnerabilities.js');
      process.stdout.write(`${loadSentence(name, await loadVulnerabilities(config, name, file, allowOlder))}\n`);
    });
}
