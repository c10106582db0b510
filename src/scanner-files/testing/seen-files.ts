import { nucleiResult } from './example-files';
import type { ScannerFormat } from '../scanner-format';

export interface SeenExchange {
  readonly url: string;
  readonly request: string;
  /** The Server field of the response and the title of its page. */
  readonly server: string;
  readonly title: string;
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const page = ({ title }: SeenExchange): string => `<!doctype html><title>${title}</title><p>A page</p>`;
const head = ({ server }: SeenExchange): string =>
  `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nServer: ${server}/2.4\r\n\r\n`;
const escaped = (text: string): string => text.replaceAll('<', '&lt;');
const alert = { pluginid: '10020', alertRef: '10020-1', name: 'No frame protection', riskcode: '2' };

function sarif(seen: SeenExchange, isByIndex: boolean): string {
  const [, ...fields] = seen.request.trim().split('\r\n');
  const webRequest = {
    method: 'GET',
    target: seen.url,
    headers: Object.fromEntries(fields.map((field) => field.split(': '))),
  };
  const webResponse = { statusCode: 200, headers: { Server: `${seen.server}/2.4` }, body: { text: page(seen) } };
  const result = { ruleId: '10020-1', message: { text: 'It can be framed.' } };
  const locations = [{ physicalLocation: { artifactLocation: { uri: seen.url } } }];
  const other = { headers: { Server: 'another', Cookie: 'sid=1' } };
  const messages = isByIndex
    ? { webRequest: { index: 1 }, webResponse: { index: 1 } }
    : { webRequest, webResponse: { ...webResponse, body: { binary: base64(page(seen)) } } };
  const run = {
    tool: { driver: { name: 'ZAP' } },
    results: [{ ...result, locations, ...messages }],
    ...(isByIndex && { webRequests: [other, webRequest], webResponses: [other, webResponse] }),
  };
  return JSON.stringify({ version: '2.1.0', runs: [run] });
}

/** A result about a missing header of a page, in each format whose files include the response. */
export const seenFiles = {
  'nuclei-jsonl': (seen) =>
    JSON.stringify({
      ...nucleiResult,
      'template-id': 'http-missing-security-headers',
      'matcher-name': 'x-content-type-options',
      'template-encoded': undefined,
      host: seen.url,
      'matched-at': seen.url,
      'extracted-results': [],
      request: seen.request,
      response: head(seen) + page(seen),
    }),
  'burp-xml': (seen) =>
    `<?xml version="1.0"?><issues burpVersion="2025.1"><issue><type>5245344</type><name>Frameable response</name><host>${seen.url.slice(0, -1)}</host><path>/</path><severity>Low</severity><requestresponse><request base64="true"><![CDATA[${base64(seen.request)}]]></request><response base64="true"><![CDATA[${base64(head(seen) + page(seen))}]]></response></requestresponse></issue></issues>`,
  'zap-json': (seen) => {
    const messages = { 'request-header': seen.request, 'response-header': head(seen), 'response-body': page(seen) };
    const instances = [{ uri: seen.url, method: 'GET', ...messages }];
    return JSON.stringify({ site: [{ '@name': seen.url, alerts: [{ ...alert, instances }] }] });
  },
  'zap-xml': (seen) =>
    `<?xml version="1.0"?><OWASPZAPReport><site name="${seen.url}"><alerts><alertitem>${Object.entries(alert)
      .map(([name, text]) => `<${name}>${text}</${name}>`)
      .join(
        '',
      )}<instances><instance><uri>${seen.url}</uri><method>GET</method><requestheader>${seen.request}</requestheader><responseheader>${head(seen)}</responseheader><responsebody>${escaped(page(seen))}</responsebody></instance></instances></alertitem></alerts></site></OWASPZAPReport>`,
  sarif: (seen) => sarif(seen, false),
  'sarif (by index)': (seen) => sarif(seen, true),
  'gitlab-dast-json': (seen) => {
    const fieldsOf = (message: string) =>
      message
        .trim()
        .split('\r\n')
        .slice(1)
        .map((field) => ({ name: field.split(': ')[0], value: field.split(': ')[1] }));
    const evidence = {
      request: { method: 'GET', url: seen.url, headers: fieldsOf(seen.request) },
      response: { status_code: 200, headers: fieldsOf(head(seen)), body: page(seen) },
    };
    const identifiers = [{ type: 'zap_rule', name: '10020-1', value: '10020-1' }];
    const location = { hostname: seen.url.slice(0, -1), path: '/' };
    const vulnerability = { name: 'It can be framed', severity: 'Medium', identifiers, location, evidence };
    return JSON.stringify({ scan: { type: 'dast', scanner: { name: 'ZAP' } }, vulnerabilities: [vulnerability] });
  },
} as const satisfies Record<
  | Exclude<ScannerFormat, 'nessus-xml' | 'nmap-xml' | 'testssl-json' | 'defectdojo-json' | `${string}csv`>
  | 'sarif (by index)',
  (seen: SeenExchange) => string
>;
