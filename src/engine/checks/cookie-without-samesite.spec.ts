import type { Site } from '../testing/target-server';
import { truthTable } from '../testing/truth-table';
import { cookieWithoutSamesite } from './cookie-without-samesite';

const cookie = (field: string): Site => ({ headers: { 'set-cookie': field } });

truthTable(cookieWithoutSamesite, {
  scheme: 'http',
  vulnerable: cookie('laravel_session=abc; Path=/; HttpOnly'),
  fixed: cookie('laravel_session=abc; Path=/; HttpOnly; SameSite=Lax'),
  alsoVulnerable: {
    'it goes everywhere': cookie('laravel_session=abc; SameSite=None; Secure'),
    'browsers do not know the word': cookie('laravel_session=abc; SameSite=yes'),
  },
  alsoFixed: { 'it is strict': cookie('laravel_session=abc; samesite=STRICT') },
});
