import type { Site } from '../testing/target-server';
import { truthTable } from '../testing/truth-table';
import { cookieWithoutSecure } from './cookie-without-secure';

const cookie = (field: string): Site => ({ headers: { 'set-cookie': field } });

truthTable(cookieWithoutSecure, {
  vulnerable: cookie('PHPSESSID=abc; Path=/; HttpOnly'),
  fixed: cookie('PHPSESSID=abc; Path=/; HttpOnly; secure'),
  alsoVulnerable: { 'the word is only in the value': cookie('sid=secure; Path=/secure') },
  alsoFixed: { 'no session is opened any more': {}, 'it is about the colours of the page': cookie('theme=dark') },
});
