export { CallbacksModule } from './callbacks.module';
export { CallbacksService } from './callbacks.service';
