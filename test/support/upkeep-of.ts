import type { INestApplicationContext } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';

/** What the library does about once a minute. */
export interface UpkeepProvider {
  start(): void;
  stop(): Promise<void>;
  runOnce(): Promise<unknown>;
}

/** The library's own provider, which applications do not use. */
export const upkeepOf = (app: INestApplicationContext): UpkeepProvider => ownProvider(app, 'Upkeep');

/** What raises alerts, in the same manner. */
export const alertsOf = (app: INestApplicationContext): UpkeepProvider => ownProvider(app, 'Alerts');

function ownProvider(app: INestApplicationContext, name: string): UpkeepProvider {
  for (const module of app.get(ModulesContainer).values()) {
    for (const provider of module.providers.values()) {
      if (provider.name === name) return provider.instance as UpkeepProvider;
    }
  }
  throw new Error(`There is no ${name}.`);
}
