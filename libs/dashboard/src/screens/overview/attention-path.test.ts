import { describe, expect, it } from 'vitest';
import type { Attention } from '../../api/answers.js';
import { attentionPath } from './attention-path.js';

const toldOf = (kind: string): Attention => ({ kind, subject: 'a/b', text: '', link: { job: 'a/b' } }) as Attention;

describe('attentionPath', () => {
  it.each([
    ['missed-period', '/periods/a%2Fb'],
    ['schedule-behind', '/periods/a%2Fb'],
    ['no-worker', '/jobs/a%2Fb'],
    ['job-paused', '/jobs/a%2Fb'],
    ['breaker-open', '/queues'],
    ['backlog', '/executions?queue=a%2Fb&state=pending'],
    ['dead-letters', '/dead-letters?job=a%2Fb'],
    ['queue-paused', '/queues'],
    ['told by a newer server', '/executions'],
  ])('leads from %s to %s', (kind, path) => {
    expect(attentionPath(toldOf(kind))).toBe(path);
  });
});
