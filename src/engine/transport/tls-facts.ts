import { isIP } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { X509Certificate } from 'node:crypto';
import { signatureOf } from './certificate-signature';
import { type CertificateFacts, type CertificateLink, codeOf, type TlsFacts } from './exchange';

const LONGEST = 2_000;

const covers = (certificate: X509Certificate, host: string): boolean =>
  (isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host)) !== undefined;

const oneLine = (text: string): string => text.replaceAll('\n', ', ').slice(0, LONGEST);

const iso = (date: string): string => {
  const parsed = new Date(date);
  return Number.isNaN(parsed.getTime()) ? date : parsed.toISOString();
};

function keyOf(certificate: X509Certificate): CertificateFacts['key'] {
  const { asymmetricKeyType, asymmetricKeyDetails } = certificate.publicKey;
  const curve = asymmetricKeyDetails?.namedCurve;
  return {
    type: curve === undefined ? (asymmetricKeyType ?? 'unknown') : `ec ${curve}`,
    bits: asymmetricKeyDetails?.modulusLength ?? null,
  };
}

const linkOf = (certificate: X509Certificate): CertificateLink => ({
  subject: oneLine(certificate.subject ?? ''),
  issuer: oneLine(certificate.issuer ?? ''),
  signature: signatureOf(certificate.raw),
});

/** More than any valid chain has. */
const MOST_LINKS = 10;

function chainAfter(certificate: X509Certificate): CertificateLink[] {
  const chain: CertificateLink[] = [];
  for (let next = certificate.issuerCertificate; next && chain.length < MOST_LINKS; next = next.issuerCertificate) {
    chain.push(linkOf(next));
  }
  return chain;
}

function certificateFacts(certificate: X509Certificate, host: string): CertificateFacts {
  return {
    ...linkOf(certificate),
    serial: certificate.serialNumber,
    sha256: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
    from: iso(certificate.validFrom),
    until: iso(certificate.validTo),
    names: oneLine(certificate.subjectAltName ?? ''),
    covers: covers(certificate, host),
    key: keyOf(certificate),
  };
}

/** Node's types say that it is an error, but it is a string. */
const problemOf = (error: unknown): string | null => (typeof error === 'string' ? error : codeOf(error) || null);

/** What a handshake agreed on and presented. Probing continues with any certificate, and this records its problems. */
export function tlsFacts(socket: TLSSocket, host: string): TlsFacts {
  const certificate = socket.getPeerX509Certificate();
  return {
    protocol: socket.getProtocol() ?? 'unknown',
    cipher: socket.getCipher().name,
    trusted: socket.authorized,
    problem: problemOf(socket.authorizationError),
    certificate: certificate ? certificateFacts(certificate, host) : null,
    chain: certificate ? chainAfter(certificate) : [],
  };
}
