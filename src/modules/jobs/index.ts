export { JobsModule } from './jobs.module';
export { type Launchable, type LaunchQuestion, LaunchRule, type NotLaunchable } from './launch-rule';
