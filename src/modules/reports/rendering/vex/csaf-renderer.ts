import { groupBy } from '../../../../kernel/group-by';
import type { ReportRenderer, ReportSnapshot } from '../../domain/report-snapshot';
import { contentUuid } from '../content-uuid';
import { FORMATS } from '../formats';
import { subjectTexts } from '../subject-texts';
import { type VexStatement, vexStatements } from './vex-statements';

type Status = VexStatement['status'];

/** If findings of a CVE on one product say different things, the first of these applies: CSAF allows one status. */
const STATUSES: Readonly<Record<Status, string>> = {
  affected: 'known_affected',
  under_investigation: 'under_investigation',
  fixed: 'fixed',
  not_affected: 'known_not_affected',
};
const ORDER = Object.keys(STATUSES);

const keyOf = ({ products: [product] }: VexStatement): string =>
  product?.identifiers.purl ?? product?.identifiers.cpe23 ?? '';

const byStatus = (one: VexStatement, other: VexStatement): number =>
  ORDER.indexOf(one.status) - ORDER.indexOf(other.status);

/** The identifier of each product in the document, by its package URL or CPE. */
type ProductIds = ReadonlyMap<string, string>;

const productTree = (statements: readonly VexStatement[], ids: ProductIds) => ({
  full_product_names: [...ids].map(([name, product_id]) => {
    const { purl, cpe23 } = statements.find((one) => keyOf(one) === name)?.products[0]?.identifiers ?? {};
    const product_identification_helper = { ...(purl !== undefined && { purl }), ...(cpe23 && { cpe: cpe23 }) };
    return { product_id, name, product_identification_helper };
  }),
});

function vulnerabilityOf(cve: string, statements: readonly VexStatement[], ids: ProductIds): object {
  const decisive = [...groupBy(statements, keyOf).values()].flatMap(
    (ofProduct) => ofProduct.toSorted(byStatus)[0] ?? [],
  );
  const idsOf = (one: VexStatement): string[] => [ids.get(keyOf(one)) ?? ''];
  const product_status = Object.fromEntries(
    [...groupBy(decisive, ({ status }) => status)].map(([status, ones]) => [STATUSES[status], ones.flatMap(idsOf)]),
  );
  const remediations = decisive.flatMap((one) =>
    one.action_statement === undefined
      ? []
      : { category: 'none_available', details: one.action_statement, product_ids: idsOf(one) },
  );
  const threats = decisive.flatMap((one) =>
    one.impact_statement === undefined
      ? []
      : { category: 'impact', details: one.impact_statement, product_ids: idsOf(one) },
  );
  const flags = decisive.flatMap((one) =>
    one.justification === undefined ? [] : { label: one.justification, product_ids: idsOf(one), date: one.timestamp },
  );
  return {
    cve,
    notes: statements.map(({ status_notes }) => ({ category: 'details', text: status_notes })),
    product_status,
    ...(flags.length > 0 && { flags }),
    ...(remediations.length > 0 && { remediations }),
    ...(threats.length > 0 && { threats }),
  };
}

/** CSAF 2.0, profile VEX: what the OpenVEX document states. Documents with the same statements have the same id. */
export function csafDocument(snapshot: ReportSnapshot): object {
  const { taken, organization, assay_version } = snapshot;
  const statements = vexStatements(snapshot);
  const { reference } = subjectTexts(snapshot);
  const ids = new Map([...new Set(statements.map(keyOf))].map((key, index) => [key, `P${index + 1}`]));
  const number = '1';
  return {
    document: {
      category: 'csaf_vex',
      csaf_version: '2.0',
      title: `VEX of ${organization.name}`,
      lang: 'en',
      notes: [{ category: 'summary', text: `What tests and decisions say of the CVEs in ${reference}.` }],
      publisher: {
        category: 'other',
        name: organization.name,
        namespace: `urn:uuid:${contentUuid(JSON.stringify([organization.id, organization.name]))}`,
      },
      tracking: {
        id: contentUuid(JSON.stringify([organization.name, reference, statements])),
        status: 'final',
        version: number,
        initial_release_date: taken,
        current_release_date: taken,
        revision_history: [{ number, date: taken, summary: 'The only version.' }],
        generator: { date: taken, engine: { name: 'Assay', version: assay_version } },
      },
    },
    product_tree: productTree(statements, ids),
    vulnerabilities: [...groupBy(statements, ({ vulnerability }) => vulnerability.name)].map(([cve, ofCve]) =>
      vulnerabilityOf(cve, ofCve, ids),
    ),
  };
}

export class CsafRenderer implements ReportRenderer {
  readonly contentType = FORMATS.csaf.contentType;
  readonly extension = FORMATS.csaf.extension;

  async render(snapshot: ReportSnapshot): Promise<Buffer> {
    return Buffer.from(`${JSON.stringify(csafDocument(snapshot), null, 2)}\n`);
  }
}
