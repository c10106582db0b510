import type { Log } from 'sarif';
import type { ReportRenderer, ReportSnapshot } from '../../domain/report-snapshot';
import { formats } from '../formats';
import { resultOf } from './sarif-results';
import { ruleIdOf, rulesOf } from './sarif-rules';

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json';

/** SARIF 2.1.0: one run, a rule for each check and for each title that people recorded, a result for each finding. */
export function sarifLog({ report_id, taken, event, organization, findings, options }: ReportSnapshot): Log {
  const rules = rulesOf(findings);
  const indices = new Map(rules.map(({ id }, index) => [id, index]));
  return {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Assay', fullName: 'Assay: findings that are tested, not believed', rules } },
        // The part before the last slash is what consumers tell runs apart by: reports of one event follow each other.
        automationDetails: { id: `assay/${event.slug}/${report_id}`, description: { text: event.name } },
        invocations: [{ executionSuccessful: true, endTimeUtc: taken }],
        columnKind: 'utf16CodeUnits',
        results: findings.map((finding) => resultOf(finding, indices.get(ruleIdOf(finding)) ?? -1)),
        properties: { report_id, organization: organization.name, event: event.slug, options },
      },
    ],
  };
}

export class SarifRenderer implements ReportRenderer {
  readonly contentType = formats.sarif.contentType;
  readonly extension = formats.sarif.extension;

  async render(snapshot: ReportSnapshot): Promise<Buffer> {
    return Buffer.from(`${JSON.stringify(sarifLog(snapshot), null, 2)}\n`);
  }
}
