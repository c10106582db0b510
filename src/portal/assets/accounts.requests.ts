import { isRecord } from '../../kernel/is-record';
import { invalid } from '../../kernel/domain-error';
import { stated } from '../../kernel/stated';
import {
  type AccountChange,
  type AccountDraft,
  type AccountRelation,
  type AccountSecrets,
  LAUNCH_ROLES,
  type LaunchRole,
  proofOf,
  recipeOf,
  relationsOf,
} from '../../modules/accounts';
import { Day, Flag, Integer, Name, OneOf, Text } from '../../platform/http/fields';

export const KINDS = ['form', 'basic', 'header', 'cookie', 'json'] as const;
type Kind = (typeof KINDS)[number];

const MAX_SECRET = 4_096;
const orUndefined = (text: string | null | undefined): string | undefined =>
  text == null || text === '' ? undefined : text;

/** What the forms that add and change an account have in common. */
export class AccountForm {
  @Name(200)
  name!: string;

  @Name(200)
  role!: string;

  @OneOf(KINDS)
  kind!: Kind;

  /** Of the sign-in form. */
  @Text(0, 2_048, { nullable: true })
  page?: string | null;

  @Text(0, 200, { nullable: true })
  user_name?: string | null;

  @Text(0, 200, { nullable: true })
  header?: string | null;

  /** As the API takes it, for requests and steps. */
  @Text(0, 65_536, { nullable: true })
  sign_in?: string | null;

  @Flag({ optional: true })
  totp?: boolean;

  /** One in each line. */
  @Text(1, 3_000)
  origins!: string;

  @Text(0, MAX_SECRET, { nullable: true })
  password?: string | null;

  @Text(0, MAX_SECRET, { nullable: true })
  totp_seed?: string | null;

  @Text(0, MAX_SECRET, { nullable: true })
  value?: string | null;

  @OneOf(LAUNCH_ROLES)
  launch_role!: LaunchRole;

  @Flag({ optional: true })
  ci_keys?: boolean;

  /** One in each line. */
  @Text(0, 5_000, { nullable: true })
  own_values?: string | null;

  @Day({ nullable: true })
  expires?: string | null;
}

export class RelationForm {
  @Integer(1, 2_147_483_647)
  other!: number;

  @OneOf(['equal', 'above', 'none'])
  is!: 'equal' | 'above' | 'none';

  /** One in each line. */
  @Text(0, 30_000, { nullable: true })
  shared?: string | null;
}

export class ConsentForm {
  @Flag()
  signed_in_tests!: boolean;
}

export class ProofForm {
  @Text(1, 2_048)
  url!: string;

  @Text(1, 500)
  text!: string;

  @OneOf(['in', 'out'])
  only!: 'in' | 'out';
}

const linesOf = (text: string | null | undefined): string[] =>
  (text ?? '')
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

function jsonOf(text: string): unknown {
  try {
    const read: unknown = JSON.parse(text);
    if (isRecord(read)) return read;
  } catch {
    // The sentence below says it.
  }
  throw invalid('sign_in must be a JSON object, as docs/accounts.md describes.');
}

function recipeOfForm(form: AccountForm): AccountDraft['recipe'] {
  const totp = form.totp === true ? { totp: {} } : {};
  const { kind, page, user_name, header } = form;
  if (kind === 'json') return recipeOf(jsonOf(form.sign_in ?? ''));
  if (kind === 'form') return recipeOf({ kind, page, user_name, ...totp });
  if (kind === 'basic') return recipeOf({ kind, user_name, ...totp });
  return recipeOf(kind === 'header' ? { kind, name: header, ...totp } : { kind, ...totp });
}

/** Undefined if none was typed: the others stay. */
function secretsOf(form: AccountForm): AccountSecrets | undefined {
  const typed = stated<AccountSecrets>({
    password: orUndefined(form.password),
    totpSeed: orUndefined(form.totp_seed),
    value: orUndefined(form.value),
  });
  return Object.keys(typed).length === 0 ? undefined : typed;
}

const fieldsOf = (form: AccountForm) => ({
  name: form.name,
  role: form.role,
  recipe: recipeOfForm(form),
  origins: form.origins.split(/\s+/).filter((origin) => origin !== ''),
  launchRole: form.launch_role,
  ciKeys: form.ci_keys === true,
  ownValues: linesOf(form.own_values),
  expires: form.expires ?? null,
});

export const draftOfForm = (form: AccountForm): AccountDraft => ({
  ...fieldsOf(form),
  secrets: secretsOf(form) ?? null,
});

export const changeOfAccountForm = (form: AccountForm): AccountChange => {
  const secrets = secretsOf(form);
  return { ...fieldsOf(form), ...(secrets !== undefined && { secrets }) };
};

/** The relations of an account with the one of the form in place of an earlier one to the same account. */
export const relationsOfForm = (
  known: readonly AccountRelation[],
  { other: account, is, shared }: RelationForm,
): AccountRelation[] => {
  const others = known.filter((one) => one.account !== account);
  return is === 'none' ? others : relationsOf([...others, { account, is, shared: linesOf(shared) }]);
};

export const proofOfForm = ({ url, text, only }: ProofForm) => proofOf({ url, text, only });
