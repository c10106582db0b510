export { CheckLibrary, type SelectedCheck } from './check-library';
export type { LibraryCheck } from './data/library.repository';
export { ChecksController } from './http/checks.controller';
export { ChecksModule } from './checks.module';
export { ChecksService } from './checks.service';
export { notInJobs } from './domain/not-in-jobs';
export { BUILT_IN_TAG } from './domain/listed-check';
export { MAX_CHECK_ID_LENGTH, TEMPLATE_PREFIX } from './domain/template-prefix';
export { type FileResult, LibraryLoader, type LoadedLibrary, type TemplateFile } from './library-loader';
