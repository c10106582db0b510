import type { ComponentChildren, VNode } from 'preact';
import { assetPath } from './assets';
import { Form } from './form';
import { Icon, type IconName } from './icon';
import type { Page, Section } from './page';
import { useView } from './view';

interface SidebarEntry {
  readonly section: Section;
  readonly label: string;
  readonly icon: IconName;
  readonly path: (organizationId: number) => string;
}

const SIDEBAR: readonly SidebarEntry[] = [
  { section: 'findings', label: 'Findings', icon: 'findings', path: (id) => `/o/${id}/findings` },
  { section: 'settings', label: 'Settings', icon: 'settings', path: () => '/settings/sessions' },
];

export function Frame({ page }: { page: Page }): VNode {
  const { caller } = useView();
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="htmx-config" content='{"includeIndicatorCSS": false}' />
        <title>{`${page.title} · Assay`}</title>
        <link rel="icon" href={assetPath('icon.svg')} />
        <link rel="stylesheet" href={assetPath('portal.css')} />
        <script src={assetPath('htmx.js')} defer />
        <script src={assetPath('portal.js')} defer />
      </head>
      {caller === undefined ? <SignedOut>{page.body}</SignedOut> : <SignedIn page={page} email={caller.facts.email} />}
    </html>
  );
}

const SignedOut = ({ children }: { children: ComponentChildren }): VNode => (
  <body class="signed-out">
    <main id="content">{children}</main>
  </body>
);

function SignedIn({ page, email }: { page: Page; email: string }): VNode {
  const { organization, organizations } = useView();
  return (
    <body>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <nav class="sidebar" aria-label="Main">
        <a class="brand" href="/">
          <Icon name="brand" /> <span>Assay</span>
        </a>
        {organization !== undefined && (
          <details class="switcher">
            <summary>{organization.name}</summary>
            <ul>
              {organizations.map(({ id, name }) => (
                <li key={id}>
                  <a href={`/o/${id}/findings`} aria-current={id === organization.id ? 'true' : undefined}>
                    {name}
                  </a>
                </li>
              ))}
            </ul>
          </details>
        )}
        <ul>
          {SIDEBAR.map(({ section, label, icon, path }) => (
            <li key={section}>
              <a href={path(organization?.id ?? 0)} aria-current={page.section === section ? 'page' : undefined}>
                <Icon name={icon} /> <span>{label}</span>
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <header class="top">
        <span class="muted">{email}</span>
        <Form action="/sign-out">
          <button class="quiet">Sign out</button>
        </Form>
      </header>
      <main id="content">
        <h1>{page.title}</h1>
        {page.body}
      </main>
    </body>
  );
}
