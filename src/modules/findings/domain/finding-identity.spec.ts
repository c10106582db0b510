import { identityOf } from './finding-identity';

const finding = { organizationId: 7, eventId: 3, assetValue: 'example.com', fingerprint: 'ab' };

describe('the identity of a finding', () => {
  it('is the same for the same organization, event, asset value and fingerprint', () => {
    expect(identityOf({ ...finding })).toEqual(identityOf(finding));
    expect(identityOf(finding)).toHaveLength(32);
  });

  it.each([
    { organizationId: 8 },
    { eventId: 4 },
    { eventId: null },
    { assetValue: 'example.org' },
    { fingerprint: 'cd' },
    { assetValue: 'example.com","ab' },
  ])('is another with %j', (difference) => {
    expect(identityOf({ ...finding, ...difference })).not.toEqual(identityOf(finding));
  });

  it('does not depend on where one part ends and the next begins', () => {
    expect(identityOf({ ...finding, organizationId: 1, eventId: 23 })).not.toEqual(
      identityOf({ ...finding, organizationId: 12, eventId: 3 }),
    );
  });
});
