import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { type INestApplicationContext, Module, type DynamicModule, type Type } from '@nestjs/common';
import { AuditModule } from '../../modules/audit';
import type { AuditDescription } from '../../platform/audit/audit-entry';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { system } from '../../platform/api/caller';
import { everything } from '../../platform/api/scope';
import { type Config, loadConfig } from '../../platform/config/load-config';
import { awaitDatabase } from '../../platform/database/await-database';
import { NestLog, createLog } from '../../platform/logging/log';
import { PlatformModule } from '../../platform/platform.module';

@Module({})
class CliModule {
  static with(config: Config, modules: readonly Type[]): DynamicModule {
    return { module: CliModule, imports: [PlatformModule.with(config), AuditModule, ...modules] };
  }
}

export const operatorScope = everything('the operator of the service');

/** Runs a change of the operator in a unit of work, audited with the actor `system`. */
export function asOperator<T>(
  app: INestApplicationContext,
  description: Omit<AuditDescription, 'actor'>,
  work: () => Promise<T>,
): Promise<T> {
  const metadata = { ...description.metadata, via: 'cli' };
  return app.get(UnitOfWork).run({ ...description, metadata, actor: system }, operatorScope, work);
}

const log = createLog({ LOG_LEVEL: 'error', LOG_FORMAT: 'pretty' });

/** Runs a program of `npm start` with all modules, when the database in DATABASE_URL is reachable. */
export async function runInDomain<T>(work: (app: INestApplicationContext) => Promise<T>): Promise<T> {
  const config = loadConfig();
  await awaitDatabase(config, log);
  return runWithModules(config, work);
}

/**
 * Runs a command with these modules and those that they import, by default with all, and closes all connections afterwards.
 * Loading all takes two thirds of the time of a short command.
 */
export async function runWithModules<T>(
  config: Config,
  work: (app: INestApplicationContext) => Promise<T>,
  modules?: readonly Type[],
): Promise<T> {
  const needed = modules ?? [(await import('../features.module.js')).FeaturesModule];
  const app = await NestFactory.createApplicationContext(CliModule.with(config, needed), {
    logger: new NestLog(log),
    abortOnError: false,
  });
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}
