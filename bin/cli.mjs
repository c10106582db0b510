import { createRequire } from 'node:module';
import { join } from 'node:path';
import { demandBuilt, project } from './built.mjs';

demandBuilt();
createRequire(import.meta.url)(join(project, 'dist', 'src', 'apps', 'cli', 'main.js'));
