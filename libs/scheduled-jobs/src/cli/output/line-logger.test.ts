import { Logger } from '@nestjs/common';
import { describe, expect, it } from 'vitest';
import { LineLogger } from './line-logger.js';

function written(level?: 'warning' | 'error') {
  const lines: string[] = [];
  Logger.overrideLogger(new LineLogger((line) => lines.push(line), level));
  const logger = new Logger('Orders');
  logger.log('routine');
  logger.debug('detail');
  logger.warn('late');
  logger.error('it failed', new Error('x').stack);
  logger.error(new Error('as an error'));
  logger.fatal('it ends');
  new Logger('ExceptionHandler').error(new Error('told by the command'));
  return lines;
}

describe('LineLogger', () => {
  it('writes warnings and errors, one line each, without stacks and without what the command says itself', () => {
    expect(written()).toEqual([
      'warning [Orders] late',
      'error [Orders] it failed',
      'error [Orders] as an error',
      'error [Orders] it ends',
    ]);
  });

  it('leaves warnings out when only errors are wanted', () => {
    expect(written('error')).not.toContain('warning [Orders] late');
  });
});
