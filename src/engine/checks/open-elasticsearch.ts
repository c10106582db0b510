import { notVulnerable, type TcpCheck, inconclusive, vulnerable } from '../check';
import type { Probe } from '../probe';
import { locationOf, type Target } from '../target';

/** The tagline at the root of Elasticsearch and OpenSearch. */
const TAGLINE =
  /"tagline"\s{0,20}:\s{0,20}"(?:You Know, for Search|The (OpenSearch) Project: https:\/\/opensearch\.org\/)"/;
const VERSION = /"number"\s{0,20}:\s{0,20}"([\w.-]{1,40})"/;
/** The root, and several ways to read data: a role may allow one and deny another. */
const PATHS = [
  '/',
  '/_count',
  '/_search?size=0&filter_path=hits.total',
  '/_stats/docs?filter_path=_all.total.docs.count',
];
/** The document count in the response to each of these. */
const COUNT =
  /^\s{0,20}\{\s{0,20}"(?:count|hits|_all)"\s{0,20}:\s{0,20}(?:\{\s{0,20}"total"\s{0,20}:\s{0,20}(?:\{\s{0,20}"(?:value|docs)"\s{0,20}:\s{0,20}(?:\{\s{0,20}"count"\s{0,20}:\s{0,20})?)?)?(\d{1,19})/;

/** Whether its own security refuses the request, not a proxy with a password. */
const refuses = (answer: PlainAnswer | null): boolean => answer !== null && isRefusal(answer);
/** Not for 403: then the server treats the client as an anonymous user, who may be allowed other requests. */
const demandsLogin = (answer: PlainAnswer | null): boolean => refuses(answer) && answer?.status === 401;
const isRefusal = ({ status, head, body }: PlainAnswer): boolean =>
  (status === 401 || status === 403) &&
  (/"type"\s{0,20}:\s{0,20}"security_exception"/.test(body) ||
    /^www-authenticate:[^\r\n]{0,200}realm="(?:security|OpenSearch Security)"/im.test(head));

interface PlainAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

const HEAD_END = '\r\n\r\n';
const LAST_CHUNK = '0\r\n\r\n';

const isChunked = (head: string): boolean => /^transfer-encoding:[ \t]*chunked/im.test(head);

function complete(reply: Buffer): boolean {
  const end = reply.indexOf(HEAD_END);
  if (end < 0) return reply.length >= 5 && !reply.toString('latin1', 0, 5).startsWith('HTTP/');
  const head = reply.toString('latin1', 0, end);
  if (isChunked(head)) return reply.subarray(-LAST_CHUNK.length).equals(Buffer.from(LAST_CHUNK));
  const [, length = '0'] = /^content-length:[ \t]*(\d{1,9})/im.exec(head) ?? [];
  return reply.length >= end + HEAD_END.length + Number(length);
}

function dechunked(body: Buffer): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 0; at < body.length;) {
    const lineEnd = body.indexOf('\r\n', at);
    const size = Number.parseInt(body.toString('latin1', at, lineEnd), 16);
    if (lineEnd < 0 || !(size > 0)) break;
    chunks.push(body.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
  return Buffer.concat(chunks);
}

const GET = (path: string, authority: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: ${authority}\r\nAccept: application/json\r\nConnection: keep-alive\r\n\r\n`;

function answerIn(reply: Buffer): PlainAnswer | null {
  const end = reply.indexOf(HEAD_END);
  const head = reply.toString('latin1', 0, Math.max(0, end));
  const [, status] = /^HTTP\/1\.[01] (\d{3})/.exec(head) ?? [];
  if (status === undefined) return null;
  const body = reply.subarray(end + HEAD_END.length);
  return { status: Number(status), head, body: (isChunked(head) ? dechunked(body) : body).toString() };
}

/** Sends all requests on one connection, and so to one server. Null for a response that is not HTTP. */
async function getPages(probe: Probe, target: Target, paths: readonly string[]): Promise<(PlainAnswer | null)[]> {
  const authority = locationOf(target).slice('tcp://'.length);
  return (await probe.tcp(paths.map((path) => ({ send: GET(path, authority), complete })))).map(answerIn);
}

export const openElasticsearch: TcpCheck = {
  id: 'open-elasticsearch',
  title: 'An Elasticsearch server answers without a password',
  severity: 'critical',
  cwe: [306],
  owasp: ['A07:2021', 'A07:2025'],
  wstg: [],
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  references: ['https://www.elastic.co/docs/deploy-manage/security', 'https://docs.opensearch.org/latest/security/'],
  decides:
    'Connects and requests the root and three document counts without a login. It is vulnerable if the server identifies itself and returns a document count. It is fixed when its own security demands a login for every request (401); a closed port is inconclusive.',
  text: `Anyone who can reach the port can read, change and delete all documents. Attackers find such
servers within hours, delete the data and demand a ransom.

**How to fix it.** Enable security (\`xpack.security.enabled: true\`; in OpenSearch its security plugin), set passwords, let the
server listen only where it is needed (\`network.host\`), and keep the port closed to the Internet. A server that speaks TLS
only, or none that can be reached any more, cannot be confirmed from here: both look like a server that is down.`,
  on: 'tcp',
  ports: [9200],
  async observe({ target, probe }) {
    const answers = await getPages(probe, target, PATHS);
    const [root = null, ...data] = answers;
    if (answers.every(demandsLogin)) return notVulnerable('The server demands a login');
    if (answers.every(refuses))
      return inconclusive(
        'clients without a login may not send these requests, but perhaps others (403 instead of 401)',
      );
    const count = data.flatMap((answer) => (answer?.status === 200 ? (COUNT.exec(answer.body)?.[1] ?? []) : []))[0];
    const [tagline, openSearch = 'Elasticsearch'] = TAGLINE.exec(root?.body ?? '') ?? [];
    const isKnown = (root?.status === 200 && tagline !== undefined) || refuses(root);
    if (!isKnown) return inconclusive('the service on this port does not respond like Elasticsearch');
    const name = `${openSearch} ${VERSION.exec(root?.body ?? '')?.[1] ?? 'of unknown version'}`;
    return count === undefined
      ? inconclusive(`${name} neither shows its data nor refuses every anonymous request`)
      : vulnerable(`${name} lets anonymous clients count its documents: ${count}.`);
  },
};
