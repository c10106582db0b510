import { placeOf } from '../check';
import { parseTarget } from '../target';
import { certificate } from '../testing/certificate';
import { truthTable } from '../testing/truth-table';
import { mismatchedCertificate } from './mismatched-certificate';

const forNames = (...names: string[]) => ({ tls: certificate({ names }) });

truthTable(mismatchedCertificate, {
  vulnerable: forNames('other.test'),
  fixed: forNames('target.test'),
  alsoVulnerable: {
    'it is for names below': forNames('*.target.test'),
    'it is for a name that ends in this one': forNames('a.target.test', 'evil-target.test'),
    'it is for the address': forNames('127.0.0.1'),
  },
  alsoFixed: {
    'the name is one of several': forNames('other.test', 'target.test'),
    'it is for all names beside it': forNames('*.test', 'TARGET.test'),
  },
});

describe('mismatched-certificate', () => {
  it('has nothing to test on an address', () => {
    expect(placeOf(mismatchedCertificate, parseTarget('https://192.0.2.1/'))).toEqual({
      applicable: false,
      reason: expect.stringContaining('this is an address'),
    });
  });
});
