export { FeedModule } from './feed.module';
export { FeedController } from './http/feed.controller';
export { SchemasController } from './http/schemas.controller';
