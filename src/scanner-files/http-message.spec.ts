import { seenIn } from './http-message';

it.each([
  ['no response', 'GET / HTTP/1.1\r\n\r\n', null, null],
  ['a text that is no response', null, 'Server: nginx', null],
  [
    'a page',
    'GET / HTTP/1.1\r\nHost: shop.test\r\nAccept: Cookie: a\r\n\r\n',
    'HTTP/1.1 200 OK\r\nServer: nginx/1.28.0\r\n\r\n<html><title>The\n shop</title>',
    { server: 'nginx', title: 'The shop', isSignedIn: false },
  ],
  [
    'a file for a request with a session, and a body that names another server',
    'GET /.env HTTP/1.1\ncookie: sid=1\n\n',
    'HTTP/1.1 200 OK\nX-A: b\n\nServer: Apache\n',
    { server: null, title: null, isSignedIn: true },
  ],
])('reads from %s what a scanner saw of the target', (_what, request, response, seen) => {
  expect(seenIn(request, response)).toEqual(seen);
});
