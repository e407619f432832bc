import { Module } from '@nestjs/common';
import { LauncherChannel } from './launcher-channel.js';

/** Lets the process that started this one stop its ticking. */
@Module({ providers: [LauncherChannel] })
export class LauncherModule {}
