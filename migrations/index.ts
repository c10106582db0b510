import { CreateFoundation1763683200000 } from './1763683200000-create-foundation';
import { CreateDomain1763686800000 } from './1763686800000-create-domain';
import { CreateRetests1763690400000 } from './1763690400000-create-retests';
import { CreateJobs1763694000000 } from './1763694000000-create-jobs';
import { CountWorkFailures1763695800000 } from './1763695800000-count-work-failures';
import { CreateReportFiles1763698200000 } from './1763698200000-create-report-files';
import { BindBaselinesToRecipes1763701800000 } from './1763701800000-bind-baselines-to-recipes';
import { IndexValuesByBytes1763704200000 } from './1763704200000-index-values-by-bytes';
import { MakeFindingsSearchable1763707800000 } from './1763707800000-make-findings-searchable';
import { CountWhatStands1763711400000 } from './1763711400000-count-what-stands';
import { KeepOneFindingPerWeakness1763726400000 } from './1763726400000-keep-one-finding-per-weakness';
import { QueueWorkByOrganization1763730000000 } from './1763730000000-queue-work-by-organization';

/** Every migration, oldest first. A list and not a folder search, so that what runs is what was compiled and reviewed. */
export const migrations = [
  CreateFoundation1763683200000,
  CreateDomain1763686800000,
  CreateRetests1763690400000,
  CreateJobs1763694000000,
  CountWorkFailures1763695800000,
  CreateReportFiles1763698200000,
  BindBaselinesToRecipes1763701800000,
  IndexValuesByBytes1763704200000,
  MakeFindingsSearchable1763707800000,
  CountWhatStands1763711400000,
  KeepOneFindingPerWeakness1763726400000,
  QueueWorkByOrganization1763730000000,
];
