import { sound, type TcpCheck, unclear, weak } from '../../check';
import { askPlainly, type PlainAnswer } from './plain-http';

/** What it says of itself at its root, whoever made it. */
const TAGLINE =
  /"tagline"\s{0,20}:\s{0,20}"(?:You Know, for Search|The (OpenSearch) Project: https:\/\/opensearch\.org\/)"/;
const VERSION = /"number"\s{0,20}:\s{0,20}"([\w.-]{1,40})"/;
const COUNT = /^\s{0,20}\{\s{0,20}"count"\s{0,20}:\s{0,20}(\d{1,19})/;

/** How its own security says no; a proxy with a password in front of it has other words. */
const refuses = ({ status, head, body }: PlainAnswer): boolean =>
  (status === 401 || status === 403) &&
  (/"type"\s{0,20}:\s{0,20}"security_exception"/.test(body) ||
    /^www-authenticate:[^\r\n]{0,200}realm="(?:security|OpenSearch Security)"/im.test(head));

export const openElasticsearch: TcpCheck = {
  id: 'open-elasticsearch',
  title: 'An Elasticsearch server answers without a password',
  severity: 'critical',
  cwe: 306,
  text: `Everybody who can reach the port can read all documents, change them and delete them. Such servers are found by machines
within hours, emptied and held to ransom.

**How to mend it.** Switch security on (\`xpack.security.enabled: true\`; in OpenSearch its security plugin), set passwords, let the
server listen only where it is needed (\`network.host\`), and keep the port closed to the Internet. A server that speaks TLS
only, or none that can be reached any more, cannot be confirmed from here: both look like a server that is down.`,
  on: 'tcp',
  ports: [9200],
  async observe({ target, probe }) {
    const root = await askPlainly(probe, target, '/');
    if (root !== null && refuses(root)) return sound('The server demands a login');
    const [tagline, openSearch = 'Elasticsearch'] = TAGLINE.exec(root?.body ?? '') ?? [];
    if (root?.status !== 200 || tagline === undefined)
      return unclear('what answers on this port does not speak as Elasticsearch does');
    const all = await askPlainly(probe, target, '/_count');
    if (all !== null && refuses(all)) return sound('The server tells its name to strangers, and nothing of its data');
    const count = all?.status === 200 ? COUNT.exec(all.body)?.[1] : undefined;
    const name = `${openSearch} ${VERSION.exec(root.body)?.[1] ?? 'of unknown version'}`;
    return count === undefined
      ? unclear(`${name} neither shows its data nor refuses to`)
      : weak(`${name} lets a stranger count its documents: ${count}.`);
  },
};
