import type { VNode } from 'preact';
import type { Page, Slice } from '../../kernel/page';
import type { Asset } from '../../modules/assets';
import { type LeftOutPage as LeftOut, presentLeftOut } from '../../modules/jobs';
import { Form } from '../frame/form';
import { Pager } from '../frame/pager';
import { Table } from '../frame/table';
import { assetUrl, scanUrl } from '../urls';
import { requestColumn } from './points-page';

interface LeftOutPageProps {
  readonly organizationId: number;
  readonly uuid: string;
  readonly slice: Slice<LeftOut>;
  readonly page: Page;
  readonly url: string;
  /** For an admin. */
  readonly asset: Pick<Asset, 'id' | 'allowedPaths' | 'forbiddenPaths'> | null;
}

const RULES: Readonly<Record<LeftOut['leftOut']['by'], string>> = {
  word: 'the word',
  description: 'its description',
  observed: 'observed',
  forbidden: 'forbidden',
  method: 'the method',
  scope: 'out of scope',
  similar: 'similar',
  form: 'the form',
};

/** What an active scan did not request, and why. */
export const LeftOutPage = ({ organizationId, uuid, slice, page, url, asset }: LeftOutPageProps): VNode => {
  const decide = (path: string, decision: 'allow' | 'forbid'): VNode | null =>
    asset && (
      <Form action={`${assetUrl(organizationId, asset.id)}/active-paths`}>
        <input type="hidden" name="path" value={path} />
        <input type="hidden" name="scan" value={uuid} />
        <button name="decision" value={decision}>
          {decision === 'allow' ? 'Allow' : 'Forbid'}
        </button>
      </Form>
    );
  const decisionAbout = (path: string, isAllowable: boolean, by: LeftOut['leftOut']['by']): VNode | string | null => {
    if (asset?.allowedPaths.includes(path) === true) return 'allowed for the next scan';
    return isAllowable || by === 'forbidden' ? decide(path, 'allow') : null;
  };
  return (
    <>
      <p>
        <a href={scanUrl(organizationId, uuid)}>The scan</a> · Links, forms and operations that were not requested,
        because they may change something, or are like others. What an admin allows, the next scan requests with GET;
        nothing that is named as deleting, creating or resetting can be allowed.
      </p>
      {asset?.allowedPaths.map((path) => (
        <div class="row">
          <code dir="ltr">{path}</code> is allowed. {decide(path, 'forbid')}
        </div>
      ))}
      {slice.items.length === 0 ? (
        <p class="muted">There are none.</p>
      ) : (
        <Table
          rows={slice.items.map((item) => ({ ...item, shown: presentLeftOut(item) }))}
          columns={[
            requestColumn,
            { label: 'Found in', class: 'nowrap', isNamed: true, cell: ({ shown }) => shown.source },
            {
              label: 'Why',
              class: 'wide',
              dir: 'auto',
              cell: ({ shown, leftOut }) => `${RULES[leftOut.by]}: ${shown.reason}`,
            },
            { label: 'Addresses', class: 'nowrap', isNamed: true, cell: ({ shown }) => shown.count },
            {
              label: 'Decision',
              class: 'nowrap',
              cell: ({ shown, leftOut }) => decisionAbout(shown.path, shown.allowable, leftOut.by),
            },
          ]}
        />
      )}
      <Pager page={page} slice={slice} url={url} />
    </>
  );
};
