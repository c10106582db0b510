import { Client } from 'pg';
import type { SignedEvidence } from '../../engine';
import type { Config } from '../../platform/config/load-config';

/** What rests on a refusal now, and would be blocked after the upgrade. */
export interface BlockedPreview {
  /** Resolved findings stay resolved; open ones are no longer resolved by the same answer. */
  readonly findings: readonly RefusedFinding[];
  /** The last job of each page whose coverage includes one of them: its gate may become red. */
  readonly jobs: readonly { readonly uuid: string; readonly url: string; readonly findings: readonly number[] }[];
}

export interface RefusedFinding {
  readonly id: number;
  readonly organizationId: number;
  readonly title: string;
  readonly location: string;
  readonly isOpen: boolean;
  readonly retest: string;
  /** The status of the tested path, and of a path that does not exist. */
  readonly status: number;
  readonly missingStatus: number | null;
}

const REFUSALS: ReadonlySet<number> = new Set([401, 403, 404, 405, 406, 410, 429, 451]);
const MISSING = /\/nothing-|-nothing-/;

/** From the last fixed retest of each finding. It reads only columns that the previous version has, so it runs before the upgrade. */
export async function previewBlocked(config: Pick<Config, 'DATABASE_URL'>): Promise<BlockedPreview> {
  const client = new Client({ connectionString: config.DATABASE_URL });
  await client.connect();
  try {
    const findings: RefusedFinding[] = [];
    let after = 0;
    for (;;) {
      const rows = await nextOf(client, after);
      if (rows.length === 0) break;
      after = rows.at(-1)?.id ?? after;
      findings.push(...rows.flatMap(({ evidence, ...finding }) => refusedIn(evidence, finding) ?? []));
    }
    return { findings, jobs: await jobsOf(client, findings) };
  } finally {
    await client.end();
  }
}

type Row = Omit<RefusedFinding, 'status' | 'missingStatus'> & { readonly evidence: SignedEvidence };

/** Evidence is large, so few at a time. */
async function nextOf(client: Client, after: number): Promise<Row[]> {
  const { rows } = await client.query<Row>(
    `SELECT f.id, f.organization_id AS "organizationId", f.title, f.check_definition ->> 'location' AS location,
       f.status <= 4 AS "isOpen", r.uuid AS retest, r.evidence
     FROM findings f CROSS JOIN LATERAL (
       SELECT * FROM retests mine WHERE mine.finding_id = f.id AND mine.status = 'finished' ORDER BY mine.id DESC LIMIT 1) r
     WHERE f.id > $1 AND f.status <= 5 AND f.merged_into IS NULL AND r.result = 'fixed' AND r.evidence IS NOT NULL
     ORDER BY f.id LIMIT 50`,
    [after],
  );
  return rows;
}

interface Answer {
  readonly path: string;
  readonly status: number;
}

const answerOf = (sent: string, received: string | null): Answer | null => {
  const path = /^\S+ (\S+) HTTP\//.exec(sent)?.[1];
  const status = Number(/^HTTP\/\S+ (\d{3})/.exec(received ?? '')?.[1]);
  return path === undefined || Number.isNaN(status) ? null : { path: path.split('?', 1)[0] ?? '', status };
};

/** Null if the tested path got what missing paths got, or no refusal. */
export function refusedIn({ evidence }: SignedEvidence, finding: Omit<Row, 'evidence'>): RefusedFinding | null {
  const { baseline } = evidence;
  const key = baseline?.on === 'web' && baseline.decisive.kind === 'http' ? baseline.decisive.key : null;
  const tested = key?.replace(/^\S+ /, '').split('?', 1)[0];
  if (tested === undefined) return null;
  const answers = evidence.probes.flatMap(({ exchanges }) =>
    exchanges.flatMap((one) => answerOf(one.sent, one.received) ?? []),
  );
  const status = answers.findLast(({ path }) => path === tested)?.status;
  const missingStatus = answers.findLast(({ path }) => MISSING.test(path))?.status ?? null;
  if (status === undefined || !REFUSALS.has(status) || status === missingStatus) return null;
  return { ...finding, status, missingStatus };
}

async function jobsOf(client: Client, findings: readonly RefusedFinding[]): Promise<BlockedPreview['jobs']> {
  if (findings.length === 0) return [];
  const { rows } = await client.query<BlockedPreview['jobs'][number]>(
    `SELECT j.uuid, j.url, array_agg(DISTINCT f.id ORDER BY f.id) AS findings
     FROM (SELECT DISTINCT ON (organization_id, url) * FROM jobs WHERE status = 'FINISHED'
       ORDER BY organization_id, url, id DESC) j
     CROSS JOIN LATERAL json_array_elements(coalesce(j.coverage, '[]')) AS covered (test)
     JOIN findings f ON f.id = ANY($1::int[]) AND f.organization_id = j.organization_id
       AND f.check_id = covered.test ->> 'check' AND f.check_definition ->> 'location' = covered.test ->> 'location'
     GROUP BY j.uuid, j.url ORDER BY j.url`,
    [findings.map(({ id }) => id)],
  );
  return rows;
}

/** For the terminal. */
export function previewText({ findings, jobs }: BlockedPreview): string {
  if (findings.length === 0) return 'No fix rests on a refusal: the upgrade changes no result.\n';
  const lines = findings.map(
    ({ id, organizationId, title, location, isOpen, status, missingStatus }) =>
      `  finding ${id} of organization ${organizationId} (${isOpen ? 'open' : 'resolved'}): ${title} at ${location}: ` +
      `${status}, while a missing path gets ${missingStatus ?? 'no known status'}`,
  );
  return [
    'The next test of these says blocked, and no longer fixed. What is resolved stays resolved.',
    ...lines,
    ...(jobs.length === 0 ? [] : ['These jobs have tests of them: their gate may be red after the upgrade.']),
    ...jobs.map(({ uuid, url, findings: ids }) => `  job ${uuid} of ${url}: findings ${ids.join(', ')}`),
    'To keep them: an admin confirms each refusal after a retest, or an owner sets refusals_count_as_fixed.',
    '',
  ].join('\n');
}
