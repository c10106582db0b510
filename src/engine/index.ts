/** The public interface of the engine for the rest of the service. Checks and their tests import the other files. */
export type {
  ActiveInventory,
  ActiveProgress,
  ActiveScan,
  ActiveScanRequest,
  CrawledPage,
  LeftOut,
  StatedPaths,
  KnownPoint,
} from './active/active-scan-request';
export { LEFT_OUT_BY } from './active/active-scan-request';
export type { CheckResult } from './check-result';
export type { Callback, Callbacks } from './callbacks';
export { Decisions } from './active/crawl/decisions';
export { activeScan } from './active/active-scan';
export { JOB_SUBMISSIONS, RETEST_SUBMISSIONS, Submissions, type Written } from './active/forms/submissions';
export { scanAccess } from './access/access-scan';
export type { AccessAccount, AccessSighting } from './access/access-scan-request';
export { retestAccess } from './access/access-retest';
export type { AccessRecord, AccessRow } from './access-record';
export { endsSessions, isOfSession, type SessionRecord } from './session-record';
export { retestSession } from './sessions/retest-session';
export { scanSession } from './sessions/scan-session';
export { missingProofFile } from './active/proof-file';
export type { ExperimentRecord, ExperimentRow, InsertionPoint } from './experiment-record';
export { placeOfPoint, pointKey } from './active/insertion-point';
export type { Assessment } from './assess';
export { activityOf, type Check, needsPoint, placeOf } from './check';
export { needsAccounts } from './needs-accounts';
export { cwe, owaspCategory, type Standard, wstgTest } from './classification';
export { checkById, CHECKS } from './checks';
export { type Baseline, experimentOf } from './baseline';
export type { SentRequest } from './sent-request';
export { type Detection, detect } from './detect';
export { attestGate, attestTests, type TestedJob } from './job-attestation';
export { attestEvidence, type Attested, type Envelope, ENVELOPE_TYPE, type StatedByCaller } from './attestation';
export {
  type Authenticity,
  canonicalJson,
  type EvidenceBeacon,
  keyIdOf,
  type PublicKey,
  signEvidence,
  type SignedEvidence,
  type SignedStatement,
  type SigningKey,
  verifyEvidence,
} from './evidence';
export { addressesOfName, type NameAddresses } from './observation/hosting/addresses-of-name';
export { PageOfTest } from './observation/look-of-page';
export {
  type HostedElsewhere,
  hostedElsewhere,
  isInPublishedRange,
  type ResolvedName,
} from './observation/hosting/hosted-elsewhere';
export { technologiesOf } from './observation/technologies/technologies-of';
export { technologyTemplate, type TechnologyTemplate } from './observation/technologies/technology-template';
export { checkFromYaml, type TemplateCheck, type TemplateOptions } from './templates/check-from-yaml';
export { inspectTemplate, type TemplateInspection, type TemplateNote } from './templates/inspect-template';
export type { TemplateOrigin } from './templates/template-limits';
export { payloadFilesOf, withPayloadValues } from './templates/payload-files';
export { requestsOfTemplate, type TemplateRequest } from './templates/requests-of-template';
export type { ConfirmedRefusal, Refusal } from './refusal';
export {
  type NewSite,
  retest,
  type Retested,
  type ShownPage,
  shownPage,
  withConfirmedRefusal,
  withConfirmedSite,
} from './retest';
export { type FindOtherWww, otherWwwOf } from './www-host';
export { decidedAt, momentOf } from './decided-at';
export { isSameAnswer } from './snapshot';
export { type Scan, scan } from './scan';
export { type Interruption, NO_TIME } from './interruption';
export type { Coverage, PreviousFinding, ScanObserver, ScanRequest, Sighting, SkippedCheck } from './scan-request';
export type { HostSeen, PortSeen, PortState, Statement, TechnologySeen } from './observation/host-seen';
export { type AddressesToObserve, type AddressToSearch, observeAddresses } from './observation/observe-addresses';
export {
  type HostToObserve,
  OBSERVATION_PACES,
  type ObservationOptions,
  observeHost,
} from './observation/observe-host';
export {
  type ChosenPorts,
  COMMON_PORTS,
  isSilentPort,
  MAX_CHOSEN_PORTS,
  parsePorts,
  PORTS_OF_NAMES,
  portsText,
  portsToTry,
} from './observation/ports';
export { ANY_PARAMETER, locationAdoptedBy } from './spots';
export { isWeb, locationOf, parseLocation, parseTarget, type Target, type WebTarget } from './target';
export { changingWord } from './may-change';
export { Dialler } from './transport/dialler';
export { Egress, EGRESS_REFUSALS, type OwnListener } from './transport/egress';
export { type Endpoint, endpointText, parseEndpoint } from './transport/endpoint';
export {
  type CertificateFacts,
  type Exchange,
  ExchangeError,
  ExchangeFailed,
  type FailureCode,
  failureOf,
} from './transport/exchange';
export { limitInformational } from './transport/http1';
export { DEFAULT_LIMITS, type Limits, type Paces } from './transport/limits';
export type { ObservedExchange } from './transport/observed-exchange';
export { type DnsAnswer, Resolver } from './transport/resolver';
export type { Reservation, Reserved, SharedPace } from './transport/rate-limiter';
export type { DialRules, PinnedAddresses, Place, Route } from './transport/route';
export { Transport, type TransportOptions, type Via } from './transport/transport';
export type { ViaSession } from './transport/via-session';
export {
  type Account,
  type AccountOrigins,
  type AccountSecrets,
  type EndingRequest,
  type FieldValue,
  MOST_FAILED_SIGN_INS,
  MOST_SIGN_INS_AN_HOUR,
  type RequestField,
  type SessionEnd,
  SessionEnded,
  type SessionObserver,
  type SessionProof,
  type SignInBook,
  type SignInRecipe,
  type SignInRequest,
  type SignInResult,
  type TokenPlace,
  type TotpSettings,
  type WebOrigin,
} from './signed-in/account';
export { type AccountSession, openSession, type SessionEnvironment } from './signed-in/account-session';
export type { SignInEnvironment } from './signed-in/sign-in-once';
export { fewestSteps } from './signed-in/fewest-steps';
export { accountProblems, signInNow } from './signed-in/sign-in-now';
export type { ProposedProof, SeenPage, SignInReport, SignInStep } from './signed-in/sign-in-report';
export { SecretValues } from './transport/secret-values';
export { DEFAULT_PROBE_POLICY, type ProbePolicy, type Verdict, type Verification, verify } from './verdict';
export { type Refutation, refute } from './refute';
export type { SeenTarget } from './seen-target';
