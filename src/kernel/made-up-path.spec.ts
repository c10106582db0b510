import { withoutMadeUp } from './made-up-path';

it.each([
  // As baselines of earlier versions have it.
  ['/nothing-0123456789ab', '/nothing-*'],
  ['/app/nothing-0123456789ab?next=1', '/app/nothing-*?next=1'],
  ['/.env-nothing-0123456789ab', '/.env-nothing-*'],
  ['/dump-nothing-0123456789ab.sql', '/dump-nothing-*.sql'],
  ['/nothing-to-see', '/nothing-to-see'],
])('a made-up path has one text each time: %s', (path, text) => {
  expect(withoutMadeUp(path)).toBe(text);
});
