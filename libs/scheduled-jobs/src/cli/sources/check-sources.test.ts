import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fileURLToPath } from 'node:url';
import { UsageError } from '../arguments/usage-error.js';
import { checkSources, sourceText } from './check-sources.js';
import { findTimers } from './find-timers.js';
import { loadTypeScript } from './load-typescript.js';

const find = (text: string, path = 'jobs.ts') => findTimers(ts, path, text);
const told = (text: string) =>
  find(text).timers.map(({ line, kind, place, replacement }) => [line, kind, place, replacement]);

describe('findTimers', () => {
  it('finds the decorators of @nestjs/schedule, and says what replaces each with its own values', () => {
    const text = `import { Cron, CronExpression, Interval as Every, Timeout } from '@nestjs/schedule';
class ReportJobs {
  @Cron(CronExpression.EVERY_DAY_AT_6AM, { name: 'daily report', timeZone: 'Europe/Berlin', waitForCompletion: true })
  daily() {}
  @Cron('0 6 * * *', { disabled: process.env.OFF === '1' })
  other() {}
  @Every(10_000)
  poll() {}
  @Every('sync-orders', 300000)
  sync() {}
  @Every(7000)
  odd() {}
  @Timeout(5000)
  once() {}
}`;
    expect(told(text)).toEqual([
      [
        3,
        '@Cron',
        'ReportJobs.daily',
        `@ScheduledJob(CronExpression.EVERY_DAY_AT_6AM, { name: 'daily-report', timeZone: 'Europe/Berlin', overlap: 'skip' })`,
      ],
      [
        5,
        '@Cron',
        'ReportJobs.other',
        `@ScheduledJob('0 6 * * *', { name: 'report-jobs-other', timeZone: '<zone>', disabled: process.env.OFF === '1' })`,
      ],
      [
        7,
        '@Interval',
        'ReportJobs.poll',
        `@ScheduledJob('*/10 * * * * *', { name: 'report-jobs-poll', timeZone: 'UTC' })`,
      ],
      [9, '@Interval', 'ReportJobs.sync', `@ScheduledJob('*/5 * * * *', { name: 'sync-orders', timeZone: 'UTC' })`],
      [11, '@Interval', 'ReportJobs.odd', `@ScheduledJob('<cron>', { name: 'report-jobs-odd', timeZone: 'UTC' })`],
      [13, '@Timeout', 'ReportJobs.once', 'Once, not once a process: enqueue a @BackgroundJob with a key.'],
    ]);
  });

  it('finds them behind another name of the module, and not those of another module', () => {
    expect(
      told(`import * as schedule from '@nestjs/schedule';\nclass A {\n  @schedule.Cron('* * * * *') run() {}\n}`),
    ).toMatchObject([[3, '@Cron', 'A.run', `@ScheduledJob('* * * * *', { name: 'a-run', timeZone: '<zone>' })`]]);
    expect(told(`import { Cron } from './own.js';\nclass A {\n  @Cron('* * * * *') run() {}\n}`)).toEqual([]);
  });

  it('finds intervals and cron jobs that are made by hand', () => {
    const text = `import { CronJob } from 'cron';
import cron from 'node-cron';
import { setInterval as every } from 'node:timers/promises';
class Cache {
  constructor() { setInterval(() => this.clear(), 3_600_000); }
  onModuleInit() { this.timer = globalThis.setInterval(this.clear, this.ms); }
}
new CronJob('0 0 1 * *', run, null, true, 'Asia/Shanghai');
CronJob.from({ cronTime: '0 6 * * 1', onTick: run, timeZone: 'Europe/Berlin' });
cron.schedule('*/5 * * * *', run);
for await (const _ of every(1000)) run();
clearInterval(1);`;
    expect(told(text).map(([line, kind, , replacement]) => [line, kind, replacement])).toEqual([
      [5, 'setInterval', `@ScheduledJob('0 * * * *', { name: 'cache', timeZone: 'UTC' })`],
      [6, 'setInterval', `@ScheduledJob('<cron>', { name: 'cache-on-module-init', timeZone: 'UTC' })`],
      [8, 'CronJob', `@ScheduledJob('0 0 1 * *', { name: '<name>', timeZone: '<zone>' })`],
      [9, 'CronJob', `@ScheduledJob('0 6 * * 1', { name: '<name>', timeZone: 'Europe/Berlin' })`],
      [10, 'node-cron', `@ScheduledJob('*/5 * * * *', { name: '<name>', timeZone: '<zone>' })`],
      [11, 'setInterval', `@ScheduledJob('<cron>', { name: '<name>', timeZone: 'UTC' })`],
    ]);
  });

  it('finds what is required, put in brackets, or wrapped in a decorator of the service', () => {
    const text = `const { CronJob: Job } = require('cron');
import planned = require('node-cron');
const timers = require('node:timers');
import { Cron } from '@nestjs/schedule';
const Nightly = () => applyDecorators(Cron('0 0 * * *'), Logged());
new Job('0 0 1 * *', run);
planned.schedule('*/5 * * * *', run);
timers.setInterval(run, 1000);
globalThis['setInterval'](run, 1000); (setInterval)(run, 1000); window.setInterval?.(run, 1000);
class A { @(Cron)('* * * * *') b() {} }`;
    expect(told(text).map(([line, kind]) => [line, kind])).toEqual([
      [5, '@Cron'],
      [6, 'CronJob'],
      [7, 'node-cron'],
      [8, 'setInterval'],
      [9, 'setInterval'],
      [9, 'setInterval'],
      [9, 'setInterval'],
      [10, '@Cron'],
    ]);
  });

  it('reads what is nested more deeply than calls may be', () => {
    const sum = Array.from({ length: 10_000 }, () => '"a"').join(' + ');
    expect(find(`const sum = ${sum};\nsetInterval(run, 1000);`).timers).toMatchObject([{ line: 2 }]);
  });

  it('is not misled by texts, comments and functions of that name', () => {
    const text = `import { setInterval } from './fake.js';
// @Cron('* * * * *') and setInterval(run, 5)
const a = "setInterval(run, 5)", b = \`setInterval(\${5})\`;
setInterval(a, 5); clock.setInterval(b, 5);`;
    expect(find(text)).toEqual({ timers: [], kept: 0 });
  });

  it('keeps what a comment keeps with a reason', () => {
    const text = `import { Cron, Interval } from '@nestjs/schedule';
class A {
  // per-instance: it empties the cache of this process
  @Cron('* * * * *') @Log() a() {}
  // per-instance: each process says that it is alive
  @Log()
  @Interval(1000) b() {}
  start() { setInterval(ping, 5); /* per-instance: keeps its socket open */ }
  // per-instance:
  @Interval(1000) c() {}
}`;
    expect(find(text)).toMatchObject({ timers: [{ line: 10, place: 'A.c' }], kept: 3 });
  });

  it('reads JavaScript and JSX, and what does not compile', () => {
    expect(find('setInterval(run, 1000)', 'a.mjs').timers).toHaveLength(1);
    expect(find('const a = <b>{setInterval(run, 1000)}</b>;', 'a.tsx').timers).toHaveLength(1);
    expect(find('class { setInterval(run, 1000', 'a.ts')).toBeDefined();
  });
});

