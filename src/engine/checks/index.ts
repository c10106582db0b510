import type { Check } from '../check';
import { anonymousFtp } from './anonymous-ftp/anonymous-ftp';
import { cookieWithoutHttponly } from './cookie-without-httponly/cookie-without-httponly';
import { cookieWithoutSamesite } from './cookie-without-samesite/cookie-without-samesite';
import { cookieWithoutSecure } from './cookie-without-secure/cookie-without-secure';
import { corsWithCredentials } from './cors-with-credentials/cors-with-credentials';
import { danglingCname } from './dangling-cname/dangling-cname';
import { directoryListing } from './directory-listing/directory-listing';
import { expiredCertificate } from './expired-certificate/expired-certificate';
import { expiringCertificate } from './expiring-certificate/expiring-certificate';
import { exposedArchive } from './exposed-archive/exposed-archive';
import { exposedDatabaseDump } from './exposed-database-dump/exposed-database-dump';
import { exposedEnv } from './exposed-env/exposed-env';
import { exposedGit } from './exposed-git/exposed-git';
import { exposedPhpSource } from './exposed-php-source/exposed-php-source';
import { exposedPhpinfo } from './exposed-phpinfo/exposed-phpinfo';
import { exposedServerStatus } from './exposed-server-status/exposed-server-status';
import { exposedWpConfig } from './exposed-wp-config/exposed-wp-config';
import { insecureForm } from './insecure-form/insecure-form';
import { loginOverHttp } from './login-over-http/login-over-http';
import { mismatchedCertificate } from './mismatched-certificate/mismatched-certificate';
import { missingCaa } from './missing-caa/missing-caa';
import { missingDmarc } from './missing-dmarc/missing-dmarc';
import { missingFrameProtection } from './missing-frame-protection/missing-frame-protection';
import { missingHsts } from './missing-hsts/missing-hsts';
import { missingNosniff } from './missing-nosniff/missing-nosniff';
import { missingSpf } from './missing-spf/missing-spf';
import { noHttpsRedirect } from './no-https-redirect/no-https-redirect';
import { openElasticsearch } from './open-elasticsearch/open-elasticsearch';
import { openMemcached } from './open-memcached/open-memcached';
import { openMongodb } from './open-mongodb/open-mongodb';
import { openRedis } from './open-redis/open-redis';
import { prematureCertificate } from './premature-certificate/premature-certificate';
import { serverVersion } from './server-version/server-version';
import { technologyVersion } from './technology-version/technology-version';
import { unenforcedDmarc } from './unenforced-dmarc/unenforced-dmarc';
import { unsafeReferrerPolicy } from './unsafe-referrer-policy/unsafe-referrer-policy';
import { untrustedCertificate } from './untrusted-certificate/untrusted-certificate';
import { weakCertificateKey } from './weak-certificate-key/weak-certificate-key';
import { weakCsp } from './weak-csp/weak-csp';
import { weakTlsCipher } from './weak-tls-cipher/weak-tls-cipher';
import { weakTlsProtocol } from './weak-tls-protocol/weak-tls-protocol';

/** Every check that a job runs and a finding can name, in the order in which they are listed to people. */
export const CHECKS: readonly Check[] = [
  missingHsts,
  weakCsp,
  missingNosniff,
  missingFrameProtection,
  unsafeReferrerPolicy,
  insecureForm,
  cookieWithoutSecure,
  cookieWithoutHttponly,
  cookieWithoutSamesite,
  corsWithCredentials,
  noHttpsRedirect,
  loginOverHttp,
  serverVersion,
  technologyVersion,
  directoryListing,
  exposedGit,
  exposedServerStatus,
  exposedEnv,
  exposedDatabaseDump,
  exposedArchive,
  exposedPhpSource,
  exposedWpConfig,
  exposedPhpinfo,
  openRedis,
  expiredCertificate,
  expiringCertificate,
  prematureCertificate,
  untrustedCertificate,
  mismatchedCertificate,
  weakCertificateKey,
  weakTlsProtocol,
  weakTlsCipher,
  danglingCname,
  missingSpf,
  missingDmarc,
  unenforcedDmarc,
  missingCaa,
  openMemcached,
  openElasticsearch,
  openMongodb,
  anonymousFtp,
];

const BY_ID = new Map(CHECKS.map((check) => [check.id, check]));

export const checkById = (id: string): Check | null => BY_ID.get(id) ?? null;
