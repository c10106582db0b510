import type { VNode } from 'preact';
import type { Caller } from '../../platform/api/caller';
import { findingsUrl, homeUrl, paletteUrl } from '../urls';
import { assetPath } from './assets';
import { Breadcrumb } from './breadcrumb';
import { Form, FormError, useRefusal } from './form';
import { Icon } from './icon';
import { Entries, Menu } from './menu';
import type { Notice, Page } from './page';
import { Person } from './person';
import { sectionLinks, sidebarLinks, tabsBeside } from './sections';
import { SuspendedLine } from './suspended-line';
import { Tabs } from './tabs';
import { UnmetLines } from './unmet-line';
import { useView } from './view';

/** After an error the shown part stays, and the next poll tries again. */
const HTMX_CONFIG = JSON.stringify({
  includeIndicatorCSS: false,
  noSwap: [204, 304, 403, 404, 409, 429, '5xx'],
});

interface FrameProps {
  readonly page: Page;
  /** Why a form that the page does not have was refused. */
  readonly reason?: string;
}

const SIGN_OUT = '/sign-out';

export function Frame({ page, reason }: FrameProps): VNode {
  const { caller } = useView();
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="htmx-config" content={HTMX_CONFIG} />
        <title>{`${page.options.tabTitle ?? page.title} · Assay`}</title>
        {page.options.reloadSeconds !== undefined && (
          <noscript>
            <meta http-equiv="refresh" content={String(page.options.reloadSeconds)} />
          </noscript>
        )}
        <link rel="icon" href={assetPath('icon.svg')} />
        <link rel="stylesheet" href={assetPath('portal.css')} />
        <script src={assetPath('htmx.js')} defer />
        <script src={assetPath('portal.js')} defer />
      </head>
      {caller === undefined ? <SignedOut {...{ page, reason }} /> : <SignedIn {...{ page, reason, caller }} />}
    </html>
  );
}

const SignedOut = ({ page, reason }: FrameProps): VNode => (
  <body class="signed-out">
    <main id="content">
      <img src={assetPath('icon.svg')} alt="" width="40" height="40" />
      {reason !== undefined && <FormError>{reason}</FormError>}
      {page.body}
    </main>
  </body>
);

