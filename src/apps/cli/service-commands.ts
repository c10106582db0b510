import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { loadConfig } from '../../platform/config/load-config';
import { migrate } from '../../platform/database/migrate';
import { migrationProblem } from '../../platform/database/migration-problem';

export function addServiceCommands(program: Command): void {
  program
    .command('migrate')
    .description(
      'Migrate the database schema. Uses MIGRATION_DATABASE_URL (the role that owns the tables) if it is set, ' +
        'else DATABASE_URL. Grants the role of DATABASE_URL the permissions of the service.',
    )
    .action(async () => {
      const config = loadConfig();
      const urls = {
        migrationUrl: config.MIGRATION_DATABASE_URL ?? config.DATABASE_URL,
        appUrl: config.DATABASE_URL,
      };
      const ran = await migrate(urls).catch((error: unknown) => {
        throw new Error(migrationProblem(error, urls), { cause: error });
      });
      const lines = ran.length === 0 ? ['The schema is up to date.'] : ran.map((name) => `Migrated: ${name}`);
      process.stdout.write(`${lines.join('\n')}\n`);
    });

  program
    .command('openapi')
    .description('Write the OpenAPI document. Needs no database.')
    .option('-o, --output <file>', 'the file to write (default: standard output)')
    .action(async ({ output }: { output?: string }) => {
      const { openapiYaml } = await import('./openapi-export.js');
      const yaml = await openapiYaml();
      if (output === undefined) process.stdout.write(yaml);
      else writeFileSync(output, yaml);
    });
}
