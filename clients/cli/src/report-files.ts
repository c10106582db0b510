import { writeFileSync } from 'node:fs';
import {
  type AssayClient,
  dataOf,
  type GateResult,
  incompleteSarif,
  recordReference,
  safeLine,
  withCategory,
} from '../../sdk/src';
import { Problem } from './problem';
import type { CommonFlags, Session } from './session';

declare const ASSAY_VERSION: string;

export interface ReportFlags extends CommonFlags {
  readonly report?: readonly string[];
  readonly category?: string;
  readonly record?: string;
}

/** As GitLab and others expect them. */
const FILES: Readonly<Record<string, string>> = {
  json: 'assay.json',
  sarif: 'assay.sarif',
  gitlab: 'gl-dast-report.json',
  junit: 'assay-junit.xml',
  csv: 'assay.csv',
};
const CATEGORY = 'assay';

/** `sarif` or `sarif=FILE`. */
function fileOf(entry: string): readonly [format: string, file: string] {
  const [format = '', ...path] = entry.split('=');
  const file = path.length > 0 ? path.join('=') : FILES[format];
  if (file === undefined || FILES[format] === undefined || file === '')
    throw new Problem(`--report is one of ${Object.keys(FILES).join(', ')}, not ${entry}.`);
  return [format, file];
}

/** What a scan leaves besides its result: the files of reports, and the reference that it is recorded as. */
export class ReportFiles {
  private readonly files: (readonly [format: string, file: string])[];
  private readonly written = new Set<string>();

  constructor(
    private readonly session: Session,
    private readonly flags: ReportFlags,
  ) {
    this.files = (flags.report ?? []).map(fileOf);
  }

  async finished(client: AssayClient, uuid: string): Promise<void> {
    const { category, record } = this.flags;
    for (const [format, file] of this.files) {
      const query = { format, severity: this.session.settings.severity } as never;
      const options = { params: { path: { uuid }, query }, parseAs: 'arrayBuffer' as const };
      const bytes = Buffer.from(await dataOf(client.GET('/v1/jobs/{uuid}/report', options)));
      const isCategorized = format === 'sarif' && category !== undefined;
      writeFileSync(file, isCategorized ? withCategory(JSON.parse(bytes.toString()), category) : bytes);
      this.written.add(file);
      this.session.output.say(`Wrote ${file}.`);
    }
    if (record !== undefined) this.session.output.say(safeLine(await recordReference(client, uuid, record)));
  }

  /** A SARIF file is always there, for the step that uploads it. */
  ended(result: GateResult): void {
    const reason = safeLine(result.gate === 'unknown' ? result.reason : result.success.description);
    for (const [format, file] of this.files) {
      if (format !== 'sarif' || this.written.has(file)) continue;
      writeFileSync(file, incompleteSarif(this.flags.category ?? CATEGORY, reason, ASSAY_VERSION));
      this.written.add(file);
      this.session.output.say(`Wrote ${file}, which says that the scan is incomplete.`);
    }
  }
}
