import type { Site } from '../testing/target-server';
import { truthTable } from '../testing/truth-table';
import { missingNosniff } from './missing-nosniff';

const options = (value: string): Site => ({ headers: { 'x-content-type-options': value } });

truthTable(missingNosniff, {
  scheme: 'http',
  vulnerable: {},
  fixed: options('nosniff'),
  alsoVulnerable: { 'it says something else': options('no-sniff'), 'nosniff comes second': options('sniff, nosniff') },
  alsoFixed: { 'it is written in capitals, twice': options('NoSniff, nosniff') },
});
