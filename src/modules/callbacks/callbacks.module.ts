import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CallbacksService } from './callbacks.service';
import { CallbackRow } from './data/callback.entity';
import { CallbacksRepository } from './data/callbacks.repository';
import { PastCallbacks } from './work/past-callbacks';

@Module({
  imports: [TypeOrmModule.forFeature([CallbackRow])],
  providers: [CallbacksRepository, CallbacksService, PastCallbacks],
  exports: [CallbacksService],
})
export class CallbacksModule {}
