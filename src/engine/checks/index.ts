import type { Check } from '../check';
import { actuatorHealthDetails } from './actuator-health-details/actuator-health-details';
import { anonymousFtp } from './anonymous-ftp/anonymous-ftp';
import { cookieWithoutHttponly } from './cookie-without-httponly/cookie-without-httponly';
import { cookieWithoutSamesite } from './cookie-without-samesite/cookie-without-samesite';
import { cookieWithoutSecure } from './cookie-without-secure/cookie-without-secure';
import { corsWithCredentials } from './cors-with-credentials/cors-with-credentials';
import { danglingCname } from './dangling-cname/dangling-cname';
import { debugErrorPages } from './debug-error-pages/debug-error-pages';
import { directoryListing } from './directory-listing/directory-listing';
import { expiredCertificate } from './expired-certificate/expired-certificate';
import { expiringCertificate } from './expiring-certificate/expiring-certificate';
import { exposedActuator } from './exposed-actuator/exposed-actuator';
import { exposedArchive } from './exposed-archive/exposed-archive';
import { exposedDatabaseDump } from './exposed-database-dump/exposed-database-dump';
import { exposedDebugger } from './exposed-debugger/exposed-debugger';
import { exposedDsStore } from './exposed-ds-store/exposed-ds-store';
import { exposedEnv } from './exposed-env/exposed-env';
import { exposedGit } from './exposed-git/exposed-git';
import { exposedHtpasswd } from './exposed-htpasswd/exposed-htpasswd';
import { exposedLog } from './exposed-log/exposed-log';
import { exposedMetrics } from './exposed-metrics/exposed-metrics';
import { exposedPhpSource } from './exposed-php-source/exposed-php-source';
import { exposedPhpinfo } from './exposed-phpinfo/exposed-phpinfo';
import { exposedPprof } from './exposed-pprof/exposed-pprof';
import { exposedPrivateKey } from './exposed-private-key/exposed-private-key';
import { exposedProfiler } from './exposed-profiler/exposed-profiler';
import { exposedServerStatus } from './exposed-server-status/exposed-server-status';
import { exposedSvn } from './exposed-svn/exposed-svn';
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
import { weakCertificateSignature } from './weak-certificate-signature/weak-certificate-signature';
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
  actuatorHealthDetails,
  debugErrorPages,
  exposedGit,
  exposedServerStatus,
  exposedEnv,
  exposedDatabaseDump,
  exposedArchive,
  exposedPhpSource,
  exposedWpConfig,
  exposedPhpinfo,
  exposedDsStore,
  exposedSvn,
  exposedHtpasswd,
  exposedPrivateKey,
  exposedLog,
  exposedMetrics,
  exposedActuator,
  exposedPprof,
  exposedDebugger,
  exposedProfiler,
  openRedis,
  expiredCertificate,
  expiringCertificate,
  prematureCertificate,
  untrustedCertificate,
  mismatchedCertificate,
  weakCertificateKey,
  weakCertificateSignature,
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
