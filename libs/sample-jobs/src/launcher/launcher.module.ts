import { Module } from '@nestjs/common';
import { LauncherChannel } from './launcher-channel.js';

@Module({ providers: [LauncherChannel] })
export class LauncherModule {}
