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
  /** A report of the event as PDF. Null until the results on the demo target are complete. */
  report_id: number | null;
  html_report_id?: number;
  /** A job on the demo target. */
  job_uuid?: string;
  retested_finding_ids?: number[];
  /** The event that tests the demo target by itself. */
  machine_event_slug?: string;
  users: (Credentials & { role: string })[];
}

/** The demo data in `demo.json`, for users and scripts. */
export interface Demo {
  base_url: string;
  /** The URL of the demo target, if it runs and is an asset. */
  demo_target_url: string | null;
  /** While the users exist and the rest is being added. */
  records?: 'pending';
  /** What a worker does on the demo target after the first start: a job, retests and reports. */
  results?: 'pending' | 'complete';
  organizations: DemoOrganization[];
  integrator: Credentials & { organization_ids: number[] };
  /** Ids for the documentation page, by the name of the parameter. */
  examples?: Record<string, string | number>;
}

export const demoFile = (dataDir: string): string => join(dataDir, 'demo.json');

/** Undefined if the file is missing or incomplete; the demo data is then created again. */
export function readDemo(file: string): Demo | undefined {
  try {
    // Files of earlier versions have no demo target.
    const demo: Demo = { demo_target_url: null, ...JSON.parse(readFileSync(file, 'utf8')) };
    return demo;
  } catch {
    return undefined;
  }
}

/** Writes a temporary file and renames it, so that no reader sees an incomplete file. */
export function writeDemo(file: string, demo: Demo): void {
  writeFileSync(`${file}.new`, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** The demo data with the current addresses. Writes the file if they have changed. */
export function currentDemo(dataDir: string, baseUrl: string, targetUrl: string | null): Demo | undefined {
  const file = demoFile(dataDir);
  const demo = readDemo(file);
  if (demo === undefined) return undefined;
  // At another address than in the data, the demo target is not an asset.
  const demo_target_url = demo.demo_target_url === targetUrl ? targetUrl : null;
  if (demo.base_url === baseUrl && demo.demo_target_url === demo_target_url) return demo;
  const current = { ...demo, base_url: baseUrl, demo_target_url };
  writeDemo(file, current);
  return current;
}
