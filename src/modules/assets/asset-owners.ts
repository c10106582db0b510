import { Injectable, type OnModuleInit } from '@nestjs/common';
import { OwnedRecords } from '../identity';
import { AssetsRepository } from './data/assets.repository';

/** What a member or a group owned has no owner when it is removed. */
@Injectable()
export class AssetOwners implements OnModuleInit {
  constructor(
    private readonly assets: AssetsRepository,
    private readonly owned: OwnedRecords,
  ) {}

  onModuleInit(): void {
    this.owned.register('asset_ids', (...of) => this.assets.removeOwner(...of));
  }
}
