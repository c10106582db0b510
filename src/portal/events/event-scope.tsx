import type { VNode } from 'preact';
import { type ScopeAsset } from '../../modules/events';
import { Card } from '../frame/card';
import { Field, Form, Select } from '../frame/form';
import { Table } from '../frame/table';
import { assetUrl, eventUrl } from '../urls';
import type { EventView } from './event-reader';

/** What may be tested in the event, and what must not. */
export function EventScope({ view }: { view: EventView }): VNode {
  const { organizationId, event, scope, assets, mayChange } = view;
  const inside = scope.items.filter(({ entry }) => entry.inScope);
  const outside = scope.items.filter(({ entry }) => !entry.inScope);
  const known = new Set(scope.items.map(({ asset }) => asset.id));
  const others = assets.filter(({ id }) => !known.has(id));
  return (
    <Card id="scope" title="Scope">
      {inside.length === 0 && (
        <p>
          Nothing may be tested in this event yet.{' '}
          {mayChange ? 'Add an asset below.' : 'An admin of the organization adds assets to its scope.'}
        </p>
      )}
      {inside.length > 0 && <ScopeTable view={view} title="May be tested" entries={inside} />}
      {outside.length > 0 && <ScopeTable view={view} title="Must not be tested" entries={outside} />}
      {scope.next !== undefined && <p class="muted">Only the newest {scope.items.length} entries are shown.</p>}
      {mayChange && others.length > 0 && (
        <Form action={`${eventUrl(organizationId, event.slug)}/scope`} class="inline-form">
          <Select
            name="asset_id"
            label="Asset"
            options={others.map(({ id, value }) => ({ value: id, label: value }))}
          />
          <Select
            name="in_scope"
            label="Rule"
            options={[
              { value: 'true', label: 'May be tested' },
              { value: 'false', label: 'Must not be tested' },
            ]}
          />
          <Field name="description" label="Note" input={{ required: false, maxLength: 2000 }} />
          <button>Add to the scope</button>
        </Form>
      )}
    </Card>
  );
}

interface ScopeTableProps {
  readonly view: EventView;
  readonly title: string;
  readonly entries: readonly ScopeAsset[];
}

const ScopeTable = ({ view: { organizationId, event, mayChange }, title, entries }: ScopeTableProps): VNode => (
  <Table
    rows={entries}
    columns={[
      {
        label: title,
        class: 'main wide',
        dir: 'auto',
        cell: ({ asset }) => <a href={assetUrl(organizationId, asset.id)}>{asset.value}</a>,
      },
      {
        label: 'Subdomains',
        class: 'nowrap',
        isNamed: ({ asset }) => asset.type === 'domain',
        cell: ({ asset, entry }) => asset.type === 'domain' && (entry.wildcard === false ? 'without' : 'with'),
      },
      {
        label: 'Note',
        class: 'wide',
        dir: 'auto',
        cell: ({ entry: { description, attachmentUrl } }) => (
          <>
            {description}
            {attachmentUrl !== null && (
              <>
                {' '}
                <a href={attachmentUrl} rel="noreferrer">
                  Document
                </a>
              </>
            )}
          </>
        ),
      },
      {
        label: 'Action',
        isLabelHidden: true,
        cell: ({ asset }) =>
          mayChange && (
            <Form action={`${eventUrl(organizationId, event.slug)}/scope/${asset.id}/delete`}>
              <button aria-label={`Remove ${asset.value} from the scope`}>Remove</button>
            </Form>
          ),
      },
    ]}
  />
);
