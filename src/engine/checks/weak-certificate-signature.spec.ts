import { certificate, type CertificateOptions, type TestCertificate } from '../testing/certificate';
import { truthTable } from '../testing/truth-table';
import { weakCertificateSignature } from './weak-certificate-signature';

const ROOT = certificate({ names: [], commonName: 'Root', key: 'rsa' });
const OLD_ROOT = certificate({ names: [], commonName: 'Old root', key: 'rsa', hash: 'sha1' });
const between = (hash: CertificateOptions['hash'], issuer = ROOT): TestCertificate =>
  certificate({ names: [], commonName: `Between by ${hash}`, key: 'rsa', issuer, hash });
const SOUND_BETWEEN = between('sha256');

const showing = (options: CertificateOptions, ...chain: readonly TestCertificate[]) => {
  const own = certificate({ names: ['target.test'], ...options });
  return {
    tls: { key: own.key, cert: [own, ...chain].map(({ cert }) => cert).join(''), ciphers: 'DEFAULT:@SECLEVEL=0' },
  };
};
const signed = (hash: CertificateOptions['hash'], names = ['target.test']) =>
  showing({ names, issuer: SOUND_BETWEEN, hash }, SOUND_BETWEEN);

truthTable(weakCertificateSignature, {
  vulnerable: signed('sha1'),
  fixed: signed('sha256'),
  alsoVulnerable: {
    'with MD5': signed('md5'),
    'by itself, with SHA-1': showing({ hash: 'sha1' }),
    'by itself, with SHA-1 on a curve': showing({ key: 'ec', hash: 'sha1' }),
    'only the one in between': showing({ issuer: between('sha1') }, between('sha1')),
    'only the one in between, with MD5': showing({ issuer: between('md5') }, between('md5')),
    'only the second in between': showing(
      { issuer: SOUND_BETWEEN },
      certificate({ names: [], commonName: SOUND_BETWEEN.commonName, issuer: between('sha256'), key: 'rsa' }),
      between('sha1'),
    ),
  },
  alsoFixed: {
    'a root that is sent along is signed with SHA-1': showing({ issuer: between('sha256', OLD_ROOT) }, OLD_ROOT),
    'it is self-signed': showing({}),
  },
  lookalikes: { 'the sound one is for another name': signed('sha256', ['other.test']) },
});
