import { certificate, type TestCertificate } from '../testing/certificate';
import { truthTable } from '../testing/truth-table';
import { AUTHORITY, trustAuthority } from '../testing/test-authority';
import { untrustedCertificate } from './untrusted-certificate';

const DAY = 86_400_000;
const PAST = { from: new Date(Date.now() - 9 * DAY), until: new Date(Date.now() - DAY) };
const NAMES = { names: ['target.test'] };
const STRANGER = certificate({ names: [], commonName: 'Some authority' });
const BETWEEN = certificate({ names: [], commonName: 'In between', issuer: AUTHORITY });
const EXPIRED_BETWEEN = certificate({ names: [], commonName: 'In between, once', issuer: AUTHORITY, ...PAST });

const showing = (own: TestCertificate, ...chain: TestCertificate[]) => ({
  tls: { key: own.key, cert: [own, ...chain].map(({ cert }) => cert).join('') },
});

trustAuthority();

truthTable(untrustedCertificate, {
  vulnerable: showing(certificate(NAMES)),
  fixed: showing(certificate({ ...NAMES, issuer: AUTHORITY })),
  alsoVulnerable: {
    'it is signed by itself and has expired': showing(certificate({ ...NAMES, ...PAST })),
    'its authority is not known': showing(certificate({ ...NAMES, issuer: STRANGER })),
    'its authority is not known and sent along': showing(certificate({ ...NAMES, issuer: STRANGER }), STRANGER),
    'the certificate in between is left out': showing(certificate({ ...NAMES, issuer: BETWEEN })),
    'the certificate in between has expired': showing(
      certificate({ ...NAMES, issuer: EXPIRED_BETWEEN }),
      EXPIRED_BETWEEN,
    ),
    'a stranger has taken the name of the authority': showing(
      certificate({ ...NAMES, issuer: certificate({ names: [], commonName: AUTHORITY.commonName }) }),
    ),
  },
  alsoFixed: { 'with the certificate in between': showing(certificate({ ...NAMES, issuer: BETWEEN }), BETWEEN) },
  lookalikes: {
    'the trusted one has expired': showing(certificate({ ...NAMES, ...PAST, issuer: AUTHORITY })),
    'a stranger signed it, and it has expired': showing(certificate({ ...NAMES, ...PAST, issuer: STRANGER })),
    'the trusted one is for another name': showing(certificate({ names: ['other.test'], issuer: AUTHORITY })),
  },
});
