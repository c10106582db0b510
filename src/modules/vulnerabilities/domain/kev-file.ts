import { z } from 'zod';
import { invalid } from '../../../kernel/domain-error';

export interface KevOfCve {
  readonly cve: string;
  readonly dateAdded: string;
  readonly dueDate: string | null;
  readonly ransomware: boolean;
}

export interface KevFile {
  readonly version: string;
  readonly released: Date;
  readonly entries: readonly KevOfCve[];
}

const day = z.iso.date('must be a day such as 2026-01-31');

const catalog = z.object({
  catalogVersion: z.string().min(1).max(40),
  dateReleased: z.iso.datetime({ offset: true, error: 'must be an instant such as 2026-01-31T12:00:00Z' }),
  count: z.number().int().optional(),
  vulnerabilities: z
    .array(
      z.object({
        cveID: z.string().regex(/^CVE-\d{4}-\d{4,19}$/, 'must be a CVE identifier, such as CVE-2026-12345'),
        dateAdded: day,
        dueDate: z.union([day, z.literal('')], { error: 'must be a day such as 2026-01-31' }).nullish(),
        knownRansomwareCampaignUse: z.string().optional(),
      }),
    )
    .min(1, 'must not be empty')
    .max(1_000_000),
});

/** Reads the catalog of known exploited vulnerabilities that CISA publishes. Fields that are not needed may have any value. */
export function readKevFile(text: string): KevFile {
  const parsed = catalog.safeParse(jsonOf(text));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const path = (issue?.path ?? []).map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`));
    throw problemOf(`${path.join('').replace(/^\./, '') || 'The file'} ${issue?.message ?? 'is not valid'}`);
  }
  const { catalogVersion: version, dateReleased, count, vulnerabilities } = parsed.data;
  if (count !== undefined && count !== vulnerabilities.length)
    throw problemOf(`count is ${count}, but the file has ${vulnerabilities.length} vulnerabilities`);
  const seen = new Map<string, number>();
  for (const [index, { cveID }] of vulnerabilities.entries()) {
    const earlier = seen.get(cveID);
    if (earlier !== undefined)
      throw problemOf(`vulnerabilities[${index}] has ${cveID} again, like vulnerabilities[${earlier}]`);
    seen.set(cveID, index);
  }
  const entries = vulnerabilities.map(({ cveID: cve, dateAdded, dueDate, knownRansomwareCampaignUse }) => ({
    cve,
    dateAdded,
    dueDate: dueDate || null,
    ransomware: knownRansomwareCampaignUse === 'Known',
  }));
  return { version, released: new Date(dateReleased), entries };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw problemOf(`The file is not JSON: ${(error as Error).message}`);
  }
}

const problemOf = (problem: string) =>
  invalid(`${problem}. A catalog of known exploited vulnerabilities of CISA is expected. Nothing was changed.`);
