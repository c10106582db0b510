import type { VNode } from 'preact';
import type { Member } from '../../modules/identity';
import { groupRolesText, PROVIDER_ROLES, type ProviderSettings } from '../../modules/providers';
import { Card } from '../frame/card';
import { CopyBlock } from '../frame/copy-block';
import { Checkbox, Field, Form, Select, TextArea } from '../frame/form';
import { Panel } from '../frame/panel';
import { SecretBlock } from '../frame/secret-block';
import { Settings } from '../frame/settings-tabs';
import { Time } from '../frame/time';
import { singleSignOnUrl } from '../urls';

interface ShownScim {
  readonly url: string;
  /** Of its token; undefined without one. */
  readonly created: Date | undefined;
  /** Shown once. */
  readonly newToken: string | undefined;
}

interface ShownSettings extends ProviderSettings {
  readonly organizationId: number;
  readonly owners: readonly Member[];
  readonly redirectUri: string;
  /** For members; the address for logouts is below it. */
  readonly signInUrl: string;
  readonly scim: ShownScim;
}

export const SingleSignOnPage = (shown: ShownSettings): VNode => (
  <Settings current="single-sign-on">
    {shown.scim.newToken !== undefined && (
      <SecretBlock id="scim-token" title="The SCIM token" secret={shown.scim.newToken} />
    )}
    <Addresses {...shown} />
    <ProviderCard {...shown} />
    {shown.provider !== undefined && (
      <>
        <Addressees organizationId={shown.organizationId} isVerified={shown.provider.needsVerifiedEmail} />
        <Provisioning {...shown} />
        <Requirement {...shown} />
        <Failures failures={shown.provider.failures} />
      </>
    )}
  </Settings>
);

const Addresses = ({ provider, redirectUri, signInUrl }: ShownSettings): VNode => (
  <Card id="addresses" title="Addresses for your provider">
    <p>Redirect URI, to paste at the provider:</p>
    <CopyBlock id="redirect-uri" label="Redirect URI" text={redirectUri} />
    {provider !== undefined && (
      <>
        <p>Back-channel logout URI, if the provider supports it:</p>
        <CopyBlock id="logout-uri" label="Back-channel logout URI" text={`${signInUrl}/logout`} />
        <p>Link for members, such as for the tile in the provider's portal:</p>
        <CopyBlock id="sign-in-url" label="Link for members" text={signInUrl} />
      </>
    )}
  </Card>
);

const NO_ROLE = { value: '', label: 'none: they are refused' };

const ProviderCard = ({ organizationId, provider }: ShownSettings): VNode => (
  <Card id="provider" title="Provider">
    <Form action={singleSignOnUrl(organizationId)} class="form">
      <Field name="issuer" label="Issuer" input={{ type: 'url', maxLength: 500, value: provider?.issuer ?? '' }} />
      <Field name="client_id" label="Client id" input={{ maxLength: 500, value: provider?.clientId ?? '' }} />
      <Field
        name="client_secret"
        label="Client secret"
        hint={provider && 'Leave it empty to keep the secret.'}
        input={{ type: 'password', autocomplete: 'off', required: provider === undefined, maxLength: 1_000 }}
      />
      <Checkbox
        name="creates_users"
        label="Create users at their first sign-in, with addresses of our verified domains"
        checked={provider?.createsUsers}
      />
      <Field
        name="groups_claim"
        label="Claim with the groups"
        input={{ maxLength: 100, value: provider?.groupsClaim ?? 'groups' }}
      />
      <TextArea
        name="roles"
        label="Roles of groups"
        hint="Lines such as: security-team = admin. The role follows at each sign-in. Without lines, people change roles here."
        rows={4}
        value={groupRolesText(provider?.roles ?? [])}
      />
      <Select
        name="default_role"
        label="Role of users without such a group"
        options={[NO_ROLE, ...PROVIDER_ROLES.map((role) => ({ value: role, label: role }))]}
        value={provider?.defaultRole ?? ''}
      />
      {provider !== undefined && (
        <p>Another issuer or client ends what this provider has opened: links, sessions, keys and the SCIM token.</p>
      )}
      <button class="primary">Save</button>
    </Form>
    {provider !== undefined && (
      <>
        <p>
          <a href="/settings/providers">Test it: link it to your user</a>
        </p>
        <Panel label="Remove the provider" action={`${singleSignOnUrl(organizationId)}/delete`}>
          <p>Sessions and keys that it has opened end at once. Passwords open the organization again.</p>
          <button class="danger">Remove the provider</button>
        </Panel>
      </>
    )}
  </Card>
);

