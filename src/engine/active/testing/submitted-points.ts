import type { InsertionPoint } from '../../experiment-record';

/** The field q of a form at `/form` with a token. */
export const formPoint = (path: string, body: string): InsertionPoint => ({
  request: {
    method: 'POST',
    path,
    headers: [['Content-Type', 'application/x-www-form-urlencoded']],
    body,
    submits: { page: '/form', fresh: ['csrf'] },
  },
  kind: 'form',
  name: 'q',
  value: 'red',
});

/** A member of the JSON that an operation takes. */
export const jsonPoint = (path: string, body: string, name: string): InsertionPoint => ({
  request: {
    method: 'POST',
    path,
    headers: [['Content-Type', 'application/json']],
    body,
    submits: { page: null, fresh: [] },
  },
  kind: 'json',
  name,
  value: 'red',
});
