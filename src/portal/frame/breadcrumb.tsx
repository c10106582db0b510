import type { VNode } from 'preact';
import { homeUrl } from '../urls';
import type { Crumb, Page } from './page';
import type { SectionLink } from './sections';
import type { OrganizationLink } from './view';

interface BreadcrumbProps {
  readonly page: Page;
  readonly organization: OrganizationLink;
  readonly links: readonly SectionLink[];
}

/** The organization, the section and the record of a page. The last of them is the page itself. */
export function Breadcrumb({ page: { title, section, options }, organization, links }: BreadcrumbProps): VNode | null {
  const link = links.find((one) => one.section === section);
  if (link === undefined) return null;
  const home = homeUrl(organization.id);
  const above: Crumb[] = [{ label: organization.name, href: home }];
  if (link.label !== title && link.href !== home) above.push(link);
  if (options.within !== undefined) above.push(options.within);
  return (
    <nav class="breadcrumb" aria-label="Breadcrumb">
      <ol>
        {above.map(({ label, href }) => (
          <li key={href}>
            <a href={href} title={label}>
              <bdi>{label}</bdi>
            </a>
          </li>
        ))}
        <li aria-current="page" title={title}>
          <bdi>{title}</bdi>
        </li>
      </ol>
    </nav>
  );
}
