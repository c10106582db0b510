import { type AssayClient, dataOf } from './client';

/** What the JSON report of a scan says of a finding that stops the gate, as far as it could be read. */
export interface Explanation {
  readonly proved: string | undefined;
  readonly fix: string | undefined;
}

/** Texts for people, by the ids of findings. What cannot be read is left out, because no result depends on it. */
export async function explanationsOf(
  client: AssayClient,
  uuid: string,
  severity: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<number, Explanation>> {
  try {
    const query = { format: 'json', severity } as never;
    const options = { params: { path: { uuid }, query }, signal };
    return explanationsIn(await dataOf(client.GET('/v1/jobs/{uuid}/report', options)));
  } catch {
    return new Map();
  }
}

function explanationsIn(report: unknown): Map<number, Explanation> {
  const { findings = [] } = (report ?? {}) as { readonly findings?: readonly { id: number; md?: string }[] };
  return new Map(
    findings.map(({ id, md = '' }) => {
      const [, fix] = /\*\*How to fix it\.\*\*\s+([^]*?)(?:\n\n|$)/.exec(md) ?? [];
      const [, proved] = /which showed\s+([^]*?)(?:\n\n|$)/.exec(md) ?? [];
      // What follows is a block of configuration, which fits into no line.
      return [id, { fix: fix?.replace(/(?:,? in [\w ]+)?:$/, '.'), proved }];
    }),
  );
}

/** The command for a shell that repeats the tests of findings: it has nothing but ids, and an address without special characters. */
export function commandFor(
  url: string | undefined,
  findings: readonly { readonly check: string | null }[],
  depth?: string | null,
): string | undefined {
  const checks = [...new Set(findings.map(({ check }) => check ?? ''))].filter((id) => /^[\w.:-]+$/.test(id));
  const target = /^https?:\/\/[\w.:/%-]+$/.test(url ?? '') ? url : 'URL';
  const deep = depth === 'active' ? ' --depth active' : '';
  return checks.length === 0 ? undefined : `assay scan ${target}${deep} --wait --checks ${checks.join(' ')}`;
}
