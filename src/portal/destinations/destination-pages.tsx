import { Get, Query, Req } from '@nestjs/common';
import type { VNode } from 'preact';
import { capitalized } from '../../kernel/capitalized';
import type { EventsService } from '../../modules/events';
import type { Destination, DestinationsService } from '../../modules/feed';
import { PageQuery } from '../../platform/http/page-query';
import type { People } from '../findings/people';
import { NewLink } from '../frame/new-link';
import { Page, SeeOther } from '../frame/page';
import { Pager } from '../frame/pager';
import { type Column, Table } from '../frame/table';
import { InOrganization } from '../http/in-organization';
import type { Place, RecordPlace } from '../http/places';
import type { PortalRequest } from '../http/portal-request';
import { PostChange } from '../http/route-metadata';
import { destinationsUrl, destinationUrl } from '../urls';
import type { FilterProps } from './destination-filter';

export type FilterChoices = Omit<FilterProps, 'filter'>;

export const stateText = ({ state, failingSince }: Destination): string =>
  state === 'paused' ? 'Paused' : failingSince === null ? 'Active' : 'Failing';

interface DestinationList<D extends Destination> {
  readonly noun: 'channel' | 'webhook' | 'tracker';
  /** For an organization that has none. */
  readonly purpose: string;
  /** Between the name and the state. */
  readonly columns: readonly Column<D>[];
}

/** The pages that each kind of destinations has. */
export function DestinationPages<D extends Destination>({ noun, purpose, columns }: DestinationList<D>) {
  const id = `${noun}_id`;
  const operation = (verb: string) => ({ operation: `${noun}.${verb}`, resource: noun, id });

  abstract class Pages {
    protected abstract readonly destinations: DestinationsService<D>;
    protected abstract readonly events: EventsService;
    protected abstract readonly people: People;

    protected abstract sendTest(place: RecordPlace): Promise<unknown>;

    @Get()
    async list(
      @InOrganization() { caller, organizationId }: Place,
      @Query() { slice: page }: PageQuery,
      @Req() { originalUrl: url }: PortalRequest,
    ): Promise<Page> {
      const slice = await this.destinations.list(caller, organizationId, page);
      const body = (
        <>
          {slice.items.length === 0 ? (
            <section class="empty">
              <h2>No {noun}s yet</h2>
              <p>{purpose}</p>
            </section>
          ) : (
            <Table
              rows={slice.items}
              columns={[
                {
                  label: capitalized(noun),
                  class: 'main wide',
                  dir: 'auto',
                  cell: (one) => <a href={destinationUrl(noun, organizationId, one.id)}>{one.name}</a>,
                },
                ...columns,
                { label: 'State', class: 'nowrap', cell: stateText },
              ]}
            />
          )}
          <Pager page={page} slice={slice} url={url} />
        </>
      );
      return new Page(`${capitalized(noun)}s`, this.framed(body), 'settings', {
        actions: <NewLink href={`${destinationsUrl(noun, organizationId)}/new`} label={`New ${noun}`} />,
      });
    }

    @PostChange(`:${id}/pause`, operation('change'))
    async pause(@InOrganization(id) place: RecordPlace): Promise<SeeOther> {
      await this.destinations.change(place.caller, place.organizationId, place.id, { state: 'paused' });
      return this.shown(place, `The ${noun} is paused.`);
    }

    @PostChange(`:${id}/resume`, operation('change'))
    async resume(@InOrganization(id) place: RecordPlace): Promise<SeeOther> {
      await this.destinations.change(place.caller, place.organizationId, place.id, { state: 'active' });
      return this.shown(place, `The ${noun} is active, and continues where it stopped.`);
    }

    @PostChange(`:${id}/test`, operation('test'))
    async test(@InOrganization(id) place: RecordPlace): Promise<SeeOther> {
      await this.sendTest(place);
      return this.shown(place, 'A test is on its way. Reload the page to see its result.');
    }

    @PostChange(`:${id}/delete`, operation('delete'))
    async delete(@InOrganization(id) { caller, organizationId, id: one }: RecordPlace): Promise<SeeOther> {
      await this.destinations.delete(caller, organizationId, one);
      return new SeeOther(destinationsUrl(noun, organizationId), `The ${noun} was deleted.`);
    }

    protected shown({ organizationId, id: one }: Omit<RecordPlace, 'caller'>, notice: string): SeeOther {
      return new SeeOther(destinationUrl(noun, organizationId, one), notice);
    }

    /** For the selects of the filter. */
    protected async choicesFor({ caller: { scope }, organizationId }: Place): Promise<FilterChoices> {
      const { items: events } = await this.events.list(scope, organizationId, { page: 1, perPage: 100 });
      return { events, owners: await this.people.owners(scope, organizationId) };
    }

    protected framed(list: VNode): VNode {
      return list;
    }
  }
  return Pages;
}
