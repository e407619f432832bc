import type { INestApplicationContext } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';

/** What the library does about once a minute. */
export interface UpkeepProvider {
  start(): void;
  stop(): Promise<void>;
  runOnce(): Promise<unknown>;
}

/** The library's own provider, which applications do not use. */
export function upkeepOf(app: INestApplicationContext): UpkeepProvider {
  for (const module of app.get(ModulesContainer).values()) {
    for (const provider of module.providers.values()) {
      if (provider.name === 'Upkeep') return provider.instance as UpkeepProvider;
    }
  }
  throw new Error('There is no upkeep.');
}
