import type { VNode } from 'preact';
import { dayOf } from '../../kernel/day';
import { DIMENSIONS, type Event, hasEnded, hasStarted } from '../../modules/events';
import { Field, Select } from '../frame/form';
import { Advanced } from '../frame/form-parts';
import { Panel } from '../frame/panel';
import { labelOf } from '../frame/words';
import { eventUrl } from '../urls';
import type { EventView } from './event-reader';

type Place = Pick<Event, 'dimension' | 'dimensionType' | 'latitude' | 'longitude'>;

const NOWHERE: Place = { dimension: null, dimensionType: null, latitude: null, longitude: null };

const dimensions = [
  { value: '', label: 'Not stated' },
  ...DIMENSIONS.map((value) => ({ value, label: labelOf(value) })),
];

/** Where an event takes place. */
export const PlaceFields = ({ place = NOWHERE }: { place?: Place }): VNode => (
  <Advanced isOpen={place.dimension !== null || place.dimensionType !== null || place.latitude !== null}>
    <Select name="dimension" label="Dimension" options={dimensions} value={place.dimension} />
    <Field
      name="dimension_type"
      label="Kind of place"
      input={{ value: place.dimensionType ?? '', maxLength: 100, required: false, placeholder: 'branch office' }}
    />
    <Coordinate name="latitude" label="Latitude" most={90} value={place.latitude} />
    <Coordinate name="longitude" label="Longitude" most={180} value={place.longitude} />
  </Advanced>
);

interface CoordinateProps {
  readonly name: string;
  readonly label: string;
  readonly most: number;
  readonly value: number | null;
}

const Coordinate = ({ name, label, most, value }: CoordinateProps): VNode => (
  <Field
    name={name}
    label={label}
    input={{ type: 'number', step: 'any', min: -most, max: most, value: value ?? '', required: false }}
  />
);

/** Days, like the form that creates an event: one that stays the same keeps its time. */
export function EditEvent({ view: { organizationId, event } }: { view: EventView }): VNode {
  const isOpen = !hasEnded(event.status);
  const canMove = isOpen && !hasStarted(event.status, event.startDate, new Date());
  return (
    <Panel label="Edit the event" action={eventUrl(organizationId, event.slug)}>
      <Field name="name" label="Name" input={{ value: event.name, maxLength: 200 }} />
      {canMove && <Field name="start_date" label="First day" input={{ type: 'date', value: dayOf(event.startDate) }} />}
      {isOpen && <Field name="end_date" label="Last day" input={{ type: 'date', value: dayOf(event.endDate) }} />}
      <PlaceFields place={event} />
      <button>Save</button>
    </Panel>
  );
}
