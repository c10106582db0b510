import { passwordTooShort } from './identity.errors';

const MIN_PASSWORD_LENGTH = 12;

export function requireMinimumLength(password: string): string {
  if (password.length < MIN_PASSWORD_LENGTH) throw passwordTooShort(MIN_PASSWORD_LENGTH);
  return password;
}
