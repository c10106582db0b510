import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { HealthController } from '../../src/apps/api/http/health.controller';
import { loadConfig } from '../../src/platform/config/load-config';
import { configSchema } from '../../src/platform/config/schema';
import { SECRET_KEYS } from '../../src/platform/config/secret-keys';
import { environmentOf, stageOf } from './dockerfile';

const project = resolve(__dirname, '../..');

const settings = new Set<string>([...Object.keys(configSchema.shape), ...SECRET_KEYS.map((key) => `${key}_FILE`)]);
export const unknownSettings = (names: Iterable<string>): string[] => [...names].filter((name) => !settings.has(name));

/** The programs of `dist` that a text names, as paths of their sources. */
export const programsIn = (text: string): string[] =>
  Array.from(text.matchAll(/\bdist\/(src\/[\w/-]+)\.js/g), ([, path]) => `${path}.ts`);
export const missingFiles = (paths: string[]): string[] => paths.filter((path) => !existsSync(join(project, path)));

/** The paths of the health checks. */
export const healthPaths = Object.getOwnPropertyNames(HealthController.prototype).map(
  (name) => `/${Reflect.getMetadata('path', HealthController.prototype[name as 'ready'])}`,
);

/** The configuration of a container or unit whose secrets are replaced by valid ones. */
export function accept(environment: Record<string, string>): ReturnType<typeof loadConfig> {
  const plain = Object.entries(environment).filter(([name]) => !name.endsWith('_FILE'));
  return loadConfig({
    DATABASE_URL: 'postgres://db/assay',
    SECRET_KEY: Buffer.alloc(32).toString('base64'),
    ...Object.fromEntries(plain),
  });
}

/** The variables of the image of the service. */
export const imageEnvironment = environmentOf(stageOf());
