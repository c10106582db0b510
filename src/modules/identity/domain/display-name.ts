import { capitalized } from '../../../kernel/capitalized';
/** The name of a user, or a name from the first part of the e-mail address: `mara.lindqvist@…` is Mara Lindqvist. */
export const displayNameOf = ({ name, email }: { readonly name: string | null; readonly email: string }): string =>
  name ??
  (email.split('@')[0] ?? '')
    .split(/[._-]+/)
    .filter((part) => part !== '')
    .map(capitalized)
    .join(' ');
