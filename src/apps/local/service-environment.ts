import type { DemoTargetAddress } from './demo-target-address';

interface ServiceSettings {
  host: string;
  port: number;
  appUrl: string;
  /** Undefined where the user has named a key, or the database is not ours. */
  secretKeyFile: string | undefined;
  demoTarget: DemoTargetAddress | undefined;
}

/** What the API, the worker and the seeders find in their environment: the user's own, and what only we know. */
export function serviceEnvironment(
  userEnvironment: NodeJS.ProcessEnv,
  { host, port, appUrl, secretKeyFile, demoTarget }: ServiceSettings,
): NodeJS.ProcessEnv {
  const readable = process.stdout.isTTY ? 'pretty' : 'json';
  const format = userEnvironment['LOG_FORMAT'] ?? 'auto';
  return {
    ...userEnvironment,
    HOST: host,
    PORT: String(port),
    DATABASE_URL: appUrl,
    // Empty rather than absent: the services read `.env` too, which fills in what is absent. And nobody needs the owner
    // of the tables after the migrations.
    DATABASE_URL_FILE: '',
    MIGRATION_DATABASE_URL: '',
    MIGRATION_DATABASE_URL_FILE: '',
    ...(secretKeyFile !== undefined && { SECRET_KEY: '', SECRET_KEY_FILE: secretKeyFile }),
    ...(demoTarget && {
      EGRESS_ALLOW: [userEnvironment['EGRESS_ALLOW'], demoTarget.endpoint].filter(Boolean).join(','),
    }),
    LOG_FORMAT: format === 'auto' ? readable : format,
  };
}
