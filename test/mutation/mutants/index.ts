import type { Mutant } from '../mutant';
import { accepting } from './accepting';
import { access } from './access';
import { beacons } from './beacons';
import { connections } from './connections';
import { conditionalChangesMutants } from './conditional-changes';
import { discovery } from './discovery';
import { beaconAgent } from './beacon-agent';
import { changedSites } from './changed-sites';
import { checks } from './checks';
import { engine } from './engine';
import { gateways } from './gateways';
import { identity } from './identity';
import { imports } from './imports';
import { launching } from './launching';
import { library } from './library';
import { limits } from './limits';
import { lists } from './lists';
import { records } from './records';
import { roles } from './roles';
import { scannerFiles } from './scanner-files';
import { secondLooks } from './second-looks';
import { servicesAndZones } from './services-and-zones';
import { signingIn } from './signing-in';
import { templates } from './templates';
import { texts } from './texts';
import { traces } from './traces';
import { upkeep } from './upkeep';
import { verdict } from './verdict';
import { vulnerabilities } from './vulnerabilities';
import { wallMutants } from './walls';
import { work } from './work';
import { workingWithFindings } from './working-with-findings';

/** Faults that the tests have to detect, one at a time. When you change a line that a mutant searches for, update the mutant. */
export const mutants: readonly Mutant[] = [
  ...access,
  ...roles,
  ...identity,
  ...imports,
  ...launching,
  ...accepting,
  ...beacons,
  ...discovery,
  ...checks,
  ...engine,
  ...gateways,
  ...beaconAgent,
  ...verdict,
  ...changedSites,
  ...vulnerabilities,
  ...work,
  ...records,
  ...limits,
  ...library,
  ...conditionalChangesMutants,
  ...lists,
  ...signingIn,
  ...templates,
  ...texts,
  ...workingWithFindings,
  ...traces,
  ...upkeep,
  ...scannerFiles,
  ...secondLooks,
  ...servicesAndZones,
  ...connections,
  ...wallMutants,
];
