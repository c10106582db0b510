import { existsSync } from 'node:fs';

/** `.env` in the folder that the process was started in; what the environment already says wins. */
export function readEnvFile(): void {
  if (existsSync('.env')) process.loadEnvFile('.env');
}
