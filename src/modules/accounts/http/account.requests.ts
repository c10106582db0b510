import type { AccountSecrets } from '../../../engine';
import { isRecord } from '../../../kernel/is-record';
import { stated } from '../../../kernel/stated';
import {
  Day,
  field,
  Flag,
  type FieldOptions,
  Name,
  Nested,
  OneOf,
  passes,
  Text,
  TextListWithRule,
} from '../../../platform/http/fields';
import type { AccountChange, AccountDraft } from '../accounts.service';
import { LAUNCH_ROLES, type LaunchRole } from '../data/asset-account.entity';
import { canonicalOrigins, MAX_ORIGINS } from '../domain/account-origins';
import {
  MAX_OWN_VALUES,
  MAX_RELATIONS,
  OWN_VALUE_LENGTHS,
  relationsOf,
  requireOwnValues,
} from '../domain/account-relations';
import { proofOf, recipeOf } from '../domain/sign-in-recipe';

/** A rule of the domain reads its parts, and its errors name them. */
const JsonObject = (options: FieldOptions): PropertyDecorator =>
  field(
    {
      validators: [passes(isRecord)],
      sentence: 'must be an object',
      schema: { type: 'object', additionalProperties: true },
    },
    options,
  );

const MAX_SECRET_LENGTH = 4_096;
const Secret = (description: string): PropertyDecorator => Text(1, MAX_SECRET_LENGTH, { optional: true, description });

const RECIPE = {
  description:
    'How it signs in: an object whose `kind` is form, request, steps, basic, header or cookie, as docs/accounts.md describes. It has no secrets.',
  example: { kind: 'form', page: 'https://shop.example.com/login', user_name: 'ada' },
};
const SECRETS = '{"password", "totp_seed", "value"}: those that sign_in needs';
const ABOUT_SECRETS = {
  optional: true,
  description: 'All that `sign_in` needs. They are encrypted, and no response has them.',
};
const ORIGINS = {
  description:
    'Scheme, host and port of each place where its credentials and sessions may go, such as https://shop.example.com. They go nowhere else.',
};
const LAUNCH_ROLE = { description: 'The lowest role that may launch jobs with it.', default: 'admin' };
const CI_KEYS = { description: 'Whether keys with the scope ci alone may launch with it.', default: false };
const ROLE = 'Its role in the application, such as customer.';

const Origins = (options: FieldOptions): PropertyDecorator =>
  TextListWithRule(canonicalOrigins, { minItems: 1, maxItems: MAX_ORIGINS, maxLength: 300 }, options);

const EXPIRES = {
  nullable: true,
  description: 'The last day of its static header or cookie. Admins are notified seven days before.',
};

const OWN_VALUES = {
  optional: true,
  description:
    'What belongs to this account alone, such as its e-mail address or a number of its orders. If a page shows one to another account of the asset, that is a finding. At most 20, each with 6 characters or more.',
  example: ['ada@example.com'],
};
const OwnValues = (options: FieldOptions): PropertyDecorator =>
  TextListWithRule(
    requireOwnValues,
    { minItems: 0, maxItems: MAX_OWN_VALUES, maxLength: OWN_VALUE_LENGTHS.max },
    options,
  );

/** A list whose parts a rule of the domain reads. */
const JsonList = (options: FieldOptions): PropertyDecorator =>
  field(
    {
      validators: [passes(Array.isArray)],
      sentence: 'must be a list',
      schema: { type: 'array', maxItems: MAX_RELATIONS, items: { type: 'object', additionalProperties: true } },
    },
    options,
  );

export class AccountSecretsRequest {
  @Secret('Its password.')
  password?: string;

  @Secret('The seed of its one-time codes, in base32.')
  totp_seed?: string;

  @Secret('The value of the header, or of the whole Cookie header.')
  value?: string;

  get secrets(): AccountSecrets {
    const { password, totp_seed: totpSeed, value } = this;
    return stated<AccountSecrets>({ password, totpSeed, value });
  }
}

