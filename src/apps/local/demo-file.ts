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
  /** Where the demo target listens, if it runs and is one of the assets. */
  demo_target_url: string | null;
  organizations: DemoOrganization[];
  integrator: Credentials & { organization_ids: number[] };
}

export const demoFile = (dataDir: string): string => join(dataDir, 'demo.json');

/** One that is missing or cut short is made again. */
export function readDemo(file: string): Demo | undefined {
  try {
    // Those of earlier versions know of no target.
    const demo: Demo = { demo_target_url: null, ...JSON.parse(readFileSync(file, 'utf8')) };
    return demo;
  } catch {
    return undefined;
  }
}

/** Renamed into place: a reader, or the next start after a power cut, never sees half a file. */
export function writeDemo(file: string, demo: Demo): void {
  writeFileSync(`${file}.new`, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** The demo data with the addresses of today, which are written back where they changed. */
export function currentDemo(dataDir: string, baseUrl: string, targetUrl: string | null): Demo | undefined {
  const file = demoFile(dataDir);
  const demo = readDemo(file);
  if (demo === undefined) return undefined;
  // Elsewhere than the data say, it is none of the assets.
  const demo_target_url = demo.demo_target_url === targetUrl ? targetUrl : null;
  if (demo.base_url === baseUrl && demo.demo_target_url === demo_target_url) return demo;
  const current = { ...demo, base_url: baseUrl, demo_target_url };
  writeDemo(file, current);
  return current;
}