describe('checkSources', () => {
  const root = fileURLToPath(new URL('../../../../../', import.meta.url));
  let folder: string;
  beforeAll(() => {
    // Below the project, so that its TypeScript is found.
    mkdirSync(join(root, '.reports'), { recursive: true });
    folder = mkdtempSync(join(root, '.reports', 'check-sources-test-'));
    const timer = 'setInterval(run, 1000);\n';
    for (const file of [
      'src/a/jobs.ts',
      'src/a/jobs.spec.ts',
      'src/node_modules/x.ts',
      'src/dist/x.js',
      'src/x.d.ts',
      'src/.x/y.ts',
    ]) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), timer);
    }
    mkdirSync(join(folder, 'empty'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('reads the sources of a service, without tests, declarations and what is built', () => {
    const report = checkSources('src', folder);
    expect(report).toMatchObject({
      files: 1,
      kept: 0,
      findings: [{ file: join('a', 'jobs.ts'), line: 1, kind: 'setInterval' }],
    });
    expect(sourceText(report, 'src')).toBe(
      [
        `${join('src', 'a', 'jobs.ts')}:1  setInterval runs in every process`,
        `  → @ScheduledJob('* * * * * *', { name: '<name>', timeZone: 'UTC' })`,
        '1 file(s), 1 timer(s) that run in every process',
        'What belongs to each process stays with a comment beside it: // per-instance: <why>',
      ].join('\n'),
    );
  });

  it('follows no link: it may lead nowhere, or round in circles', () => {
    const links = join(folder, 'links');
    mkdirSync(links);
    writeFileSync(join(links, 'real.ts'), 'setInterval(run, 1000);');
    for (const [name, target] of Object.entries({
      'gone.ts': 'nowhere.ts',
      'self.ts': 'self.ts',
      'up.ts': '..',
      up: '..',
    }))
      symlinkSync(target, join(links, name));
    expect(checkSources('links', folder)).toMatchObject({ files: 1, findings: [{ file: 'real.ts' }] });
  });

  it('names the source that cannot be read', () => {
    mkdirSync(join(folder, 'deep'));
    writeFileSync(join(folder, 'deep', 'nest.ts'), `const a = ${'['.repeat(20_000)}`);
    expect(() => checkSources('deep', folder)).toThrow(/^nest\.ts cannot be read: /);
  });

  it('refuses folders that are none or hold no source, and a project without TypeScript', () => {
    for (const path of ['nowhere', 'empty', 'src/a/jobs.ts'])
      expect(() => checkSources(path, folder)).toThrow(UsageError);
    expect(() => loadTypeScript(tmpdir())).toThrow('finds none: npm install -D typescript.');
  });
});
