export type { Entry, FeedFilter } from './data/feed.repository';
export { FILTERED_TYPES, RECORD_KINDS, typesNamed } from './domain/entry-types';
export { FeedModule } from './feed.module';
export { FeedController } from './http/feed.controller';
export { presentEntry } from './http/feed.responses';
export { type FeedPage, FeedService } from './feed.service';
export { FeedWatch } from './feed-watch';
export { SchemasController } from './http/schemas.controller';
