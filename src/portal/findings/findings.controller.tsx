import { Body, Controller, Get, Query, Req } from '@nestjs/common';
import { type ListedFinding, FindingLists, SavedViewsService } from '../../modules/findings';
import { BeaconNames, RetestSummaryService } from '../../modules/retests';
import type { FileStream } from '../../platform/http/file-stream';
import { Page, SeeOther } from '../frame/page';
import { countText } from '../frame/words';
import { exportFile } from '../http/export-file';
import { InOrganization } from '../http/in-organization';
import type { Place } from '../http/places';
import type { PortalRequest } from '../http/portal-request';
import { Changes, PostChange } from '../http/route-metadata';
import { findingsUrlOf, findingUrl } from '../urls';
import { FindingListReader } from './finding-list-reader';
import { ColumnsForm, shownColumnsOf } from './findings-columns.requests';
import { findingsExport } from './findings-export';
import { FindingsActions, FindingsPage, isUnderTest, RELOAD_SECONDS } from './findings-page';
import { canonicalQuery, FindingsExportQuery, FindingsQuery } from './findings.requests';
import { People } from './people';

/** A form sends its empty fields too. */
const EMPTY_PARAMETER = /[?&][^=&?]+=(?=&|$)/;

@Controller('o/:organization/findings')
export class FindingsController {
  constructor(
    private readonly reader: FindingListReader,
    private readonly findings: FindingLists,
    private readonly retests: RetestSummaryService,
    private readonly savedViews: SavedViewsService,
    private readonly people: People,
    private readonly beacons: BeaconNames,
  ) {}

  @Get()
  async list(
    @InOrganization() place: Place,
    @Query() query: FindingsQuery,
    @Req() request: PortalRequest,
  ): Promise<Page | SeeOther> {
    const { caller, organizationId } = place;
    const { originalUrl: url } = request;
    const { slice: page, searchedId } = query;
    const { scope } = caller;
    if (searchedId !== undefined && (await this.findings.ownerOf(scope, String(searchedId))) === organizationId)
      return new SeeOther(findingUrl(organizationId, searchedId));
    if (EMPTY_PARAMETER.test(url)) return new SeeOther(findingsUrlOf(organizationId, query.text));
    const [list, counts, beliefs, assignable, owners, { views, columns, isCompact }] = await Promise.all([
      this.reader.readRows(place, query, page),
      this.findings.countByStatus(scope, organizationId),
      this.reader.countByBelief(place, query),
      this.people.assignable(scope, organizationId),
      this.people.owners(scope, organizationId),
      this.savedViews.listWithPreferences(caller, organizationId),
    ]);
    const { slice, rows } = list;
    const shown = <Member extends keyof ListedFinding>(member: Member) => rows.map((finding) => finding[member]);
    const former = shown('assigneeId').filter((id) => id !== null && !assignable.has(id));
    const [lastRetests, assigned, beacons] = await Promise.all([
      this.retests.lastOf(scope, shown('id')),
      this.people.namesOf(former),
      this.beacons.namesOf(scope, organizationId, shown('beaconId')),
    ]);
    const people = new Map([...assignable, ...assigned]);
    const mayChange = caller.hasRole('member', organizationId);
    const mayDecide = caller.hasRole('admin', organizationId);
    const lists = { ...list, counts, beliefs, lastRetests, views, people, assignable, owners, beacons };
    const looks = { shownColumns: shownColumnsOf(columns), isCompact, isFiltering: 'hx-request' in request.headers };
    return new Page(
      'Findings',
      <FindingsPage {...{ organizationId, query, page, ...lists, ...looks, mayChange, mayDecide, url }} />,
      'findings',
      {
        reloadSeconds: isUnderTest({ query, slice }) ? RELOAD_SECONDS : undefined,
        tabTitle: slice.total === undefined ? undefined : `Findings (${countText(slice.total, slice.most)})`,
        actions: mayChange && <FindingsActions organizationId={organizationId} />,
      },
    );
  }

  @Get('export')
  @Changes({ operation: 'finding.export', resource: 'finding' })
  async export(@InOrganization() place: Place, @Query() query: FindingsExportQuery): Promise<FileStream> {
    const { organizationId } = place;
    const pieces = await this.reader.export(place, query);
    return exportFile(findingsExport(pieces, `findings-${organizationId}`), query.format);
  }

  @PostChange('columns', { operation: 'saved_view.change_columns', resource: 'saved_view' })
  async changeColumns(
    @InOrganization() { caller, organizationId }: Place,
    @Body() { column: columns, compact: isCompact = false, query = '' }: ColumnsForm,
  ): Promise<SeeOther> {
    await this.savedViews.changePreferences(caller, organizationId, { columns, isCompact });
    return new SeeOther(findingsUrlOf(organizationId, await canonicalQuery(query)));
  }
}
