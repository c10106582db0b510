/** All that the rest of the service needs of the engine; checks and their tests use the files beside this one. */
export type { Assessment } from './assess';
export { type Check, placeOf } from './check';
export { cwe, owaspCategory, type Standard, wstgTest } from './classification';
export { checkById, CHECKS } from './checks';
export type { Baseline } from './baseline';
export { type Detection, detect } from './detect';
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
export { checkFromYaml, type TemplateCheck, type TemplateOptions } from './templates/check-from-yaml';
export { inspectTemplate, type TemplateInspection, type TemplateNote } from './templates/inspect-template';
export type { TemplateOrigin } from './templates/template-limits';
export { payloadFilesOf, withPayloadValues } from './templates/payload-files';
export { requestsOfTemplate, type TemplateRequest } from './templates/requests-of-template';
export { type NewSite, retest, type Retested, type ShownPage, shownPage, withConfirmedSite } from './retest';
export { type Scan, scan } from './scan';
export type { Coverage, ScanObserver, ScanRequest, Sighting, SkippedCheck, PreviousFinding } from './scan-run';
export { locationAdoptedBy } from './spots';
export { locationOf, parseLocation, parseTarget, type Target } from './target';
export { Egress, EGRESS_REFUSALS, type OwnListener } from './transport/egress';
export { type Endpoint, endpointText, parseEndpoint } from './transport/endpoint';
export { type Exchange, ExchangeError, type FailureCode } from './transport/exchange';
export { DEFAULT_LIMITS, type Limits } from './transport/limits';
export type { ObservedExchange } from './transport/observed-exchange';
export { type DnsAnswer, Resolver } from './transport/resolver';
export type { DialRules, Place, Route } from './transport/route';
export { Transport, type TransportOptions, type Via } from './transport/transport';
export {
  DEFAULT_PROBE_POLICY,
  type ProbePolicy,
  refute,
  type Refutation,
  type Verdict,
  type Verification,
  verify,
} from './verdict';
