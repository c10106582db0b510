import type { VNode } from 'preact';
import { certificateDay, type HostWithPorts, isSilentPort, type ObservedPortRow } from '../../modules/observations';
import { Time } from '../frame/time';
import { Table } from '../frame/table';

/** The API returns all. */
const MAX_PORTS = 100;
const MAX_NAMES = 3;

const SECURITY: Readonly<Record<'tls' | 'starttls', string>> = { tls: 'TLS', starttls: 'STARTTLS' };

/** A host with its open ports. */
export function ObservedHost({ host: { address, isGone, lastSeen, ports } }: { host: HostWithPorts }): VNode {
  const open = ports.filter(({ state }) => state === 'open');
  return (
    <div class="observed-host">
      <h3>
        <bdi>{address}</bdi>
      </h3>
      {isGone ? (
        <p class="muted">
          It no longer answers. It last did <Time at={lastSeen} />.
        </p>
      ) : open.length === 0 ? (
        <p class="muted">No port that was tried is open.</p>
      ) : (
        <Ports ports={open.slice(0, MAX_PORTS)} />
      )}
      {!isGone && open.length > MAX_PORTS && (
        <p class="hint">
          These are the first {MAX_PORTS} open ports. The API returns all {open.length}.
        </p>
      )}
    </div>
  );
}

const Ports = ({ ports }: { ports: readonly ObservedPortRow[] }): VNode => (
  <Table
    rows={ports}
    columns={[
      { label: 'Port', class: 'nowrap', isNamed: true, cell: ({ port }) => <strong>{port}</strong> },
      { label: 'Service', class: 'nowrap', cell: serviceText },
      {
        label: 'Security',
        class: 'nowrap',
        cell: ({ security }) => (security === null ? <span class="muted">no TLS</span> : SECURITY[security]),
      },
      { label: 'Technologies', class: 'wide', dir: 'auto', cell: technologiesText },
      { label: 'Certificate', class: 'wide certificate', cell: (port) => <Certificate port={port} /> },
    ]}
  />
);

/** Nothing is sent to ports of printers and controllers. */
const serviceText = ({ port, service }: ObservedPortRow): VNode | string =>
  service ?? <span class="muted">{isSilentPort(port) ? 'not asked' : 'answers nothing useful'}</span>;

const technologiesText = ({ technologies }: ObservedPortRow): string =>
  technologies.map(({ name, version }) => `${name} ${version}`.trim()).join(', ');

function Certificate({ port: { certificate } }: { port: ObservedPortRow }): VNode | null {
  if (certificate === null) return null;
  const names = certificate.names.split(', ').map((name) => name.replace(/^(DNS|IP Address):/, ''));
  const hasEnded = Date.parse(certificate.until) < Date.now();
  return (
    <>
      <bdi title={certificate.names}>{names.slice(0, MAX_NAMES).join(', ') || certificate.subject}</bdi>
      {names.length > MAX_NAMES && ` and ${names.length - MAX_NAMES} more`}
      <br />
      <span class="muted">
        {hasEnded ? <strong>ended</strong> : 'ends'} {certificateDay(certificate.until)}, by{' '}
        <bdi title={certificate.issuer}>{issuerName(certificate.issuer)}</bdi>
      </span>
    </>
  );
}

/** Its organization, which says more than the name of a key. */
const issuerName = (issuer: string): string =>
  /(?:^|, |\n)O=("[^"]*"|[^,\n]*)/.exec(issuer)?.[1]?.replaceAll('"', '') ?? issuer;
