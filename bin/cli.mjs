import { createRequire } from 'node:module';
import { join } from 'node:path';
import { requireBuild, project } from './built.mjs';

requireBuild();
createRequire(import.meta.url)(join(project, 'dist', 'src', 'apps', 'cli', 'main.js'));
