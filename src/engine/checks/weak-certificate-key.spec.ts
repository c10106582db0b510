import { certificate, type CertificateOptions } from '../testing/certificate';
import { truthTable } from '../testing/truth-table';
import { weakCertificateKey } from './weak-certificate-key';

const withKey = (key: CertificateOptions['key'], names = ['target.test']) => ({
  tls: { ...certificate({ key, names }), ciphers: 'DEFAULT:@SECLEVEL=0' },
});

truthTable(weakCertificateKey, {
  vulnerable: withKey('short rsa'),
  fixed: withKey('rsa'),
  alsoFixed: { 'the key is on a curve': withKey('ec') },
  lookalikes: { 'the long one is for another name': withKey('rsa', ['other.test']) },
});
