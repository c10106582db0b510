import { readFileSync } from 'node:fs';
import { type ConfigValues, configSchema } from './schema';
import { SECRET_KEYS } from './secret-keys';

/** The configuration at process start. It is frozen; nothing else reads the environment. */
export abstract class Config {}
export interface Config extends Readonly<ConfigValues> {}

type Issue = NonNullable<ReturnType<typeof configSchema.safeParse>['error']>['issues'][number];

/** Replaces a URL that is missing or wrong, which is reported on its own. */
const ANY_DATABASE = 'postgres://any/any';

export class ConfigError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`The configuration cannot be used:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

/** Reads and checks the environment; throws one error that lists every problem at once. */
export function loadConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const problems: string[] = [];
  const given = withSecretFiles(withoutBlanks(environment), problems);
  const parsed = configSchema.safeParse(given);
  if (!parsed.success) {
    for (const issue of [...parsed.error.issues, ...issuesOfOthers(given, parsed.error.issues)]) {
      const key = String(issue.path[0]);
      if (problems.some((problem) => problem.startsWith(`${key}_FILE`))) continue;
      problems.push(
        given[key] === undefined && issue.code !== 'custom' ? `${key} is missing` : `${key} ${sentence(issue.message)}`,
      );
    }
  }
  if (problems.length > 0 || !parsed.success) throw new ConfigError(problems);
  return Object.freeze(parsed.data);
}

/** zod checks the rules about several keys only if each key is valid, so this checks again without the invalid keys. */
function issuesOfOthers(given: Record<string, string | undefined>, issues: readonly Issue[]): Issue[] {
  const reported = new Set(issues.map(({ path }) => String(path[0])));
  const valid = Object.entries(given).filter(([key]) => !reported.has(key));
  const again = configSchema.safeParse({ DATABASE_URL: ANY_DATABASE, ...Object.fromEntries(valid) });
  return (again.error?.issues ?? []).filter(({ path }) => !reported.has(String(path[0])));
}

/** Treats `KEY=` in an environment file as not set. */
function withoutBlanks(environment: NodeJS.ProcessEnv): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
}

function withSecretFiles(
  given: Record<string, string | undefined>,
  problems: string[],
): Record<string, string | undefined> {
  const merged = { ...given };
  for (const key of SECRET_KEYS) {
    const path = given[`${key}_FILE`];
    if (path === undefined) continue;
    if (given[key] !== undefined) {
      problems.push(`${key}_FILE and ${key} are both set: set one of them`);
      continue;
    }
    try {
      merged[key] = readFileSync(path, 'utf8').trim();
    } catch (error) {
      problems.push(`${key}_FILE cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`);
    }
  }
  return merged;
}

/** Our messages begin with "must", those of zod are complete sentences. */
const sentence = (message: string): string => (message.startsWith('must') ? message : `is not valid: ${message}`);