function SignedIn({ page, reason, caller }: FrameProps & { readonly caller: Caller }): VNode {
  const { organization, organizations, notice, timeZone, unread } = useView();
  const { facts: user } = caller;
  const links = sectionLinks(caller, organization?.id);
  const above = links.find(({ section }) => section === page.section)?.above;
  const tabs = tabsBeside(links, page.section, page.title);
  return (
    <body data-user={user.userId}>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <nav class="sidebar" id="sidebar" aria-label="Main" popover="auto">
        <div class="sidebar-head">
          <a class="brand" href="/">
            <Icon name="brand" /> <span>Assay</span>
          </a>
          <button class="quiet" type="button" popovertarget="sidebar" popovertargetaction="hide">
            Close
          </button>
        </div>
        {organization !== undefined && (
          <Menu class="switcher" label={<bdi>{organization.name}</bdi>} name="Organization">
            <Entries>
              {organizations.map(({ id, name }) => (
                <li key={id}>
                  <a href={homeUrl(id)} aria-current={id === organization.id ? 'true' : undefined}>
                    <bdi>{name}</bdi>
                  </a>
                </li>
              ))}
            </Entries>
          </Menu>
        )}
        <ul>
          {sidebarLinks(links).map(({ above: section, label, href }) => (
            <li key={section}>
              <a href={href} title={label} aria-current={section === above ? 'page' : undefined}>
                <Icon name={section} /> <span>{label}</span>
                {section === 'inbox' && <Unread count={unread} />}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <header class="top">
        <button class="quiet open-sidebar" type="button" popovertarget="sidebar">
          <Icon name="menu" /> <span class="visually-hidden">Menu</span>
        </button>
        {organization !== undefined && <Breadcrumb page={page} organization={organization} links={links} />}
        {organization !== undefined && (
          <form class="search" action={findingsUrl(organization.id)} role="search" aria-label="Findings">
            <input type="search" name="q" maxLength={200} aria-label="Search findings" placeholder="Search findings" />
          </form>
        )}
        {/* The script shows it. */}
        {organization !== undefined && (
          <button class="quiet" type="button" id="open-palette" aria-haspopup="dialog" title="Ctrl+K" hidden>
            <Icon name="command" /> <span class="visually-hidden">Commands</span>
          </button>
        )}
        <Menu
          class="menu quiet"
          label={<Person id={user.userId} name={user.name ?? user.email} isNamed />}
          isOpen={useRefusal(SIGN_OUT) !== undefined}
        >
          <Entries>
            <li class="signed-in-as">{user.email}</li>
            <li>
              <a href="/settings/security">Security</a>
            </li>
            <li>
              <a href="/settings/api">API keys</a>
            </li>
          </Entries>
          <Entries>
            <li>
              <Form action={SIGN_OUT}>
                <button>Sign out</button>
              </Form>
            </li>
          </Entries>
        </Menu>
      </header>
      <main id="content">
        <div class="page-head">
          <h1 dir="auto">{page.title}</h1>
          {page.options.actions}
        </div>
        <UnmetLines />
        <SuspendedLine />
        {notice !== undefined && <NoticeLine notice={notice} />}
        {reason !== undefined && <FormError>{reason}</FormError>}
        {tabs.length > 0 && (
          <Tabs
            name="Lists"
            tabs={tabs.map(({ section, label, href }) => ({ label, href, isCurrent: section === page.section }))}
          />
        )}
        {page.body}
      </main>
      <footer class="foot">Times are in {timeZone}.</footer>
      <Keys />
      {organization !== undefined && <Palette organizationId={organization.id} />}
    </body>
  );
}

const MAX_SHOWN = 99;

const Unread = ({ count }: { readonly count: number }): VNode | null =>
  count === 0 ? null : (
    <b class="unread-count">
      {count > MAX_SHOWN ? `${MAX_SHOWN}+` : count} <span class="visually-hidden">unread</span>
    </b>
  );

/** An action that can be undone offers this for some seconds. */
const NoticeLine = ({ notice: { text, undo } }: { notice: Notice }): VNode => (
  <div class="notice-line" role="status">
    {text}
    {undo !== undefined && (
      <Form action={undo.action} class="undo">
        {Object.entries(undo.fields).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <button class="link">Undo</button>
      </Form>
    )}
  </div>
);

const KEYS = [
  ['j', 'Next finding of the list'],
  ['k', 'Previous finding'],
  ['Enter', 'Open the finding'],
  ['x', 'Select the finding'],
  ['/', 'Search'],
  ['Ctrl K', 'Commands: go to, search, act'],
  ['?', 'Show these keys'],
] as const;

/** The script opens it. The arrow keys move the focus between the field and what it offers. */
const Palette = ({ organizationId }: { readonly organizationId: number }): VNode => (
  <dialog id="palette" class="palette" aria-label="Commands">
    <form action={findingsUrl(organizationId)} role="search" aria-label="Commands">
      <input
        type="search"
        name="q"
        maxLength={200}
        autocomplete="off"
        aria-label="Search, or type a command"
        aria-controls="palette-results"
        placeholder="Search, or type a command"
        hx-get={paletteUrl(organizationId)}
        hx-vals={JSON.stringify({ path: useView().path })}
        hx-trigger="input delay:120ms, open"
        hx-sync="replace"
        hx-target="#palette-results"
        hx-swap="innerHTML"
      />
    </form>
    <div id="palette-results" />
  </dialog>
);

/** The script shows it. */
const Keys = (): VNode => (
  <dialog id="keys" aria-labelledby="keys-title">
    <h2 id="keys-title">Keys</h2>
    <dl class="keys">
      {KEYS.map(([key, meaning]) => (
        <div key={key}>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
    <form method="dialog">
      <button>Close</button>
    </form>
  </dialog>
);
