import type { ReportRenderer, ReportSnapshot } from '../../domain/report-snapshot';
import { contentUuid } from '../content-uuid';
import { FORMATS } from '../formats';
import { subjectTexts } from '../subject-texts';
import { vexStatements } from './vex-statements';

/**
 * OpenVEX 0.2.0: a statement for each finding with a CVE on an asset that names its product. Documents with the same
 * statements have the same id.
 */
export function vexDocument(snapshot: ReportSnapshot): object {
  const { taken, organization } = snapshot;
  const statements = vexStatements(snapshot);
  const author = organization.name;
  return {
    '@context': 'https://openvex.dev/ns/v0.2.0',
    '@id': `urn:uuid:${contentUuid(JSON.stringify([author, subjectTexts(snapshot).reference, statements]))}`,
    author,
    timestamp: taken,
    version: 1,
    tooling: 'Assay',
    statements,
  };
}

export class VexRenderer implements ReportRenderer {
  readonly contentType = FORMATS.vex.contentType;
  readonly extension = FORMATS.vex.extension;

  async render(snapshot: ReportSnapshot): Promise<Buffer> {
    return Buffer.from(`${JSON.stringify(vexDocument(snapshot), null, 2)}\n`);
  }
}
