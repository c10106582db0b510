export { ImportsModule } from './imports.module';
export { ImportsController } from './http/imports.controller';
