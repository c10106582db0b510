import type { Site } from '../testing/target-server';
import { truthTable } from '../testing/truth-table';
import { lookalikeSites } from '../testing/lookalike-sites';
import { exposedPhpSource } from './exposed-php-source';

const at = (path: string, body: string): Site => ({
  pages: { [path]: { headers: { 'content-type': 'application/octet-stream' }, body } },
});

const SCRIPT = "<?php\n$db = new PDO('mysql:host=db', 'shop', 'hush');\n";

truthTable(exposedPhpSource, {
  scheme: 'http',
  vulnerable: at('/index.php.bak', SCRIPT),
  fixed: {},
  alsoVulnerable: {
    'it begins with a mark and lines': at('/config.php.bak', `\ufeff\r\n\r\n${SCRIPT}`),
    'an editor has it open': at('/.index.php.swp', 'b0VIM 8.2\0\0\0'),
  },
  softErrors: lookalikeSites(SCRIPT),
  alsoFixed: { 'it is a text about scripts': at('/index.php~', `Every script begins with ${SCRIPT}`) },
  lookalikes: { 'the server runs it': at('/index.php.bak', '<h1>Welcome</h1><?xml version="1.0"?>') },
});
