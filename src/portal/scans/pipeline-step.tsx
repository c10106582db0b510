import type { VNode } from 'preact';
import { Card } from '../frame/card';
import { CopyBlock } from '../frame/copy-block';
import type { ScanView } from './scan-reader';

export const PipelineStep = ({ view: { summary, beacon } }: { view: ScanView }): VNode => (
  <Card id="pipeline" title="In a pipeline">
    <p>
      <code>pipeline.sh</code> is in the folder examples. It ends with 0 if the gate passes. Make a key with the scope{' '}
      <code>ci</code> in <a href="/settings/api">API keys</a>.
    </p>
    <CopyBlock id="pipeline-step" label="Pipeline step" text={stepFor(summary.job.url, beacon)} />
  </Card>
);

const SECRETS = ['ASSAY_API_KEY', 'ASSAY_API_SECRET'].map((name) => `    ${name}: \${{ secrets.${name} }}`);

/** In single quotes, in which a shell changes nothing. */
const stepFor = (url: string, beacon: ScanView['beacon']): string =>
  [
    '- name: Scan with Assay',
    `  run: ./pipeline.sh '${url.replaceAll("'", '%27')}'`,
    '  env:',
    '    ASSAY_URL: ${{ vars.ASSAY_URL }}',
    ...SECRETS,
    ...(beacon === null ? [] : [`    ASSAY_BEACON: '${beacon.id}'`]),
  ].join('\n');
