export { CheckLibrary, type LibraryCheck, type SelectedCheck } from './check-library';
export { ChecksModule } from './checks.module';
export { TEMPLATE_PREFIX } from './domain/template-prefix';
export { type FileResult, LibraryLoader, type LoadedLibrary, type TemplateFile } from './library-loader';
