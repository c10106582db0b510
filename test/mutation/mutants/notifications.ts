import type { Mutant } from '../mutant';

const spec = 'test/e2e/notifications.spec.ts';
const folder = 'src/modules/notifications';
const notices = `${folder}/data/personal-notices.repository.ts`;
const service = `${folder}/mail-preferences.service.ts`;
const changedLink = 'refuses a link that was changed: of another kind, member, organization or signature';

/** Who is told what, once, and never of another tenant. */
export const notifications: readonly Mutant[] = [
  {
    name: 'notifications: mail comes although a member has turned it off',
    file: notices,
    search: ' AND r.kind = ANY(p.kinds)',
    replace: '',
    spec,
    test: 'is what they set in this organization, not in another',
  },
  {
    name: 'notifications: a mail is repeated after an attempt that was lost',
    file: notices,
    search: ' AND n.taken IS NULL\n        AND EXISTS',
    replace: '\n        AND EXISTS',
    spec,
    test: 'is not repeated by the attempt after one that was lost while it sent',
  },
  {
    name: 'notifications: a refused mail is never sent',
    file: `${folder}/work/personal-mail.ts`,
    search: 'await this.notices.giveBack(',
    replace: 'if (mail === undefined) await this.notices.giveBack(',
    spec,
    test: 'is sent by the next attempt if the mail server refuses it',
  },
  {
    name: 'notifications: who assigns to themselves gets mail',
    file: `${folder}/personal-notices.ts`,
    search: '?.assignedBy !== userId',
    replace: '?.assignedBy !== -1',
    spec,
    test: 'is not sent to who assigns the finding to themselves, nor if it was assigned to somebody else since',
  },
  {
    name: 'notifications: members of other organizations are mentioned',
    file: 'src/modules/identity/data/members.repository.ts',
    search: 'WHERE m.organization_id = ${organizationId} AND (${userIds}::int[] IS NULL',
    replace: 'WHERE ${organizationId} > 0 AND (${userIds}::int[] IS NULL',
    spec,
    test: 'goes to mentioned members of this organization alone, without the comment, and not to its author',
  },
  {
    name: 'notifications: mails come one by one',
    file: `${folder}/personal-notices.ts`,
    search: '...(next > now && { runAt: next }),',
    replace: '...(next > now && {}),',
    spec,
    test: 'comes at most every ten minutes, with all that came meanwhile and a link to what it does not list',
  },
  {
    name: 'notifications: titles are shown although an admin turned them off',
    file: `${folder}/domain/message.ts`,
    search: 'options.showsTitle ? title : `Finding ${id}`',
    replace: 'options.showsTitle || true ? title : `Finding ${id}`',
    spec,
    test: 'leaves out titles if an admin says so',
  },
  {
    name: 'notifications: every member changes what mails show',
    file: service,
    search: "caller.requireRole('admin', id);",
    replace: '',
    spec,
    test: 'leaves out titles if an admin says so',
  },
  {
    name: 'notifications: who is no member sets mail',
    file: service,
    search: 'if (!(await this.members.lockMembership(id, userId))) throw onlyMembersGetMail(id);',
    replace: 'if (id < 0) throw onlyMembersGetMail(id);',
    spec,
    test: 'is nothing for users of an integrator, who are no members',
  },
  {
    name: 'notifications: a link for unsubscribing needs no signature',
    file: `${folder}/unsubscribe-tokens.ts`,
    search: ' || !this.signer.hasSigned(`${organizationId}.${userId}.${kind}`, signature)',
    replace: '',
    spec,
    test: changedLink,
  },
  {
    name: 'notifications: the signature of a link says nothing about its kind',
    file: `${folder}/unsubscribe-tokens.ts`,
    search: 'this.signer.hasSigned(`${organizationId}.${userId}.${kind}`, signature)',
    replace:
      "['assigned', 'mentioned'].some((one) => this.signer.hasSigned(`${organizationId}.${userId}.${one}`, signature))",
    spec,
    test: changedLink,
  },
  {
    name: 'notifications: every form of the portal may come from anywhere',
    file: 'src/portal/http/session.guard.ts',
    search: "if (request.method === 'POST' && !isFromAnywhere(context)) this",
    replace: "if (request.method === 'PUT' && !isFromAnywhere(context)) this",
    spec,
    test: 'other forms of the portal are refused without their origin',
  },
  {
    name: 'notifications: text of people is HTML in mails',
    file: `${folder}/rendering/mail.ts`,
    search: "text.replaceAll(/[&<>\"']/g, (character) => ENTITIES[character] ?? '')",
    replace: "text.replaceAll(/[&]/g, (character) => ENTITIES[character] ?? '')",
    spec,
    test: 'has the severity, the title, the asset, what was proved and links that work, as text and as HTML',
  },
];
