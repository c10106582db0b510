import type { Site } from '../testing/target-server';
import { truthTable } from '../testing/truth-table';
import { lookalikeSites } from '../testing/lookalike-sites';
import { exposedShellHistory } from './exposed-shell-history';

const at = (path: string, body: string, type = 'text/plain'): Site => ({
  pages: { [path]: { headers: { 'content-type': type }, body } },
});

const HISTORY =
  '#1700000000\ncd /var/www\nls -la\nsudo systemctl restart nginx\nmysql -u root -phush shop\n./deploy.sh\nexit\n';

truthTable(exposedShellHistory, {
  scheme: 'http',
  vulnerable: at('/.bash_history', HISTORY),
  fixed: {},
  alsoVulnerable: {
    'it is that of zsh': at('/.zsh_history', ': 1700000000:0;git pull\n: 1700000009:0;docker compose up -d\n'),
  },
  softErrors: lookalikeSites(HISTORY),
  alsoBlocked: {
    'the server itself refuses it': { pages: { '/.bash_history': { status: 403, body: 'Forbidden' } } },
  },
  lookalikes: {
    'it is a text about commands': at(
      '/.bash_history',
      `To restart it:\n\nsudo systemctl restart nginx\nls\nThen wait.\nIt is up.\nDone.\n`,
    ),
    'it is a sentence that begins like a command': at('/.bash_history', 'find what you need on our front page\n'),
  },
});
