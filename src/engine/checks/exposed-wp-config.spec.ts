import type { Site } from '../testing/target-server';
import { truthTable } from '../testing/truth-table';
import { lookalikeSites } from '../testing/lookalike-sites';
import { exposedWpConfig } from './exposed-wp-config';

const at = (path: string, body: string): Site => ({
  pages: { [path]: { headers: { 'content-type': 'text/plain' }, body } },
});

const CONFIG = "<?php\ndefine( 'DB_NAME', 'shop' );\ndefine( 'DB_PASSWORD', 'hush' );\n";

truthTable(exposedWpConfig, {
  scheme: 'http',
  vulnerable: at('/wp-config.php.bak', CONFIG),
  fixed: {},
  alsoVulnerable: { 'it is a text': at('/wp-config.txt', '\n\tdefine("DB_PASSWORD","hush");') },
  softErrors: lookalikeSites(CONFIG),
  alsoFixed: {
    'a page quotes it as it stands': at('/wp-config.txt', `<!doctype html><pre>\n${CONFIG}</pre>`),
    'it reads the password from elsewhere': at(
      '/wp-config.txt',
      "<?php\ndefine( 'DB_PASSWORD', getenv('DB_PASSWORD') );",
    ),
  },
});
