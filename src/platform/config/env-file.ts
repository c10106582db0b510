import { existsSync } from 'node:fs';

/** Reads `.env` in the current folder. Variables that are already set take precedence. */
export function readEnvFile(): void {
  if (existsSync('.env')) process.loadEnvFile('.env');
}
