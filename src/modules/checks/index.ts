export { CheckLibrary, type LibraryCheck } from './check-library';
export { ChecksModule } from './checks.module';
export { type FileResult, LibraryLoader, type LoadedLibrary, type TemplateFile } from './library-loader';
