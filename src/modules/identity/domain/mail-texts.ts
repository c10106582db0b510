import type { MailText } from '../../../platform/mail/mailer';

const instant = (date: Date): string => `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** Names are text of other people: on one line, so that they cannot look like a text of the service. */
const inline = (name: string): string => name.replaceAll(/\s+/g, ' ');

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
  text: `${inline(mail.invitedBy)} invites you to the organization "${inline(mail.organization)}" in Assay, with the role ${mail.role}.

Accept the invitation here:
${mail.link}

The link works once, until ${instant(mail.expires)}, for the address ${mail.to}.
If you do not expect this invitation, ignore this mail.
`,
});

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

The link works once, until ${instant(expires)}. It ends all your sessions.
If you did not ask for it, ignore this mail: your password stays as it is.
`,
});
