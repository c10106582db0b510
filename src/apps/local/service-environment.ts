import type { Demo } from './demo-file';
import type { DemoTargetAddress } from './demo-target-address';

interface ServiceSettings {
  host: string;
  port: number;
  appUrl: string;
  /** Undefined if the user has set a key, or the database is external. */
  secretKeyFile: string | undefined;
  demoTarget: DemoTargetAddress | undefined;
  workerGraceSeconds: number;
  demoFile: string | undefined;
}

/** The environment of the API, the worker and the seeders: the user's own, with the values of the local start. */
export function serviceEnvironment(
  userEnvironment: NodeJS.ProcessEnv,
  { host, port, appUrl, secretKeyFile, demoTarget, workerGraceSeconds, demoFile }: ServiceSettings,
): NodeJS.ProcessEnv {
  const readable = process.stdout.isTTY ? 'pretty' : 'json';
  const format = userEnvironment['LOG_FORMAT'] ?? 'auto';
  return {
    ...userEnvironment,
    HOST: host,
    PORT: String(port),
    DATABASE_URL: appUrl,
    // Empty instead of absent, because the services also read `.env`, which sets absent keys. The role that owns the tables is
    // not needed after the migrations.
    DATABASE_URL_FILE: '',
    MIGRATION_DATABASE_URL: '',
    MIGRATION_DATABASE_URL_FILE: '',
    ...(secretKeyFile !== undefined && { SECRET_KEY: '', SECRET_KEY_FILE: secretKeyFile }),
    ...(demoTarget && {
      EGRESS_ALLOW: [userEnvironment['EGRESS_ALLOW'], demoTarget.endpoint].filter(Boolean).join(','),
    }),
    // Only problems, unless the user asks for more: a line for each request would push the banner off the screen.
    LOG_LEVEL: userEnvironment['LOG_LEVEL'] || 'warn',
    WORK_GRACE_SECONDS: String(workerGraceSeconds),
    DEMO_FILE: demoFile ?? '',
    LOG_FORMAT: format === 'auto' ? readable : format,
  };
}

/** Without the key that only workers have. */
export const apiEnvironment = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  ...environment,
  AUDIT_HEAD_KEY: '',
  AUDIT_HEAD_KEY_FILE: '',
});

/**
 * The environment of the worker, whose metrics need a port of their own: the one after the port of the API's. An entry for its
 * organization lets active jobs test the demo target, which serves no proof file.
 */
export function workerEnvironment(
  environment: NodeJS.ProcessEnv,
  demo: Demo | undefined,
  target: DemoTargetAddress | undefined,
): NodeJS.ProcessEnv {
  const port = Number(environment['METRICS_PORT']);
  const ownerId = demo?.demo_target_url == null ? undefined : demo.organizations[0]?.id;
  return {
    ...environment,
    ...(port > 0 && { METRICS_PORT: String(port + 1) }),
    ...(target && ownerId && { EGRESS_ALLOW: `${environment['EGRESS_ALLOW']},${ownerId}@${target.endpoint}` }),
  };
}
