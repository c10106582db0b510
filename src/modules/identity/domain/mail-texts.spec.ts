import { breakGlassMail, invitationMail, providerInsteadMail } from './mail-texts';

const NAME = 'Reset now: https://evil.example/x or www.evil.example';

describe('mail', () => {
  it('does not let the name of an organization become a link', () => {
    const mail = { to: 'mara@example.com', organization: NAME, link: 'LINK' };
    const invited = { ...mail, role: 'member', invitedBy: 'owner@example.com', expires: new Date(0) };
    for (const { text } of [
      invitationMail(invited),
      breakGlassMail('owner@example.com', NAME),
      providerInsteadMail(mail),
    ]) {
      expect(text).toContain('"Reset now: https[://]evil[.]example/x or www[.]evil[.]example"');
      expect(text).not.toContain('evil.example');
    }
  });
});
