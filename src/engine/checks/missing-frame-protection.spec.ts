import type { Site } from '../testing/target-server';
import { truthTable } from '../testing/truth-table';
import { missingFrameProtection } from './missing-frame-protection';

const frames = (value: string): Site => ({ headers: { 'x-frame-options': value } });
const csp = (value: string, more = {}): Site => ({ headers: { 'content-security-policy': value, ...more } });

truthTable(missingFrameProtection, {
  scheme: 'http',
  vulnerable: {},
  fixed: csp("default-src 'self'; frame-ancestors 'self' https://partner.test"),
  alsoVulnerable: {
    'another policy says nothing of frames': csp("default-src 'self'"),
    'every site may be an ancestor': csp('frame-ancestors https:', { 'x-frame-options': 'DENY' }),
    'browsers ignore what it says': frames('ALLOW-FROM https://partner.test'),
  },
  alsoFixed: {
    'the older field is enough': frames('SameOrigin'),
    'one of two fields is known': frames('ALLOW-FROM https://partner.test, DENY'),
    'no site may be an ancestor': csp('frame-ancestors'),
  },
});
