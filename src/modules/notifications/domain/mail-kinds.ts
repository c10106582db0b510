/** What concerns a member: an entry of the inbox, and mail that is turned on or off by itself. Constraints name them, too. */
export const MAIL_KINDS = ['assigned', 'mentioned', 'verdict', 'gate', 'due_soon', 'done', 'account'] as const;

export type MailKind = (typeof MAIL_KINDS)[number];

export const isMailKind = (text: string): text is MailKind => MAIL_KINDS.some((kind) => kind === text);

/** Their names on the unsubscribe page and in the portal. */
export const MAIL_KIND_LABELS: Readonly<Record<MailKind, string>> = {
  assigned: 'A finding is assigned to me',
  mentioned: 'Somebody mentions me in a comment',
  verdict: 'A finding that I follow gets a verdict: it is assigned to me, or I have created or commented it',
  gate: 'The gate of a scan or an event that I started fails',
  due_soon: 'A finding that is assigned to me is due within three days',
  done: 'A retest or a report that I started is done',
  account: 'A scheduled scan could not sign in, or a cookie or header of an account ends (admins)',
};
