import { refusedRow, scannedRowOf } from '../raw-finding';
import { joined, textOf } from '../json-value';
import type { ScannedRow } from '../scanner-finding';
import type { Severity } from '../../kernel/severity';
import { severityOfScore, severityOfWord } from '../severity-mapping';
import { splitXml, type XmlElement } from '../split-xml';

const nmapRecords = {
  opened: new Set(['host']),
  records: new Set(['address', 'hostname', 'port', 'hostscript']),
};

interface Host {
  readonly address: string | null;
  readonly name: string | null;
  readonly seenAt: string | null;
}

/** The output of a script, and its place. */
interface Place {
  readonly script: XmlElement;
  readonly host: Host;
  readonly port: string | null;
}

/** What the scripts of Nmap report as vulnerable. An open port is not a result. */
export async function* readNmapXml(text: AsyncIterable<string>): AsyncGenerator<ScannedRow> {
  let host: Host = { address: null, name: null, seenAt: null };
  for await (const event of splitXml(text, nmapRecords)) {
    if (event.kind === 'refused') {
      yield refusedRow(event.line, event.reason);
      continue;
    }
    const { name, attributes } = event.element;
    if (name === 'host') host = { address: null, name: null, seenAt: attributes['endtime'] ?? null };
    else if (name === 'address') host = withAddress(host, attributes);
    // The name that was scanned comes first.
    else if (name === 'hostname') host = { ...host, name: host.name ?? attributes['name'] ?? null };
    else yield* rowsOf(event.element, host);
  }
}

const withAddress = (host: Host, { addr, addrtype }: XmlElement['attributes']): Host =>
  addrtype === 'mac' ? host : { ...host, address: addr ?? null };

function* rowsOf(element: XmlElement, host: Host): Generator<ScannedRow> {
  const scripts = element.children.filter(({ name }) => name === 'script');
  const port = element.attributes['portid'] ?? null;
  const rows = scripts.flatMap((script) => rowsOfScript({ script, host, port }));
  if (rows.length === 0 && port !== null) yield refusedRow(element.line, 'It names a port, not a result.');
  yield* rows;
}

const childTables = ({ children }: XmlElement): XmlElement[] => children.filter(({ name }) => name === 'table');
const keyOf = ({ attributes }: XmlElement): string => attributes['key'] ?? '';
const valueOf = (table: XmlElement, key: string): string =>
  table.children.find((child) => child.name === 'elem' && keyOf(child) === key)?.text ?? '';
const valuesOf = (table: XmlElement, key: string): string[] =>
  (childTables(table).find((child) => keyOf(child) === key)?.children ?? []).map(({ text }) => text);

function rowsOfScript(place: Place): ScannedRow[] {
  const tables = childTables(place.script);
  return place.script.attributes['id'] === 'vulners'
    ? tables.map((table) => rowOfProduct(table, place))
    : tables
        .filter((table) => /^(?:LIKELY )?VULNERABLE/.test(valueOf(table, 'state')))
        .map((table) => rowOfWeakness(table, place));
}

/** A weakness as the library `vulns` of Nmap writes it. Its risk is in the text alone. */
function rowOfWeakness(table: XmlElement, place: Place): ScannedRow {
  const output = place.script.attributes['output'] ?? '';
  const [, risk = 'medium'] = /Risk factor:\s{0,20}(\w{1,20})/.exec(output) ?? [];
  return rowOf(place, {
    line: table.line,
    title: textOf(valueOf(table, 'title')) ?? keyOf(table),
    severity: severityOfWord(risk) ?? 'medium',
    description: joined(valuesOf(table, 'description')),
    cves: [keyOf(table), ...valuesOf(table, 'ids')].map((id) => id.replace(/^CVE:/, '')),
    references: valuesOf(table, 'refs'),
    evidence: output,
    parameter: keyOf(table),
  });
}

/** The known weaknesses of the version that a server names: one result for each product. */
function rowOfProduct(table: XmlElement, place: Place): ScannedRow {
  const entries = childTables(table);
  const scores = entries.map((entry) => Number(valueOf(entry, 'cvss')) || 0);
  const product = keyOf(table);
  return rowOf(place, {
    line: table.line,
    title: `Weaknesses are known of ${product}`,
    severity: severityOfScore(Math.max(0, ...scores)) ?? 'info',
    description:
      'The version that the server names has known weaknesses. Nobody has tested whether they are in this server.',
    cves: entries.map((entry) => valueOf(entry, 'id')),
    references: [],
    evidence: place.script.attributes['output'] ?? null,
    parameter: product,
  });
}

interface Weakness {
  readonly line: number;
  readonly title: string;
  readonly severity: Severity;
  readonly description: string | null;
  readonly cves: readonly string[];
  readonly references: readonly string[];
  readonly evidence: string | null;
  readonly parameter: string;
}

const rowOf = ({ script, host, port }: Place, weakness: Weakness): ScannedRow =>
  scannedRowOf({
    scanner: 'nmap',
    ruleId: script.attributes['id'] ?? null,
    ...weakness,
    host: host.name ?? host.address,
    address: host.address,
    port,
    seenAt: host.seenAt,
  });