export class CreateAccountRequest {
  @Name(200, { example: 'customer A' })
  name!: string;

  @Name(200, { description: ROLE, example: 'customer' })
  role!: string;

  @JsonObject(RECIPE)
  sign_in!: unknown;

  @Origins(ORIGINS)
  origins!: string[];

  @Nested(AccountSecretsRequest, SECRETS, ABOUT_SECRETS)
  secrets?: AccountSecretsRequest;

  @OneOf(LAUNCH_ROLES, { optional: true, ...LAUNCH_ROLE })
  launch_role?: LaunchRole;

  @Flag({ optional: true, ...CI_KEYS })
  ci_keys?: boolean;

  @OwnValues(OWN_VALUES)
  own_values?: string[];

  @Day(EXPIRES)
  expires?: string | null;
}

export class ChangeAccountRequest {
  @Name(200, { optional: true })
  name?: string;

  @Name(200, { optional: true, description: ROLE })
  role?: string;

  @JsonObject({ optional: true, ...RECIPE })
  sign_in?: unknown;

  @Flag({
    optional: true,
    description: 'True takes the sign-in of the uploaded HAR, `last_sign_in.report.recorded`, with its password.',
  })
  recorded?: boolean;

  @Origins({ optional: true, ...ORIGINS })
  origins?: string[];

  @Nested(AccountSecretsRequest, SECRETS, ABOUT_SECRETS)
  secrets?: AccountSecretsRequest;

  @OneOf(LAUNCH_ROLES, { optional: true, description: LAUNCH_ROLE.description })
  launch_role?: LaunchRole;

  @Flag({ optional: true, description: CI_KEYS.description })
  ci_keys?: boolean;

  @OwnValues(OWN_VALUES)
  own_values?: string[];

  @Day(EXPIRES)
  expires?: string | null;

  @JsonList({
    optional: true,
    description:
      'The other accounts of the asset to which jobs compare it: `is` equal (they share nothing), or above (it is above the other one). `shared` has the paths that both may request on purpose: all below one that ends with a slash.',
    example: [{ account: 8, is: 'equal', shared: ['/help/'] }],
  })
  relations?: unknown;

  @JsonObject({
    nullable: true,
    description:
      'How to see whether a session is valid: a text that the answer of an address has `only` with a session (`in`), or without one (`out`). Confirm one of the proposals of the last sign-in, or state your own; null removes it.',
    example: { url: 'https://shop.example.com/account', text: 'Sign out', only: 'in' },
  })
  proof?: unknown;

  @Flag({
    optional: true,
    description: 'The consent that jobs and retests test the asset signed in with it, by the admin who gives it.',
  })
  signed_in_tests?: boolean;
}

export const draftOf = (body: CreateAccountRequest): AccountDraft => ({
  name: body.name,
  role: body.role,
  recipe: recipeOf(body.sign_in),
  origins: body.origins,
  secrets: body.secrets?.secrets ?? null,
  launchRole: body.launch_role ?? 'admin',
  ciKeys: body.ci_keys ?? false,
  ownValues: body.own_values ?? [],
  expires: body.expires ?? null,
});

/** Omitted fields do not change. */
export const changeOf = (body: ChangeAccountRequest): AccountChange =>
  stated<AccountChange>({
    name: body.name,
    role: body.role,
    recipe: body.sign_in === undefined ? undefined : recipeOf(body.sign_in),
    origins: body.origins,
    secrets: body.secrets?.secrets,
    launchRole: body.launch_role,
    ciKeys: body.ci_keys,
    ownValues: body.own_values,
    expires: body.expires,
    relations: body.relations === undefined ? undefined : relationsOf(body.relations),
    proof: body.proof === undefined ? undefined : proofOf(body.proof),
    consent: body.signed_in_tests,
    recorded: body.recorded,
  });
