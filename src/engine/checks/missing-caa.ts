import { type DnsCheck, notVulnerable, vulnerable } from '../check';
import { domainOf } from '../protocols/dns/mail-check';

/** The host and its parent names, up to the domain. */
function above(host: string): string[] {
  const labels = host.split('.');
  const most = labels.length - domainOf(host).split('.').length;
  return labels.slice(0, most + 1).map((_label, at) => labels.slice(at).join('.'));
}

/** `issuewild` alone restricts only wildcard certificates. */
const RESTRICTS = /^\d+ issue /i;

export const missingCaa: DnsCheck = {
  id: 'missing-caa',
  title: 'No CAA record limits who may issue certificates',
  severity: 'info',
  cwe: [693],
  owasp: ['A05:2021', 'A02:2025'],
  wstg: [],
  cvss: null,
  references: ['https://www.rfc-editor.org/rfc/rfc8659', 'https://letsencrypt.org/docs/caa/'],
  decides:
    'Queries the CAA records of the host and of the names above it, up to the domain. It is vulnerable if the nearest records have no `issue` property, or there are none. It is fixed when the nearest CAA records limit who may issue certificates, at every authoritative server.',
  text: `Any public authority may issue certificates for this name. If one of the many can be deceived, or attackers take over a web
server or mailbox for an hour, they get a certificate that all clients trust.

**How to fix it.** Publish CAA records at the domain that name the authorities you use, and where they report attempts:

    example.com. CAA 0 issue "letsencrypt.org"
    example.com. CAA 0 iodef "mailto:security@example.com"

They hold for all names below unless those have CAA records of their own.`,
  on: 'dns',
  async observe({ target: { host }, probe }) {
    // The nearest records count, and none above them.
    for (const name of above(host)) {
      const { records } = await probe.dns(name, 'CAA');
      if (records.some((record) => RESTRICTS.test(record)))
        return notVulnerable(`${name} limits who may issue certificates`);
      if (records.length > 0) return vulnerable(`The CAA records of ${name} do not say who may issue certificates.`);
    }
    return vulnerable(`Neither ${host} nor a name above it has a CAA record.`);
  },
};
