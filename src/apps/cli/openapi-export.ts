import 'reflect-metadata';
import { dump } from 'js-yaml';
import { NestFactory } from '@nestjs/core';
import { buildApiDocument } from '../api/documentation';
import { ApiModule } from '../api/api.module';
import { loadConfig } from '../../platform/config/load-config';

/** Preview mode does not instantiate providers, so that no database is needed. */
export async function openapiYaml(): Promise<string> {
  const config = loadConfig({ DATABASE_URL: 'postgres://nowhere/assay' });
  const app = await NestFactory.create(ApiModule.with(config), { preview: true, logger: false, abortOnError: false });
  return dump(buildApiDocument(app, config), { noRefs: true, lineWidth: 120 });
}
