import type { VNode } from 'preact';
import type { Page, Slice } from '../../kernel/page';
import { type AssetChangeRow, changeSentence } from '../../modules/observations';
import { Card } from '../frame/card';
import { Pager } from '../frame/pager';
import { Time } from '../frame/time';
import { assetChangesUrl, assetUrl } from '../urls';
import type { ObservationView } from './observation-reader';

/** The newest first. */
const Changes = ({ changes }: { changes: readonly AssetChangeRow[] }): VNode => (
  <ol class="timeline">
    {changes.map((change) => (
      <li key={change.id}>
        <span dir="auto">{changeSentence(change)}</span>{' '}
        <span class="muted">
          {change.port !== null && change.address !== null && (
            <>
              <bdi>{change.address}</bdi>,{' '}
            </>
          )}
          <Time at={change.seen} />
        </span>
      </li>
    ))}
  </ol>
);

/** Nothing before the first look. */
export const ChangesCard = ({
  view: { organizationId, asset, state, changes },
}: {
  view: ObservationView;
}): VNode | null =>
  changes.items.length === 0 && state?.observed == null ? null : (
    <Card id="changes" title="Changes">
      {changes.items.length === 0 ? (
        <p class="muted">Nothing has changed since the first look.</p>
      ) : (
        <Changes changes={changes.items} />
      )}
      {changes.next !== undefined && (
        <p class="hint">
          <a href={assetChangesUrl(organizationId, asset.id)}>All changes</a>
        </p>
      )}
    </Card>
  );

interface ChangesPageProps {
  readonly organizationId: number;
  readonly asset: { readonly id: number; readonly value: string };
  readonly slice: Slice<AssetChangeRow>;
  readonly page: Page;
  readonly url: string;
}

export const ChangesPage = ({ organizationId, asset, slice, page, url }: ChangesPageProps): VNode => (
  <>
    <p>
      What changed on{' '}
      <a href={assetUrl(organizationId, asset.id)} dir="auto">
        {asset.value}
      </a>{' '}
      in the last 400 days, as its observations showed it.
    </p>
    {slice.items.length === 0 ? (
      <p class="muted">Nothing has changed since the first look.</p>
    ) : (
      <Changes changes={slice.items} />
    )}
    <Pager page={page} slice={slice} url={url} />
  </>
);
