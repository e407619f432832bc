import { parser } from '@prometheus-io/lezer-promql';
import * as promClient from 'prom-client';
import { describe, expect, it } from 'vitest';
import { createMetrics } from '../../libs/scheduled-jobs/src/observability/metrics/create-metrics.js';
import { documents, read, YAML_FILES } from './documents.js';

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[];
}

const [file] = documents<{ readonly groups: readonly { readonly rules: readonly Rule[] }[] }>(
  'ops/prometheus/alerts.yaml',
);
const rules = file!.groups.flatMap((group) => group.rules);

/** What Prometheus adds to each sample. */
const TARGET_LABELS = ['instance', 'job'];

/** Names of samples, as a scrape shows them, with the names of their labels. */
function samples(): ReadonlyMap<string, readonly string[]> {
  const registry = new promClient.Registry();
  const nobody = new Proxy({}, { get: () => () => Promise.reject(new Error('nobody asks')) });
  createMetrics({
    client: promClient,
    registry,
    events: { subscribe: () => () => undefined } as never,
    watch: nobody as never,
    worker: nobody as never,
  });
  return new Map(
    registry.getMetricsAsArray().flatMap((metric) => {
      const { name, labelNames = [] } = metric as unknown as { name: string; labelNames?: string[] };
      const entry = (suffix: string, more: string[] = []): [string, string[]] => [
        name + suffix,
        [...labelNames, ...more],
      ];
      return metric instanceof promClient.Histogram
        ? [entry('_bucket', ['le']), entry('_sum'), entry('_count')]
        : [entry('')];
    }),
  );
}

interface Expression {
  readonly errors: number;
  readonly metrics: readonly string[];
  readonly labels: readonly string[];
}

function parse(expr: string): Expression {
  const found = { errors: 0, metrics: [] as string[], labels: [] as string[] };
  parser.parse(expr).iterate({
    enter: ({ name, type, from, to }) => {
      if (type.isError) found.errors++;
      if (name === 'Identifier') found.metrics.push(expr.slice(from, to));
      if (name === 'LabelName') found.labels.push(expr.slice(from, to));
    },
  });
  return found;
}

const known = samples();
const labelsOf = (metrics: readonly string[]): readonly string[] => [
  ...TARGET_LABELS,
  ...metrics.flatMap((metric) => known.get(metric) ?? []),
];

function expectFits(expr: string): void {
  const { errors, metrics, labels } = parse(expr);
  expect(errors, expr).toBe(0);
  expect(metrics.length, expr).toBeGreaterThan(0);
  expect(metrics.filter((metric) => !known.has(metric))).toEqual([]);
  expect(labels.filter((label) => !labelsOf(metrics).includes(label))).toEqual([]);
}

describe('the alert rules', () => {
  it.each(rules)('$alert is PromQL over metrics and labels that the code has', ({ expr }) => expectFits(expr));

  it.each(rules)('$alert tells people what it is and what to do', ({ expr, labels, annotations, ...rule }) => {
    expect(['critical', 'warning', 'info']).toContain(labels['severity']);
    expect(Object.keys(annotations)).toEqual(['summary', 'description', 'runbook_url']);
    expect(rule.for ?? '1m').toMatch(/^\d+[smhd]$/);
    // A template shows only labels that the expression leaves.
    const { metrics } = parse(expr);
    const shown = [
      ...Object.values(annotations)
        .join(' ')
        .matchAll(/\$labels\.(\w+)/g),
    ].map(([, label]) => label);
    const kept = /\bby \(([\w, ]+)\)/.exec(expr)?.[1]?.split(', ') ?? [];
    expect(shown.filter((label) => !kept.includes(label ?? ''))).toEqual([]);
    expect(kept.filter((label) => !labelsOf(metrics).includes(label))).toEqual([]);
  });

  it('have a runbook each, and no runbook is left without a rule', () => {
    const [file, ...others] = new Set(rules.map(({ annotations }) => annotations['runbook_url']?.split('#')[0] ?? ''));
    expect([file, ...others]).toEqual(['docs/guides/observability.md']);
    const [, part = ''] = /^## Runbooks\n([\s\S]*?)^## /m.exec(read(file ?? '')) ?? [];
    const sections = part.split(/^### /m).slice(1);
    expect(sections.map((section) => section.split('\n')[0])).toEqual(rules.map(({ alert }) => alert));
    const commands = [...part.matchAll(/`nestjs-scheduled-jobs ([a-z]+)([^`]*)`/g)];
    expect(commands.length).toBeGreaterThanOrEqual(rules.length);
    for (const [text, name = '', given = ''] of commands) {
      // what that guide says is the help of the commands, by a test of its own
      const known = read('docs/guides/commands.md').split(`\n## ${name}\n`)[1]?.split('\n## ')[0] ?? '';
      expect(known, text).not.toBe('');
      for (const [option] of given.matchAll(/--[a-z-]+/g)) expect(known, text).toContain(option);
    }
    for (const section of sections) expect(section).toMatch(/\n- \*\*Look:\*\* [\s\S]+\n- \*\*Do:\*\* /);
    for (const { alert, annotations } of rules) {
      expect(annotations['runbook_url']).toBe(`docs/guides/observability.md#${alert.toLowerCase()}`);
    }
  });

  it('have names of their own', () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  });

  it('would be found wrong', () => {
    expect(parse('max(scheduled_jobs_dead_letters').errors).toBeGreaterThan(0);
    expect(known.has('scheduled_jobs_dead_letter')).toBe(false);
  });
});

it('Every metric that is named in what is operated is one that the code has', () => {
  for (const path of YAML_FILES) {
    const text = JSON.stringify(documents(path));
    const named = [...text.matchAll(/scheduled_jobs_[a-z_]+/g)].map(([name]) => name);
    expect(
      named.filter((name) => !known.has(name)),
      path,
    ).toEqual([]);
  }
});

describe('the dashboard of Grafana', () => {
  const { panels } = JSON.parse(read('ops/grafana/scheduled-jobs.json')) as { readonly panels: readonly Panel[] };

  it.each(panels)('asks for what the code has: $title', ({ targets }) => {
    expect(targets.length).toBeGreaterThan(0);
    for (const { expr, legendFormat } of targets) {
      expectFits(expr);
      const shown = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label);
      const kept = /\bby \(([\w, ]+)\)/.exec(expr)?.[1]?.split(', ') ?? [];
      expect(shown.filter((label) => !kept.includes(label ?? ''))).toEqual([]);
    }
  });

  it('has panels of their own that do not lie on each other', () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)}/${y + Math.floor(cell / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(Math.max(...panels.map(({ gridPos: { x, w } }) => x + w))).toBeLessThanOrEqual(24);
  });
});

it('Workers are scaled by an expression that fits', () => {
  const [scaled] = documents<{
    readonly spec: { readonly triggers: readonly { readonly metadata: { readonly query: string } }[] };
  }>('ops/kubernetes/worker-scaling.yaml');
  for (const { metadata } of scaled!.spec.triggers) expectFits(metadata.query);
});

it('No metric takes a label that Prometheus keeps for what it scrapes', () => {
  for (const [name, labels] of known) {
    expect(
      labels.filter((label) => ['job', 'instance', 'service', 'namespace', 'pod', 'container'].includes(label)),
      name,
    ).toEqual([]);
  }
});
