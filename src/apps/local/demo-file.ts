import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Credentials {
  email: string;
  password: string;
  api_key: string;
  api_secret: string;
}

interface DemoOrganization {
  id: number;
  name: string;
  event_slug: string | null;
  finding_ids: number[];
  asset_ids: number[];
  report_id: number | null;
  users: (Credentials & { role: string })[];
}

/** What the seeder made, for people and for scripts. */
export interface Demo {
  base_url: string;
  organizations: DemoOrganization[];
  integrator: Credentials & { organization_ids: number[] };
}

export const demoFile = (dataDir: string): string => join(dataDir, 'demo.json');

/** The demo data with the address of today, which is written back where it changed. */
export function currentDemo(dataDir: string, baseUrl: string): Demo | undefined {
  const file = demoFile(dataDir);
  const demo = read(file);
  if (!demo || demo.base_url === baseUrl) return demo;
  const current = { ...demo, base_url: baseUrl };
  // Renamed into place: a reader, or the next start after a power cut, never sees half a file.
  writeFileSync(`${file}.new`, `${JSON.stringify(current, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
  return current;
}

/** One that is missing or cut short is made again. */
function read(file: string): Demo | undefined {
  try {
    const demo: Demo = JSON.parse(readFileSync(file, 'utf8'));
    return demo;
  } catch {
    return undefined;
  }
}
