import { truthTable } from '../testing/truth-table';
import { lookalikeSites } from '../testing/lookalike-sites';
import { exposedPhpinfo } from './exposed-phpinfo';

const info = (
  title: string,
): string => `<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "DTD/xhtml1-transitional.dtd">
<html><head><title>${title}</title></head><body><div class="center"><table><tr class="h"><td>
<h1 class="p">PHP Version 8.2.7</h1></td></tr></table></div></body></html>`;

truthTable(exposedPhpinfo, {
  scheme: 'http',
  vulnerable: { pages: { '/phpinfo.php': info('PHP 8.2.7 - phpinfo()') } },
  fixed: {},
  alsoVulnerable: { 'it is an old one': { pages: { '/info.php': info('phpinfo()') } } },
  softErrors: lookalikeSites(info('phpinfo()')),
  alsoFixed: {
    'a page tells about it': {
      pages: { '/info.php': '<title>phpinfo()</title><h1>What PHP Version 8.2.7 shows</h1>' },
    },
  },
});
