import type { Site } from '../testing/target-server';
import { truthTable } from '../testing/truth-table';
import { lookalikeSites } from '../testing/lookalike-sites';
import { exposedHtpasswd } from './exposed-htpasswd';

const at = (path: string, body: string): Site => ({
  pages: { [path]: { headers: { 'content-type': 'text/plain' }, body } },
});
const APR1 = 'admin:$apr1$lZL6V/ci$eIMz/iKDkbtys/uU7LEK00\n';

truthTable(exposedHtpasswd, {
  scheme: 'http',
  vulnerable: at('/.htpasswd', APR1),
  fixed: {},
  alsoVulnerable: {
    'there are several users': at(
      '/htpasswd',
      `# editors\r\n${APR1}eve:{SHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g=\r\nbob:rqXexS6ZhobKA\r\n`,
    ),
    'there are thousands of users': at('/.htpasswd', APR1.repeat(2_000)),
  },
  softErrors: lookalikeSites(APR1),
  alsoFixed: {
    'the words are no hashes': at('/htpasswd', 'error:neverhadthose\n'),
  },
  alsoBlocked: {
    'the server itself refuses it': { pages: { '/.htpasswd': { status: 403, body: 'Forbidden' } } },
  },
  lookalikes: { 'it is a text about it': at('/.htpasswd', `The file looks like this:\n${APR1}`) },
});
