import type { Mutant } from '../mutant';
import { accepting } from './accepting';
import { access } from './access';
import { activeJobs } from './active-jobs';
import { activeScans } from './active-scans';
import { approvals } from './approvals';
import { assetsAndEvents } from './assets-and-events';
import { attachments } from './attachments';
import { auditHeads } from './audit-heads';
import { beacons } from './beacons';
import { callbacks } from './callbacks';
import { connections } from './connections';
import { conditionalChangesMutants } from './conditional-changes';
import { contradictions } from './contradictions';
import { discovery } from './discovery';
import { beaconAgent } from './beacon-agent';
import { blocked } from './blocked';
import { changedSites } from './changed-sites';
import { checks } from './checks';
import { clients } from './clients';
import { engine } from './engine';
import { feed } from './feed';
import { formMutants } from './forms';
import { gateways } from './gateways';
import { hosting } from './hosting';
import { identity } from './identity';
import { imports } from './imports';
import { launching } from './launching';
import { library } from './library';
import { limits } from './limits';
import { lists } from './lists';
import { machineEvents } from './machine-events';
import { notifications } from './notifications';
import { observation } from './observation';
import { observations } from './observations';
import { providerMutants } from './providers';
import { records } from './records';
import { references } from './references';
import { reports } from './reports';
import { roles } from './roles';
import { scannerFiles } from './scanner-files';
import { schedules } from './schedules';
import { observedTimes } from './observed-times';
import { proofs } from './proofs';
import { secondLooks } from './second-looks';
import { servicesAndZones } from './services-and-zones';
import { operatorMutants } from './operator';
import { passkeyMutants } from './passkeys';
import { signedIn } from './signed-in';
import { accessBetweenAccounts } from './access-between-accounts';
import { signingIn } from './signing-in';
import { templates } from './templates';
import { texts } from './texts';
import { traces } from './traces';
import { upkeep } from './upkeep';
import { verdict } from './verdict';
import { vulnerabilities } from './vulnerabilities';
import { wallMutants } from './walls';
import { work } from './work';
import { sessionsOfAccounts } from './sessions-of-accounts';
import { trackers } from './trackers';
import { webhookMutants } from './webhooks';
import { findingEdits } from './finding-edits';
import { workingWithFindings } from './working-with-findings';

/** Faults that the tests have to detect, one at a time. When you change a line that a mutant searches for, update the mutant. */
export const mutants: readonly Mutant[] = [
  ...access,
  ...activeJobs,
  ...activeScans,
  ...assetsAndEvents,
  ...attachments,
  ...auditHeads,
  ...roles,
  ...hosting,
  ...identity,
  ...imports,
  ...launching,
  ...accepting,
  ...approvals,
  ...beacons,
  ...contradictions,
  ...discovery,
  ...checks,
  ...engine,
  ...feed,
  ...gateways,
  ...beaconAgent,
  ...verdict,
  ...blocked,
  ...changedSites,
  ...vulnerabilities,
  ...work,
  ...clients,
  ...notifications,
  ...observation,
  ...observations,
  ...records,
  ...references,
  ...reports,
  ...limits,
  ...library,
  ...conditionalChangesMutants,
  ...lists,
  ...machineEvents,
  ...operatorMutants,
  ...passkeyMutants,
  ...signedIn,
  ...accessBetweenAccounts,
  ...sessionsOfAccounts,
  ...signingIn,
  ...templates,
  ...texts,
  ...findingEdits,
  ...workingWithFindings,
  ...traces,
  ...upkeep,
  ...scannerFiles,
  ...schedules,
  ...observedTimes,
  ...proofs,
  ...secondLooks,
  ...servicesAndZones,
  ...connections,
  ...callbacks,
  ...wallMutants,
  ...trackers,
  ...formMutants,
  ...webhookMutants,
  ...providerMutants,
];
