import type { Site } from '../../testing/target-server';
import { truthTable } from '../../testing/truth-table';
import { cookieWithoutHttponly } from './cookie-without-httponly';

const cookie = (field: string): Site => ({ headers: { 'set-cookie': field } });
const onTheWay = (field: string): Site => ({
  answer: ({ url }) => (url === '/' ? { status: 302, headers: { location: '/start', 'set-cookie': field } } : null),
  pages: { '/start': '<!doctype html><title>Start</title><h1>Start here</h1><p>Everything begins on this page.</p>' },
});

truthTable(cookieWithoutHttponly, {
  scheme: 'http',
  weak: cookie('connect.sid=abc; Path=/; SameSite=Lax'),
  mended: cookie('connect.sid=abc; Path=/; HttpOnly; SameSite=Lax'),
  alsoMended: { 'scripts must read what forms send': cookie('XSRF-TOKEN=abc') },
});

truthTable(
  { ...cookieWithoutHttponly, id: 'cookie-without-httponly, on the way to the page' },
  { scheme: 'http', weak: onTheWay('sid=abc'), mended: onTheWay('sid=abc; HTTPONLY') },
);
