import { canonicalIp } from '../../kernel/cidr';
import type { Target } from '../target';
import type { HttpAnswer, HttpRequest } from '../transport/http';
import type { HostSeen } from './host-seen';
import { technologiesOf } from './technologies/technologies-of';

/** What a page that a test has requested shows of its port; null if it is unknown which address responded. */
export function lookOfPage({ url, status, headers, text, tls, address }: HttpAnswer): HostSeen | null {
  const { protocol, port, hostname } = new URL(url);
  const isSecure = protocol === 'https:';
  const from = canonicalIp(address ?? hostname.replace(/^\[|\]$/g, ''));
  if (from === null) return null;
  const seen = {
    port: port === '' ? (isSecure ? 443 : 80) : Number(port),
    state: 'open',
    service: isSecure ? 'https' : 'http',
    security: isSecure ? 'tls' : null,
    certificate: tls?.certificate ?? null,
    technologies: technologiesOf([{ kind: 'http', url, status, headers: headers.fields, body: text }]),
  } as const;
  return { address: from, ports: [seen], stopped: null };
}

/** Keeps the first response of a test that shows its page. It requests nothing. */
export class PageOfTest {
  look: HostSeen | null = null;

  constructor(private readonly target: Pick<Target, 'host' | 'port' | 'path'>) {}

  readonly take = ({ method = 'GET', host, port, path }: HttpRequest, answer: HttpAnswer): void => {
    const { target } = this;
    const isItsPage = host === target.host && port === target.port && (path === target.path || path === '/');
    if (this.look === null && isItsPage && method === 'GET' && answer.status < 400) this.look = lookOfPage(answer);
  };
}
