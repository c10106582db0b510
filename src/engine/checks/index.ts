import type { Check } from '../check';
import { actuatorHealthDetails } from './actuator-health-details';
import { anonymousFtp } from './anonymous-ftp';
import { cookieWithoutHttponly } from './cookie-without-httponly';
import { cookieWithoutSamesite } from './cookie-without-samesite';
import { cookieWithoutSecure } from './cookie-without-secure';
import { commandInjection } from './command-injection';
import { corsWithCredentials } from './cors-with-credentials';
import { crossSiteRequestForgery } from './cross-site-request-forgery';
import { danglingCname } from './dangling-cname';
import { debugErrorPages } from './debug-error-pages';
import { directoryListing } from './directory-listing';
import { expiredCertificate } from './expired-certificate';
import { expiringCertificate } from './expiring-certificate';
import { exposedActuator } from './exposed-actuator';
import { exposedArchive } from './exposed-archive';
import { exposedCredentials } from './exposed-credentials';
import { exposedDatabaseDump } from './exposed-database-dump';
import { exposedDebugger } from './exposed-debugger';
import { exposedDeploymentFile } from './exposed-deployment-file';
import { exposedDsStore } from './exposed-ds-store';
import { exposedEnv } from './exposed-env';
import { exposedGit } from './exposed-git';
import { exposedHtpasswd } from './exposed-htpasswd';
import { exposedLockFile } from './exposed-lock-file';
import { exposedLog } from './exposed-log';
import { exposedMetrics } from './exposed-metrics';
import { exposedPageSource } from './exposed-page-source';
import { exposedPhpSource } from './exposed-php-source';
import { exposedPhpinfo } from './exposed-phpinfo';
import { exposedPprof } from './exposed-pprof';
import { exposedPrivateKey } from './exposed-private-key';
import { exposedProfiler } from './exposed-profiler';
import { exposedServerStatus } from './exposed-server-status';
import { exposedShellHistory } from './exposed-shell-history';
import { exposedSourceMap } from './exposed-source-map';
import { exposedSvn } from './exposed-svn';
import { exposedWpConfig } from './exposed-wp-config';
import { graphqlIntrospection } from './graphql-introspection';
import { headerInjection } from './header-injection';
import { insecureForm } from './insecure-form';
import { loginOverHttp } from './login-over-http';
import { mismatchedCertificate } from './mismatched-certificate';
import { missingCaa } from './missing-caa';
import { missingDmarc } from './missing-dmarc';
import { missingFrameProtection } from './missing-frame-protection';
import { missingHsts } from './missing-hsts';
import { missingNosniff } from './missing-nosniff';
import { missingSpf } from './missing-spf';
import { noHttpsRedirect } from './no-https-redirect';
import { openElasticsearch } from './open-elasticsearch';
import { openMemcached } from './open-memcached';
import { openMongodb } from './open-mongodb';
import { openRedis } from './open-redis';
import { pathTraversal } from './path-traversal';
import { permissiveCrossdomainPolicy } from './permissive-crossdomain-policy';
import { openRedirect } from './open-redirect';
import { prematureCertificate } from './premature-certificate';
import { publicOpenapi } from './public-openapi';
import { reflectedInput } from './reflected-input';
import { serverVersion } from './server-version';
import { dnsLookupOfInput } from './dns-lookup-of-input';
import { serverSideRequestForgery } from './server-side-request-forgery';
import { sqlInjection } from './sql-injection';
import { technologyVersion } from './technology-version';
import { storedHtmlInjection } from './stored-html-injection';
import { storedXss } from './stored-xss';
import { templateInjection } from './template-injection';
import { unenforcedDmarc } from './unenforced-dmarc';
import { unsafeReferrerPolicy } from './unsafe-referrer-policy';
import { untrustedCertificate } from './untrusted-certificate';
import { weakCertificateKey } from './weak-certificate-key';
import { weakCertificateSignature } from './weak-certificate-signature';
import { weakCsp } from './weak-csp';
import { weakTlsCipher } from './weak-tls-cipher';
import { weakTlsProtocol } from './weak-tls-protocol';
import { cachedPrivatePage } from './cached-private-page';
import { sessionAfterSignOut } from './session-after-sign-out';
import { sessionFixation } from './session-fixation';
import { sessionIdInUrl } from './session-id-in-url';
import { unverifiedJwt } from './unverified-jwt';
import { functionAccess } from './function-access';
import { objectAccess } from './object-access';

/** All checks for jobs and findings, in their display order. */
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
  openRedirect,
  reflectedInput,
  sqlInjection,
  commandInjection,
  pathTraversal,
  storedHtmlInjection,
  storedXss,
  crossSiteRequestForgery,
  templateInjection,
  serverSideRequestForgery,
  dnsLookupOfInput,
  headerInjection,
  objectAccess,
  functionAccess,
  cachedPrivatePage,
  unverifiedJwt,
  sessionIdInUrl,
  sessionFixation,
  sessionAfterSignOut,
  exposedSourceMap,
  actuatorHealthDetails,
  debugErrorPages,
  exposedGit,
  exposedServerStatus,
  exposedEnv,
  exposedCredentials,
  exposedDatabaseDump,
  exposedArchive,
  exposedPhpSource,
  exposedPageSource,
  exposedWpConfig,
  exposedDeploymentFile,
  exposedLockFile,
  exposedPhpinfo,
  exposedDsStore,
  exposedSvn,
  exposedHtpasswd,
  exposedShellHistory,
  exposedPrivateKey,
  exposedLog,
  exposedMetrics,
  exposedActuator,
  exposedPprof,
  exposedDebugger,
  exposedProfiler,
  publicOpenapi,
  graphqlIntrospection,
  permissiveCrossdomainPolicy,
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
