import type { VNode } from 'preact';
import { Card } from '../frame/card';
import { Fact } from '../frame/fact';
import type { OrganizationObservation } from '../../modules/observations';
import { Checkbox, Field, Form, Select } from '../frame/form';
import { Panel } from '../frame/panel';
import { PictureCard } from '../frame/picture-card';
import { Settings } from '../frame/settings-tabs';
import { membersUrl, organizationUrl } from '../urls';

interface ShownOrganization {
  readonly id: number;
  readonly name: string;
  readonly assetsLimit: number | null;
  readonly hasLogo: boolean;
  readonly observation: OrganizationObservation;
  /** Whether agents may change something through the MCP server. */
  readonly mayAgentsWrite: boolean;
  readonly isAdmin: boolean;
  readonly isOwner: boolean;
  readonly isMember: boolean;
  /** Whether the caller is a user of the integrator. */
  readonly isIntegrator: boolean;
  readonly userId: number;
}

export const OrganizationPage = (shown: ShownOrganization): VNode => (
  <Settings current="organization">
    <Card id="organization" title="Organization">
      <dl class="facts">
        <div>
          <dt>Name</dt>
          <dd dir="auto" class="wrap">
            {shown.name}
          </dd>
        </div>
        <Fact label="Id in the API">{shown.id}</Fact>
        <Fact label="Assets">{shown.assetsLimit === null ? 'no limit' : `at most ${shown.assetsLimit}`}</Fact>
      </dl>
    </Card>
    <Logo {...shown} />
    {shown.isAdmin && <Observation {...shown} />}
    <Agents {...shown} />
    <Ending {...shown} />
  </Settings>
);

const Observation = ({ id, observation: { isEnabled, everyHours } }: ShownOrganization): VNode => (
  <Card id="observation" title="Observation">
    <Form action={`${organizationUrl(id)}/observation`}>
      <Select
        name="enabled"
        label="The assets are observed"
        options={[
          { value: 'true', label: 'Yes' },
          { value: 'false', label: 'No' },
        ]}
        value={String(isEnabled)}
      />
      <Field
        name="every_hours"
        label="Hours between two observations"
        hint="Leave it empty for the default. Each beacon and each asset has a setting of its own."
        input={{ type: 'number', min: 1, max: 720, value: everyHours ?? '', required: false }}
      />
      <button>Save</button>
    </Form>
  </Card>
);

const Agents = ({ id, mayAgentsWrite, isOwner }: ShownOrganization): VNode => (
  <Card id="agents" title="AI agents (MCP)">
    <p>
      Agents with an API key read findings, evidence and assets. With this setting and a key with the scope write, they
      also start scans and retests, comment and generate reports. What a tested site says can try to instruct an agent.
    </p>
    {isOwner ? (
      <Form action={`${organizationUrl(id)}/agents`}>
        <Checkbox name="write" label="Agents may change something" checked={mayAgentsWrite} />
        <button>Save</button>
      </Form>
    ) : (
      <p>{mayAgentsWrite ? 'Agents may change something.' : 'Agents may only read.'} Owners can change this.</p>
    )}
  </Card>
);

const Logo = ({ id, name, hasLogo, isAdmin }: ShownOrganization): VNode => (
  <PictureCard
    name="logo"
    title="Logo"
    alt={`Logo of ${name}`}
    url={`${organizationUrl(id)}/logo`}
    exists={hasLogo}
    mayChange={isAdmin}
    onDelete="Reports that exist already keep it."
  >
    PDF and HTML reports that are generated from now on show it on the title page.
  </PictureCard>
);

function Ending({ id, name, userId, isMember, isIntegrator }: ShownOrganization): VNode | null {
  if (!isMember && !isIntegrator) return null;
  return (
    <Card id="ending" title={isIntegrator ? 'Delete' : 'Leave'}>
      {isIntegrator ? (
        <Panel label="Delete the organization" action={`${organizationUrl(id)}/delete`}>
          <p>
            It is inaccessible at once, for all members. Its findings, assets, reports and all other data are deleted in
            the background. Its audit log stays, and you can read it. This cannot be undone.
          </p>
          <Field name="name" label={`Type the name to confirm: ${name}`} input={{ autocomplete: 'off' }} />
          <button class="danger">Delete the organization</button>
        </Panel>
      ) : (
        <Panel label="Leave the organization" action={`${membersUrl(id)}/${userId}/remove`}>
          <p>
            You lose access at once, and your keys that are limited to it are revoked. What you did stays. The last
            owner cannot leave. Only the integrator or the operator of the service can delete an organization.
          </p>
          <button class="danger">Leave the organization</button>
        </Panel>
      )}
    </Card>
  );
}
