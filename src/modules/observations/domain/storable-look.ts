import type { CertificateFacts, HostSeen, PortSeen } from '../../../engine';
import { asLine } from '../../../kernel/plain-text';
import { storableTechnology } from '../../assets/domain/observed-asset';
import type { AssetSeen } from './changes-between';

const MAX_TECHNOLOGIES = 50;
const MAX_ADDRESSES = 1_000;
const MAX_ALIAS_LENGTH = 255;
const MAX_NAMES_LENGTH = 2_000;
const MAX_LENGTH = 500;
const MAX_WORD_LENGTH = 100;

const line = (text: string, length = MAX_LENGTH): string => asLine(text.slice(0, length)).trim();

/** Texts of targets as the database accepts them, and no longer than needed, before they are compared with stored ones. */
export const storableLook = ({ records, ...seen }: AssetSeen): AssetSeen => ({
  ...seen,
  hosts: seen.hosts.map(storableHost),
  ...(records !== undefined && {
    records: {
      addresses: records.addresses.slice(0, MAX_ADDRESSES),
      chain: records.chain.map((alias) => line(alias, MAX_ALIAS_LENGTH)),
    },
  }),
});

export const storableHost = (host: HostSeen): HostSeen => ({
  ...host,
  stopped: host.stopped === null ? null : line(host.stopped),
  ports: host.ports.map(storablePort),
});

const storablePort = (port: PortSeen): PortSeen => ({
  ...port,
  service: port.service === null ? null : line(port.service, MAX_WORD_LENGTH),
  certificate: port.certificate && storableCertificate(port.certificate),
  technologies: port.technologies.slice(0, MAX_TECHNOLOGIES).map(storableTechnology),
});

const storableCertificate = (certificate: CertificateFacts): CertificateFacts => ({
  ...certificate,
  subject: line(certificate.subject),
  issuer: line(certificate.issuer),
  serial: line(certificate.serial),
  names: line(certificate.names, MAX_NAMES_LENGTH),
  key: { ...certificate.key, type: line(certificate.key.type, MAX_WORD_LENGTH) },
  signature: null,
});
