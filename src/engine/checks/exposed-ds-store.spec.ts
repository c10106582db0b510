import type { Site } from '../testing/target-server';
import { truthTable } from '../testing/truth-table';
import { lookalikeSites } from '../testing/lookalike-sites';
import { exposedDsStore } from './exposed-ds-store';

const STORE = '\0\0\0\x01Bud1\0\0\x10\0';
const at = (body: string): Site => ({
  pages: { '/.DS_Store': { headers: { 'content-type': 'application/octet-stream' }, body } },
});

truthTable(exposedDsStore, {
  scheme: 'http',
  vulnerable: at(STORE),
  fixed: {},
  softErrors: lookalikeSites(STORE),
  lookalikes: { 'it is another file': at('Bud1'), 'it is empty, as if its server had failed': at('') },
});
