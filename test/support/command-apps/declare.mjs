// What decorators do, for applications in plain JavaScript.
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BackgroundJob, ScheduledJob } from 'nestjs-scheduled-jobs';

/** Nobody listens there: an application that is only looked at must not notice. */
const CLOSED = 'postgres://nobody@127.0.0.1:1/nothing';

export const dataSource = () =>
  TypeOrmModule.forRoot({ type: 'postgres', url: process.env['DATABASE_URL'] ?? CLOSED, retryAttempts: 0 });

/** A module that shows when it is made. */
export class PrintingModule {
  onModuleInit() {
    console.log('printed by a hook');
  }
}

/** Makes `type` the provider of a scheduled job. */
export function scheduled(type, method, cron, options) {
  ScheduledJob(cron, options)(type.prototype, method, methodOf(type, method));
  return type;
}

export function background(type, method, options) {
  BackgroundJob(options)(type.prototype, method, methodOf(type, method));
  return type;
}

export function rootModule(type, metadata) {
  Module(metadata)(type);
  return type;
}

const methodOf = ({ prototype }, method) => Object.getOwnPropertyDescriptor(prototype, method);
