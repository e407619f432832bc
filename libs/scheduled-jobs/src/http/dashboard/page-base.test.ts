import { describe, expect, it } from 'vitest';
import { pagePathOf } from './page-base.js';

const express = (url: string, path: string) => pagePathOf({ url, route: { path } });
const fastify = (url: string, pattern: string) => pagePathOf({ url, routeOptions: { url: pattern } });

describe('pagePathOf', () => {
  it.each([
    ['/scheduled-jobs', '/scheduled-jobs', '', 'scheduled-jobs/'],
    ['/scheduled-jobs/', '/scheduled-jobs', '', './'],
    ['/scheduled-jobs?zone=utc', '/scheduled-jobs', '', 'scheduled-jobs/'],
    ['/scheduled-jobs/executions', '/scheduled-jobs/*rest', 'executions', './'],
    ['/scheduled-jobs/executions/', '/scheduled-jobs/*rest', 'executions/', '../'],
    ['/scheduled-jobs/executions/7?x=/y/z', '/scheduled-jobs/*rest', 'executions/7', '../'],
    ['/v2/ops/jobs/jobs/ops/jobs', '/v2/ops/jobs/*rest', 'jobs/ops/jobs', '../../'],
    ['/jobs/jobs/executions', '/jobs/jobs/*rest', 'executions', './'],
    ['/scheduled-jobs/executions/a%2Fb', '/scheduled-jobs/*rest', 'executions/a%2Fb', '../'],
  ])('leads from %s back to its mount, on both routers', (url, pattern, rest, base) => {
    expect(express(url, pattern)).toEqual({ rest, base });
    expect(fastify(url, pattern.replace('*rest', '*'))).toEqual({ rest, base });
  });
});
