import type { ComponentChildren, VNode } from 'preact';
import type { Beacon, OneTimeToken } from '../../modules/beacons';
import { Card } from '../frame/card';
import { CopyBlock } from '../frame/copy-block';
import { Panel } from '../frame/panel';
import { Time } from '../frame/time';
import { beaconUrl } from '../urls';

export const OneTimeTokenPanels = ({ base }: { base: string }): VNode => (
  <>
    <Panel label="Register an agent" action={`${base}/registration`}>
      <p>In Kubernetes or a container, an agent registers with a token that works once, within an hour.</p>
      <button>Create a registration token</button>
    </Panel>
    <Panel label="Delete it with its installation" action={`${base}/deletion`}>
      <p>
        With a deletion token, <code>helm uninstall</code> also deletes the beacon and its assets, within an hour.
      </p>
      <button>Create a deletion token</button>
    </Panel>
  </>
);

interface OneTimeTokenProps {
  readonly organizationId: number;
  readonly beacon: Beacon;
  readonly created: OneTimeToken;
}

/** The only page with a token of one use. */
const OneTimeTokenPage = ({
  organizationId,
  beacon,
  created: { token, until },
  title,
  children,
}: OneTimeTokenProps & { title: string; children: ComponentChildren }): VNode => (
  <Card id="secrets" title={title}>
    <p>
      <strong>Use it now: it is not shown again.</strong> It works once, until <Time at={until} />.
    </p>
    <CopyBlock id="token" label="Token" text={token} isSecret />
    {children}
    <p>
      <a href={beaconUrl(organizationId, beacon.id)}>Back to the beacon</a>
    </p>
  </Card>
);

const chartCommand = (apiUrl: string, { name, allowedCidrs }: Beacon): string =>
  [
    `helm install assay-beacon deploy/helm/assay-beacon --set url='${apiUrl}'`,
    `  --set beacon.name='${name}' --set beacon.cidrs='{${allowedCidrs.join(',')}}' --set credentials.existingSecret=assay-beacon`,
  ].join(' \\\n');

export const RegistrationPage = ({ apiUrl, ...shown }: OneTimeTokenProps & { apiUrl: string }): VNode => (
  <OneTimeTokenPage {...shown} title={`A registration token for ${shown.beacon.name}`}>
    <h3>In Kubernetes</h3>
    <CopyBlock
      id="secret"
      label="Command for the Secret"
      text={`kubectl create secret generic assay-beacon --from-literal=registration-token='${shown.created.token}'`}
      isSecret
    />
    <CopyBlock id="chart" label="Command for the chart" text={chartCommand(apiUrl, shown.beacon)} />
    <h3>On a machine</h3>
    <p>Store the token in a file, and run:</p>
    <CopyBlock
      id="agent"
      label="Command"
      text={`node assay-beacon.cjs --url '${apiUrl}' --registration-token-file token --state-file beacon.json`}
    />
  </OneTimeTokenPage>
);

export const DeletionPage = (shown: OneTimeTokenProps): VNode => (
  <OneTimeTokenPage {...shown} title={`A deletion token for ${shown.beacon.name}`}>
    <p>Put it into the Secret of the chart, and uninstall the chart:</p>
    <CopyBlock
      id="secret"
      label="Command for the Secret"
      text={`kubectl patch secret assay-beacon --type merge --patch '{"stringData": {"deletion-token": "${shown.created.token}"}}'`}
      isSecret
    />
    <CopyBlock id="uninstall" label="Command" text="helm uninstall assay-beacon" />
  </OneTimeTokenPage>
);
