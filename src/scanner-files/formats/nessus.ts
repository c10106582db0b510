import { refusedRow, scannedRowOf } from '../raw-finding';
import { textOf } from '../json-value';
import type { ScannedRow } from '../scanner-finding';
import { severityOfNumber } from '../severity-mapping';
import { childText, childTexts, splitXml, type XmlElement } from '../split-xml';

const nessusRecords = {
  opened: new Set(['ReportHost']),
  records: new Set(['ReportItem', 'HostProperties']),
  ignored: new Set(['attachment']),
};

interface Host {
  readonly name: string | null;
  readonly address: string | null;
  readonly fqdn: string | null;
  readonly seenAt: string | null;
}

/** The results of Nessus and Tenable, version 2 of their format. */
export async function* readNessusXml(text: AsyncIterable<string>): AsyncGenerator<ScannedRow> {
  let host: Host = { name: null, address: null, fqdn: null, seenAt: null };
  for await (const event of splitXml(text, nessusRecords)) {
    if (event.kind === 'refused') yield refusedRow(event.line, event.reason);
    else if (event.kind === 'opened') {
      const { name, attributes } = event.element;
      if (name === 'ReportHost') host = { name: attributes['name'] ?? null, address: null, fqdn: null, seenAt: null };
    } else if (event.element.name === 'HostProperties') host = withProperties(host, event.element);
    else yield rowOfItem(event.element, host);
  }
}

function withProperties(host: Host, properties: XmlElement): Host {
  const property = (name: string) =>
    textOf(properties.children.find(({ attributes }) => attributes['name'] === name)?.text ?? '');
  // HOST_START has no time zone. Newer versions also write HOST_START_TIMESTAMP in seconds.
  return {
    ...host,
    address: property('host-ip'),
    fqdn: property('host-fqdn'),
    seenAt: property('HOST_START_TIMESTAMP'),
  };
}

function rowOfItem(item: XmlElement, host: Host): ScannedRow {
  const { line, attributes } = item;
  const field = (name: string) => textOf(childText(item, name));
  const plugin = attributes['pluginID'] ?? '';
  if (plugin === '0') return refusedRow(line, 'It names an open port (plugin 0), not a result.');
  const severity = severityOfNumber(attributes['severity'] ?? null);
  if (severity === null) return refusedRow(line, 'Its severity is not a number from 0 to 4.');
  const references = childTexts(item, 'xref');
  return scannedRowOf({
    line,
    scanner: 'nessus',
    ruleId: plugin,
    title: attributes['pluginName'] ?? field('plugin_name'),
    severity,
    description: field('description') ?? field('synopsis'),
    remediation: field('solution') === 'n/a' ? null : field('solution'),
    target: host.name,
    host: host.address ?? host.fqdn,
    address: host.address,
    port: attributes['port'],
    cwe: [...childTexts(item, 'cwe'), ...references],
    cves: [...childTexts(item, 'cve'), ...references],
    references: childTexts(item, 'see_also'),
    cvssVectors: [field('cvss4_vector'), field('cvss3_vector')],
    evidence: field('plugin_output'),
    seenAt: host.seenAt,
  });
}
