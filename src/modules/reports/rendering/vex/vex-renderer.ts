import { createHash } from 'node:crypto';
import type { ReportRenderer, ReportSnapshot } from '../../domain/report-snapshot';
import { ReportGenerationError } from '../../domain/report.errors';
import { formats } from '../formats';
import { type VexStatement, vexStatementOf } from './vex-statements';

/** A UUID of the kind that is one's own to define (RFC 9562, version 8), made from what it names. */
function uuidOf(content: string): string {
  const hash = createHash('sha256').update(content).digest();
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x80;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  const hex = hash.toString('hex', 0, 16);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** OpenVEX 0.2.0: what the findings that have a CVE say of it. The same statements are the same document, by its id. */
export function vexDocument({ taken, organization, event, findings }: ReportSnapshot): object {
  const statements = findings.map(vexStatementOf).filter((statement): statement is VexStatement => statement !== null);
  if (statements.length === 0) {
    throw new ReportGenerationError(
      'No finding in the report has a CVE, and a VEX document states only CVEs. Assign a CVE to a finding, or choose another format.',
    );
  }
  const author = organization.name;
  return {
    '@context': 'https://openvex.dev/ns/v0.2.0',
    '@id': `urn:uuid:${uuidOf(JSON.stringify([author, event.slug, statements]))}`,
    author,
    timestamp: taken,
    version: 1,
    tooling: 'Assay',
    statements,
  };
}

export class VexRenderer implements ReportRenderer {
  readonly contentType = formats.vex.contentType;
  readonly extension = formats.vex.extension;

  async render(snapshot: ReportSnapshot): Promise<Buffer> {
    return Buffer.from(`${JSON.stringify(vexDocument(snapshot), null, 2)}\n`);
  }
}
