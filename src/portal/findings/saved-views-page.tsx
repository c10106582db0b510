import type { VNode } from 'preact';
import { MAX_VIEW_NAME_LENGTH, type SavedView } from '../../modules/findings';
import { Field, Form, useRefusal } from '../frame/form';
import { Menu } from '../frame/menu';
import { findingsUrlOf, viewsUrl } from '../urls';

const nameInput = { maxLength: MAX_VIEW_NAME_LENGTH, dir: 'auto' } as const;

interface SavedViewsProps {
  readonly organizationId: number;
  readonly views: readonly SavedView[];
}

export const SavedViewsPage = ({ organizationId, views }: SavedViewsProps): VNode =>
  views.length === 0 ? (
    <section class="empty">
      <h2>No views yet</h2>
      <p>
        Filter the <a href={findingsUrlOf(organizationId, '')}>list of findings</a>, open "Views" above it, and save the
        filters under a name.
      </p>
    </section>
  ) : (
    <>
      <p>
        Views of the <a href={findingsUrlOf(organizationId, '')}>findings</a> of this organization. Only you see them.
      </p>
      <ul class="plain stack">
        {views.map((view) => (
          <ViewItem key={view.id} {...{ organizationId, view }} />
        ))}
      </ul>
    </>
  );

const ViewItem = ({
  organizationId,
  view: { id, name, query },
}: {
  organizationId: number;
  view: SavedView;
}): VNode => (
  <li class="card view-item">
    <a href={findingsUrlOf(organizationId, query)} dir="auto">
      {name}
    </a>
    <Form action={`${viewsUrl(organizationId)}/${id}/rename`} class="inline-form">
      <Field id={`name-${id}`} name="name" label={`New name of ${name}`} input={{ value: name, ...nameInput }} />
      <button>Rename</button>
    </Form>
    <Form action={`${viewsUrl(organizationId)}/${id}/delete`}>
      <button>
        Delete <span class="visually-hidden">{name}</span>
      </button>
    </Form>
  </li>
);

interface ViewsMenuProps extends SavedViewsProps {
  /** The shown filters, as a query string in the fixed order. */
  readonly query: string;
}

/** The saved views, and a form that saves the shown filters as one. */
export function ViewsMenu({ organizationId, views, query }: ViewsMenuProps): VNode {
  const shown = views.find((view) => view.query === query);
  const action = viewsUrl(organizationId);
  return (
    <Menu label={shown === undefined ? 'Views' : `View: ${shown.name}`} isOpen={useRefusal(action) !== undefined}>
      {views.length > 0 && (
        <ul class="plain">
          {views.map((view) => (
            <li key={view.id}>
              <a
                href={findingsUrlOf(organizationId, view.query)}
                aria-current={view === shown ? 'page' : undefined}
                dir="auto"
              >
                {view.name}
              </a>
            </li>
          ))}
        </ul>
      )}
      <Form action={action} class="inline-form">
        <input type="hidden" name="query" value={query} />
        <Field name="name" label="Name of a view with these filters" input={nameInput} />
        <button>Save</button>
      </Form>
      {views.length > 0 && <a href={viewsUrl(organizationId)}>Rename or delete views</a>}
    </Menu>
  );
}
