import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { loadConfig } from '../../platform/config/load-config';
import { migrate } from '../../platform/database/migrate';
import { migrationProblem } from '../../platform/database/migration-problem';

export function addServiceCommands(program: Command): void {
  program
    .command('migrate')
    .description(
      'Bring the database schema up to date. Uses MIGRATION_DATABASE_URL (the role that owns the tables) where it is set, ' +
        'else DATABASE_URL, and grants the role of DATABASE_URL what the service needs.',
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
    .description('Write the OpenAPI document; needs no database.')
    .option('-o, --output <file>', 'where to write it; standard output if left out')
    .action(async ({ output }: { output?: string }) => {
      const { openapiYaml } = await import('./openapi-export.js');
      const yaml = await openapiYaml();
      if (output === undefined) process.stdout.write(yaml);
      else writeFileSync(output, yaml);
    });
}
