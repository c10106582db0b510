import type { Site } from '../testing/target-server';
import { truthTable } from '../testing/truth-table';
import { htmlPage } from '../testing/html-page';
import { cookieWithoutHttponly } from './cookie-without-httponly';

const cookie = (field: string): Site => ({ headers: { 'set-cookie': field }, pages: htmlPage('') });
const SECRET = 'a8f3c0de77aa41e29b5d';
const cookies = (...fields: readonly string[]): Site => ({
  pages: { '/': { ...htmlPage('')['/'], headers: { 'set-cookie': fields } } },
});
const onTheWay = (field: string): Site => ({
  answer: ({ url }) => (url === '/' ? { status: 302, headers: { location: '/start', 'set-cookie': field } } : null),
  pages: { '/start': htmlPage('')['/'] },
});

/** A cache that stores pages without what belongs to one visitor, and only forwards requests that it has never seen. */
const behindCache = (field: string, isFooled = false): Site => ({
  ...cookie(field),
  answer: ({ url = '/' }) => {
    const isKept = !url.includes('?') || isFooled;
    return isKept ? { ...htmlPage('')['/'], headers: { 'x-cache': 'HIT', 'set-cookie': [] } } : null;
  },
});

truthTable(cookieWithoutHttponly, {
  scheme: 'http',
  vulnerable: cookie('connect.sid=abc; Path=/; SameSite=Lax'),
  fixed: cookie('connect.sid=abc; Path=/; HttpOnly; SameSite=Lax'),
  alsoVulnerable: {
    'it is set on the way to the page': onTheWay('connect.sid=abc'),
    'a cache keeps the page without it': behindCache('connect.sid=abc'),
  },
  alsoFixed: {
    'it is set as it should be on the way to the page': onTheWay('connect.sid=abc; HTTPONLY'),
    'scripts must read what forms send': cookie(`XSRF-TOKEN=${SECRET}`),
    'it has another name, too': cookie(`shopid=${SECRET}; HttpOnly`),
    'a short one is about something else': cookie('theme=dark'),
  },
  otherTargets: {
    'one of another name was beside it all the time': {
      vulnerable: cookies('connect.sid=abc', `visitor=${SECRET}`),
      fixed: cookies('connect.sid=abc; HttpOnly', `visitor=${SECRET}`),
    },
    'it is behind a cache': {
      vulnerable: behindCache('connect.sid=abc'),
      fixed: behindCache('connect.sid=abc; HttpOnly'),
    },
  },
  lookalikes: {
    'a cache answers whatever it is asked': behindCache('connect.sid=abc', true),
    'it has another name': cookie(`shopid=${SECRET}; Path=/`),
    'one of another name is beside it': cookies('connect.sid=abc; HttpOnly', `shop_sess=${SECRET}`),
  },
});
