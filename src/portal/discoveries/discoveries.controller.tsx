import { Body, Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { groupBy } from '../../kernel/group-by';
import { type AddedCandidates, DiscoveredAssetsService, DiscoveriesService } from '../../modules/discovery';
import { PathUuid } from '../../platform/http/path-uuid';
import { Fragment, Page, SeeOther } from '../frame/page';
import { pluralize } from '../frame/words';
import type { PortalRequest } from '../http/portal-request';
import { InOrganization } from '../http/in-organization';
import type { Place } from '../http/places';
import { Changes, PostChange } from '../http/route-metadata';
import { LiveStreams } from '../live/live-streams';
import { discoveriesUrl } from '../urls';
import { CandidatesForm, DiscoveryForm } from './discoveries.requests';
import { DiscoveryPage, isRunning } from './discovery-page';
import { DiscoveryReader } from './discovery-reader';

const RELOAD_SECONDS = 5;

@Controller('o/:organization/beacons/:beacon_id/discoveries')
export class DiscoveriesController {
  constructor(
    private readonly reader: DiscoveryReader,
    private readonly discoveries: DiscoveriesService,
    private readonly discoveredAssets: DiscoveredAssetsService,
    private readonly streams: LiveStreams,
  ) {}

  @PostChange('', { operation: 'beacon.discover', resource: 'beacon', id: 'beacon_id' })
  async start(
    @InOrganization() { caller, organizationId, beacon: { id: beaconId } }: Place<'beacon'>,
    @Body() { request }: DiscoveryForm,
  ): Promise<SeeOther> {
    const { uuid } = await this.discoveries.start(caller, organizationId, beaconId, request);
    return new SeeOther(`${discoveriesUrl(organizationId, beaconId)}/${uuid}`);
  }

  @Get(':discovery_uuid')
  async show(@InOrganization() place: Place<'beacon'>, @PathUuid('discovery_uuid') uuid: string): Promise<Page> {
    const view = await this.reader.read(place, uuid);
    return new Page('Discovery', <DiscoveryPage view={view} />, 'beacons', {
      tabTitle: `Discovery of ${view.beacon.name}`,
      reloadSeconds: isRunning(view) ? RELOAD_SECONDS : undefined,
    });
  }

  /** The page below its title, for a page that is shown already. */
  @Get(':discovery_uuid/live')
  async live(@InOrganization() place: Place<'beacon'>, @PathUuid('discovery_uuid') uuid: string): Promise<Fragment> {
    return new Fragment(<DiscoveryPage view={await this.reader.read(place, uuid)} />);
  }

  @Get(':discovery_uuid/progress')
  async progress(
    @InOrganization() { caller, organizationId, beacon: { id: beaconId } }: Place<'beacon'>,
    @PathUuid('discovery_uuid') uuid: string,
    @Req() request: PortalRequest,
    @Res() response: Response,
  ): Promise<void> {
    await this.discoveries.get(caller.scope, { organizationId, beaconId, uuid });
    this.streams.open(request, response, this.reader.follow({ organizationId, beaconId, uuid }));
  }

  @PostChange(':discovery_uuid/cancel', { operation: 'beacon.discovery_cancel', resource: 'beacon', id: 'beacon_id' })
  async cancel(
    @InOrganization() { caller, organizationId, beacon: { id: beaconId } }: Place<'beacon'>,
    @PathUuid('discovery_uuid') uuid: string,
  ): Promise<SeeOther> {
    await this.discoveries.cancel(caller, { organizationId, beaconId, uuid });
    return new SeeOther(`${discoveriesUrl(organizationId, beaconId)}/${uuid}`);
  }

  @Post(':discovery_uuid/assets')
  @Changes({ operation: 'beacon.add_discovered_assets', resource: 'beacon', id: 'beacon_id' })
  async add(
    @InOrganization() { caller, organizationId, beacon: { id: beaconId } }: Place<'beacon'>,
    @PathUuid('discovery_uuid') uuid: string,
    @Body() { canonicalAddresses }: CandidatesForm,
  ): Promise<SeeOther> {
    const added = await this.discoveredAssets.add(caller, { organizationId, beaconId, uuid }, canonicalAddresses);
    return new SeeOther(`${discoveriesUrl(organizationId, beaconId)}/${uuid}`, noticeOf(added));
  }
}

/** How many were added, and which were not and why. */
function noticeOf({ results }: AddedCandidates): string {
  const added = results.filter(({ result }) => result === 'added').length;
  const refused = results.filter(({ error }) => error !== null);
  const reasons = [...groupBy(refused, ({ error }) => error?.message ?? '')].map(
    ([reason, ofReason]) => `${pluralize(ofReason.length, 'host')} refused: ${reason}`,
  );
  return [`${pluralize(added, 'asset')} added.`, ...reasons].join(' ');
}
