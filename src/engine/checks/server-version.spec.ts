import type { Site } from '../testing/target-server';
import { truthTable } from '../testing/truth-table';
import { describeWithNginx, seenOnNginx } from '../testing/real-nginx';
import { serverVersion } from './server-version';

const server = (value: string): Site => ({ headers: { server: value } });

const OUR_SHOP: Site['answer'] = ({ url = '' }) =>
  url.split('?', 1)[0] === '/' ? null : { status: 404, body: '<h3>Our Shop/2.5 is here</h3><p>Not found</p>' };

truthTable(serverVersion, {
  scheme: 'http',
  vulnerable: server('Apache/2.4.41 (Ubuntu)'),
  fixed: server('Apache'),
  alsoVulnerable: {
    'the number is in brackets': server('Jetty(9.4.43.v20210629)'),
    'only its error pages tell it': {
      ...server('Apache'),
      answer: ({ url }) =>
        url === '/'
          ? null
          : {
              status: 404,
              body: '<h1>Not Found</h1><hr><address>Apache/2.4.41 (Ubuntu) Server at target.test</address>',
            },
    },
    'only a module tells it': server('Apache (Unix) OpenSSL/1.1.1k'),
  },
  alsoFixed: {
    'it is the mark of a machine': server('ECAcc (nyb/1D2E)'),
    'the number never changes': server('Apache-Coyote/1.1'),
    'the number is of a machine': server('backend 7'),
  },
  otherTargets: {
    'a page tells the version of a product': {
      vulnerable: { ...server('Apache/2.4.41'), answer: OUR_SHOP },
      fixed: { ...server('Apache'), answer: OUR_SHOP },
    },
  },
});

describeWithNginx('server-version on a real nginx', () => {
  it.each([
    ['vulnerable', 'on'],
    ['not_vulnerable', 'off'],
  ])('is %s with server_tokens %s', async (state, tokens) => {
    expect(await seenOnNginx(serverVersion, { directives: `server_tokens ${tokens};` })).toMatchObject({ state });
  });
});
