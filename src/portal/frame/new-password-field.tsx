import type { VNode } from 'preact';
import { Field } from './form';

interface NewPasswordFieldProps {
  readonly label: string;
  /** For password managers, which store it with the password. */
  readonly email: string;
  readonly autofocus?: boolean;
}

/** The field for a password that a person chooses after opening a link. */
export const NewPasswordField = ({ label, email, autofocus }: NewPasswordFieldProps): VNode => (
  <>
    <input type="hidden" name="email" value={email} autocomplete="username" />
    <Field
      name="password"
      label={label}
      hint="At least 12 characters."
      input={{ type: 'password', autocomplete: 'new-password', minLength: 12, maxLength: 1_000, autofocus }}
    />
  </>
);
