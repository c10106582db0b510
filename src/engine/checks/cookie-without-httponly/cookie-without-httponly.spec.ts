import type { Site } from '../../testing/target-server';
import { truthTable } from '../../testing/truth-table';
import { htmlPage } from '../documents/html-page';
import { cookieWithoutHttponly } from './cookie-without-httponly';

const cookie = (field: string): Site => ({ headers: { 'set-cookie': field }, pages: htmlPage('') });
const onTheWay = (field: string): Site => ({
  answer: ({ url }) => (url === '/' ? { status: 302, headers: { location: '/start', 'set-cookie': field } } : null),
  pages: { '/start': htmlPage('')['/'] },
});

truthTable(cookieWithoutHttponly, {
  scheme: 'http',
  weak: cookie('connect.sid=abc; Path=/; SameSite=Lax'),
  mended: cookie('connect.sid=abc; Path=/; HttpOnly; SameSite=Lax'),
  alsoWeak: { 'it is set on the way to the page': onTheWay('connect.sid=abc') },
  alsoMended: {
    'it is set as it should be on the way to the page': onTheWay('connect.sid=abc; HTTPONLY'),
    'scripts must read what forms send': cookie('XSRF-TOKEN=abc'),
  },
});
