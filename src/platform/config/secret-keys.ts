/** The keys that can also be read from a file, whose path is in `NAME_FILE`. */
export const SECRET_KEYS = [
  'DATABASE_URL',
  'MIGRATION_DATABASE_URL',
  'DATABASE_REPLICA_URLS',
  'REDIS_URL',
  'SECRET_KEY',
  'SECRET_KEY_PREVIOUS',
  'AUDIT_HEAD_KEY',
  'SMTP_URL',
  'OIDC_CLIENT_SECRET',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'CALLBACK_KEY',
  'CALLBACK_DATABASE_URL',
] as const;
