export { FindingBaselinesRepository } from './data/finding-baselines.repository';
export { retestResultVocabulary, retestStatusVocabulary } from './domain/retest-status';
export { EngineRuntime } from './engine-runtime';
export { RetestsController } from './http/retests.controller';
export { type Launchable, type LaunchRefusal, type LaunchRequest, LaunchRule } from './launch-rule';
export { type RetestSummary, RetestSummaryService } from './retest-summary.service';
export { RetestsModule } from './retests.module';
export { RetestsService } from './retests.service';