interface AddresseesProps {
  readonly organizationId: number;
  readonly isVerified: boolean;
}

const Addressees = ({ organizationId, isVerified }: AddresseesProps): VNode => (
  <Card id="verified-email" title="Verified addresses">
    <p>
      {isVerified
        ? 'New users need email_verified: true. Entra ID does not send it.'
        : 'New users are also created if the provider does not say email_verified: true. Require it, unless you use Entra ID.'}
    </p>
    <Form action={`${singleSignOnUrl(organizationId)}/verified-email`}>
      <input type="hidden" name="is_needed" value={String(!isVerified)} />
      <button>{isVerified ? 'Accept addresses without it' : 'Require verified addresses'}</button>
    </Form>
  </Card>
);

const Provisioning = ({ organizationId, scim: { url, created } }: ShownSettings): VNode => (
  <Card id="scim" title="Provisioning (SCIM)">
    <p>The provider adds and removes members with SCIM 2.0. It changes no names and no addresses.</p>
    <p>Base URL, to paste at the provider:</p>
    <CopyBlock id="scim-url" label="SCIM base URL" text={url} />
    {created === undefined ? (
      <Form action={`${singleSignOnUrl(organizationId)}/scim`}>
        <button>Create a token</button>
      </Form>
    ) : (
      <>
        <p>
          The token was created <Time at={created} />.
        </p>
        <div class="actions">
          <Panel label="Replace the token" action={`${singleSignOnUrl(organizationId)}/scim`}>
            <p>The earlier token ends at once.</p>
            <button class="danger">Replace the token</button>
          </Panel>
          <Panel label="Remove the token" action={`${singleSignOnUrl(organizationId)}/scim/delete`}>
            <p>Members stay as they are.</p>
            <button class="danger">Remove the token</button>
          </Panel>
        </div>
      </>
    )}
  </Card>
);

const Requirement = ({ organizationId, required, owners }: ShownSettings): VNode => (
  <Card id="required" title="Only through the provider">
    <p>
      {required === undefined
        ? 'Off: members may also sign in with a password or a passkey.'
        : 'On: the organization is reached through the provider alone, except by the break-glass owner.'}
    </p>
    <div class="actions">
      <Panel
        label={required === undefined ? 'Require the provider' : 'Choose another break-glass owner'}
        action={`${singleSignOnUrl(organizationId)}/require`}
      >
        <p>Sign in through the provider in this browser first. API keys that exist stay.</p>
        <Select
          name="break_glass"
          label="Break-glass owner, who may still sign in with a password"
          options={owners.map(({ userId, email }) => ({ value: userId, label: email }))}
          value={required?.breakGlassUserId}
        />
        <button class="primary">Require the provider</button>
      </Panel>
      {required !== undefined && (
        <Form action={`${singleSignOnUrl(organizationId)}/require-no-longer`}>
          <button>Allow passwords again</button>
        </Form>
      )}
    </div>
  </Card>
);

const Failures = ({ failures }: Pick<NonNullable<ProviderSettings['provider']>, 'failures'>): VNode => (
  <Card id="failures" title="Last refused sign-ins">
    {failures.length === 0 && <p class="muted">None.</p>}
    {failures.map(({ at, reason, claims }) => (
      <details key={at} class="panel">
        <summary>
          <span>
            <bdi>{reason}</bdi> (<Time at={new Date(at)} />)
          </span>
        </summary>
        <dl class="facts">
          {Object.entries(claims).map(([name, value]) => (
            <div key={name}>
              <dt dir="auto">{name}</dt>
              <dd dir="auto" class="wrap">
                {value}
              </dd>
            </div>
          ))}
        </dl>
      </details>
    ))}
  </Card>
);
