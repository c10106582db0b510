import { minuteOf } from '../../../kernel/day';
import type { MailText } from '../../../platform/mail/mailer';
import type { EndedCredentials, EndReason } from './ended-credentials';

type MailContent = Omit<MailText, 'to'>;

/** Names are text of other people: on one line, so that they cannot look like a text of the service. */
const inline = (name: string): string => name.replaceAll(/\s+/g, ' ');
/** Mail programs make links of addresses. The name of an organization could lead people who trust the service to any site. */
const withoutLinks = (name: string): string =>
  inline(name)
    .replaceAll('://', '[://]')
    .replaceAll(/\.(?=\S)/g, '[.]');

interface InvitationMail {
  readonly to: string;
  readonly organization: string;
  readonly role: string;
  readonly invitedBy: string;
  readonly link: string;
  readonly expires: Date;
}

export const invitationMail = (mail: InvitationMail): MailText => ({
  to: mail.to,
  subject: 'Invitation to Assay',
  text: `${inline(mail.invitedBy)} invites you to the organization "${withoutLinks(mail.organization)}" in Assay, with the role ${mail.role}.

Accept the invitation here:
${mail.link}

The link works once, until ${minuteOf(mail.expires)}, for the address ${mail.to}.
If you do not expect this invitation, ignore this mail.
`,
});

const CAUSES: Readonly<Record<EndReason, string>> = {
  proved:
    'A link that was sent to this address has proved that it is yours. All that was made for your user before has ended, because somebody else may have made it.',
  stated:
    'The operator of the service has confirmed that this address is yours. All that was made for your user before has ended, because somebody else may have made it. Ask for a new password on the sign-in page.',
  handed_link:
    'An owner of your organization created a link for a new password, and it was used. If you did not use it, ask for a new password on the sign-in page: that ends all that was made with it.',
  new_password: 'A link that was sent to this address was used to set a new password.',
};

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

/** What was ended. The keys still work after a new password. */
export function credentialsEndedMail(to: string, ended: EndedCredentials): MailText {
  const { reason, keys, sessions, hadSecondFactor, invitations } = ended;
  const named = [
    ...keys.map((label) => `the API key "${inline(label)}"`),
    ...(ended.identities ?? []).map((issuer) => `the link to the identity provider ${inline(issuer)}`),
  ];
  const lines = [
    counted(sessions, 'session'),
    ...(hadSecondFactor ? ['the second factor'] : []),
    ...(invitations > 0 ? [`${counted(invitations, 'invitation')} that you had sent`] : []),
    ...(reason === 'new_password' ? [] : named),
  ];
  const kept = reason === 'new_password' ? named.map((one) => `- ${one}`) : [];
  const review = `\nThese still work. You are asked about them after the next sign-in:\n${kept.join('\n')}\n`;
  return {
    to,
    subject: 'Your sign-in to Assay has changed',
    text: `${CAUSES[reason]}

Ended:
${lines.map((line) => `- ${line}`).join('\n')}
${kept.length === 0 ? '' : review}
If this was not you, tell the operator of the service.
`,
  };
}

interface PasswordResetMail {
  readonly to: string;
  readonly link: string;
  readonly expires: Date;
}

export const passwordResetMail = ({ to, link, expires }: PasswordResetMail): MailText => ({
  to,
  subject: 'New password for Assay',
  text: `Someone, probably you, asked for a new password for ${to} in Assay.

Set it here:
${link}

The link works once, until ${minuteOf(expires)}. It ends all your sessions.
If you did not ask for it, ignore this mail: your password stays as it is.
`,
});

const IF_NOT_YOU =
  'If this was not you, change your password, end your sessions under Settings, Sessions, and tell the operator of the service.';

export const passkeyAddedMail = (name: string): MailContent => ({
  subject: 'A passkey was added to your user in Assay',
  text: `The passkey "${inline(name)}" can sign in as you from now on. Your other sessions were ended.

${IF_NOT_YOU}
`,
});

export const passkeyRemovedMail = (name: string): MailContent => ({
  subject: 'A passkey was removed from your user in Assay',
  text: `The passkey "${inline(name)}" can no longer sign in as you. Your other sessions were ended.

${IF_NOT_YOU}
`,
});

interface IdentityLinkedMail extends Pick<NewBrowserMail, 'userAgent' | 'at'> {
  readonly issuer: string;
}

export const identityLinkedMail = ({ issuer, userAgent, at }: IdentityLinkedMail): MailContent => ({
  subject: 'An identity provider was linked to your user in Assay',
  text: `The identity provider ${inline(issuer)} can sign in as you from now on. It was linked:

- at ${minuteOf(at)}
- with ${inline(userAgent ?? 'an unknown browser')}

${IF_NOT_YOU} Unlink the provider under Settings, Linked providers.
`,
});

interface NewBrowserMail {
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly at: Date;
}

export const newBrowserMail = ({ ip, userAgent, at }: NewBrowserMail): MailContent => ({
  subject: 'A new browser signed in to Assay as you',
  text: `A browser in which you had not signed in during the last 90 days, or since your last new password, has signed in as you:

- at ${minuteOf(at)}
- from ${ip ?? 'an unknown address'}
- with ${inline(userAgent ?? 'an unknown browser')}

${IF_NOT_YOU}
`,
});

export const breakGlassMail = (email: string, organization: string): MailContent => ({
  subject: 'Sign-in to Assay without your identity provider',
  text: `${inline(email)} signed in to Assay without the identity provider that the organization "${withoutLinks(organization)}" requires, as its break-glass owner.

If you did not expect this, end the sessions of this user, and choose another break-glass owner.
`,
});

interface ProviderInsteadMail {
  readonly to: string;
  readonly organization: string;
  readonly link: string;
}

export const providerInsteadMail = ({ to, organization, link }: ProviderInsteadMail): MailText => ({
  to,
  subject: 'How to sign in to Assay',
  text: `Someone, probably you, asked for a new password for ${to} in Assay. The organization "${withoutLinks(organization)}" requires a sign-in through its identity provider, so you need no password.

Sign in here:
${link}
`,
});
