import type { Site } from '../testing/target-server';
import { truthTable } from '../testing/truth-table';
import { cookieWithoutSecure } from './cookie-without-secure';

const cookie = (field: string): Site => ({ headers: { 'set-cookie': field } });

truthTable(cookieWithoutSecure, {
  weak: cookie('PHPSESSID=abc; Path=/; HttpOnly'),
  mended: cookie('PHPSESSID=abc; Path=/; HttpOnly; secure'),
  alsoWeak: { 'the word is only in the value': cookie('sid=secure; Path=/secure') },
  alsoMended: { 'no session is opened any more': {}, 'it is about the colours of the page': cookie('theme=dark') },
});
