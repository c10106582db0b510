export { JobsModule } from './jobs.module';
export { type Launchable, type LaunchQuestion, LaunchRule, type NotLaunchable } from './launch-rule';
export { retestResultVocabulary, retestStatusVocabulary } from './domain/retest-status';
export { EvidenceKeysController } from './http/evidence-keys.controller';
export { RetestsController } from './http/retests.controller';
export { RetestsService } from './retests.service';
export { SigningKeysService } from './signing-keys.service';
export { signingSecret } from './signing-secret';
