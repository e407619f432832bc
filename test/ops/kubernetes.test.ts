import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { describe, expect, it } from 'vitest';
import { appOf, documents, PROBE_PATHS, read, root, sourceOf, variablesOf, YAML_FILES } from './documents.js';
import { KINDS } from './kubernetes-schema.js';
import { backgroundJob } from '../support/engine.js';

interface Probe {
  readonly httpGet: { readonly path: string };
  readonly periodSeconds: number;
  readonly failureThreshold?: number;
}

interface Container {
  readonly name: string;
  readonly command: readonly string[];
  readonly envFrom?: readonly { readonly configMapRef: { readonly name: string } }[];
  readonly env: readonly { readonly name: string; readonly value?: string }[];
  readonly ports?: readonly { readonly containerPort: number }[];
  readonly startupProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
}

interface Pods {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
  readonly spec: {
    readonly containers: readonly Container[];
    readonly terminationGracePeriodSeconds?: number;
    readonly topologySpreadConstraints?: readonly { readonly labelSelector: object }[];
  };
}

interface Manifest {
  readonly kind: string;
  readonly metadata?: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly resources?: readonly string[];
  readonly spec?: {
    readonly template?: Pods;
    readonly jobTemplate?: { readonly spec: { readonly template: Pods } };
    readonly selector?: { readonly matchLabels?: Readonly<Record<string, string>> } & Readonly<Record<string, unknown>>;
    readonly podSelector?: { readonly matchLabels: Readonly<Record<string, string>> };
    readonly scaleTargetRef?: { readonly name: string };
  };
}

const FILES = YAML_FILES.filter((path) => path.startsWith('ops/kubernetes/'));
const manifests = FILES.flatMap((path) => documents<Manifest>(path).map((manifest) => ({ path, manifest })));
const titled = manifests.map((each) => ({ ...each, title: `${each.path} · ${each.manifest.kind}` }));
const podsOf = ({ spec }: Manifest): Pods | undefined => spec?.template ?? spec?.jobTemplate?.spec.template;
const containers = manifests.flatMap(({ path, manifest }) =>
  (podsOf(manifest)?.spec.containers ?? []).map((container) => ({ path, name: container.name, container, manifest })),
);
const deployed = containers.filter(({ manifest }) => manifest.kind === 'Deployment');

/** What a container gets: its own variables and those of the config maps it names. */
function environmentOf({ env, envFrom = [] }: Container): ReadonlyMap<string, string | undefined> {
  const shared = envFrom.flatMap(({ configMapRef }) => {
    const map = manifests.find(
      ({ manifest }) => manifest.kind === 'ConfigMap' && manifest.metadata?.name === configMapRef.name,
    );
    expect(map, configMapRef.name).toBeDefined();
    return Object.entries(map?.manifest.data ?? {});
  });
  return new Map([...shared, ...env.map(({ name, value }): [string, string | undefined] => [name, value])]);
}

/** The application whose configuration a container reads. */
const readerOf = (command: readonly string[]): string | null =>
  appOf(command) ?? /^dist\/apps\/(\w+)\/app\.module\.js$/.exec(command[3] ?? '')?.[1] ?? null;

const isWithin = (part: Readonly<Record<string, string>>, whole: Readonly<Record<string, string>>): boolean =>
  Object.entries(part).every(([name, value]) => whole[name] === value);

describe('the manifests of Kubernetes', () => {
  it.each(titled)('fit what Kubernetes takes: $title', ({ manifest }) => {
    const schema = KINDS[manifest.kind];
    expect(schema, manifest.kind).toBeDefined();
    const validate = new Ajv2019({ allErrors: true }).compile(schema!);
    expect(validate(manifest), JSON.stringify(validate.errors, null, 2)).toBe(true);
    expect(validate({ ...manifest, spce: {} })).toBe(false);
  });

  it.each(containers)('set what $name reads, all that it needs, and nothing else ($path)', ({ container }) => {
    const app = readerOf(container.command);
    const given = [...environmentOf(container).keys()];
    // The migration is a command of the package: it reads one variable.
    const { all, required } = app === null ? { all: ['DATABASE_URL'], required: ['DATABASE_URL'] } : variablesOf(app);
    expect(given.filter((name) => !all.includes(name))).toEqual([]);
    expect(required.filter((name) => !given.includes(name))).toEqual([]);
  });

  it.each(containers)('run a program that is there: $name ($path)', ({ container }) => {
    const [node, , command = ''] = container.command;
    const isApp = appOf(container.command) !== null;
    const source = isApp ? sourceOf(container.command) : `libs/scheduled-jobs/src/cli/commands/${command}-command.ts`;
    expect(node).toBe('node');
    expect(existsSync(join(root, sourceOf(container.command)))).toBe(true);
    expect(existsSync(join(root, source)), source).toBe(true);
  });

  it.each(deployed)('ask $name by three probes that it answers, on the port where it does', ({ container }) => {
    const { startupProbe, livenessProbe, readinessProbe } = container;
    const asked = [livenessProbe, startupProbe, readinessProbe].map((probe) => probe?.httpGet.path);
    expect(asked).toEqual(PROBE_PATHS);
    const port = environmentOf(container).get(appOf(container.command) === 'worker' ? 'PROBE_PORT' : 'PORT');
    expect(container.ports?.map(({ containerPort }) => String(containerPort))).toEqual([port]);
    const host = environmentOf(container).get(appOf(container.command) === 'worker' ? 'PROBE_HOST' : 'HOST');
    expect(host).toBe('0.0.0.0');
  });

  it('select the pods that they mean', () => {
    const ofKind = (kind: string) => manifests.flatMap(({ manifest }) => (manifest.kind === kind ? [manifest] : []));
    const deployments = ofKind('Deployment');
    const labels = deployments.map((manifest) => podsOf(manifest)?.metadata.labels);
    expect(deployments.map(({ spec }) => spec?.selector?.matchLabels)).toEqual(labels);
    const selectors = [
      ...ofKind('Service').map(({ spec }) => spec?.selector),
      ...ofKind('PodDisruptionBudget').map(({ spec }) => spec?.selector?.matchLabels),
    ];
    expect(selectors).toHaveLength(4);
    for (const selector of selectors) expect(labels).toContainEqual(selector);
    for (const { spec } of ofKind('NetworkPolicy')) {
      expect(labels.some((each) => isWithin(spec?.podSelector?.matchLabels ?? {}, each ?? {}))).toBe(true);
    }
    for (const [index, manifest] of deployments.entries()) {
      const spreads = podsOf(manifest)?.spec.topologySpreadConstraints?.map(({ labelSelector }) => labelSelector);
      expect(spreads).toEqual([{ matchLabels: labels[index] }]);
    }
    const [scaled] = ofKind('ScaledObject');
    expect(deployments.map(({ metadata }) => metadata?.name)).toContain(scaled?.spec?.scaleTargetRef?.name);
  });

  it('have one that ticks, and give workers longer to stop than their handlers have', () => {
    const byName = new Map(deployed.map((each) => [each.name, each]));
    const scheduler = (name: string) => environmentOf(byName.get(name)!.container).get('SCHEDULER');
    expect(['api', 'worker', 'scheduler'].map(scheduler)).toEqual(['off', 'off', 'on']);
    const { container, manifest } = byName.get('worker')!;
    const handlers = Number.parseInt(environmentOf(container).get('SHUTDOWN_TIMEOUT') ?? '', 10);
    // The drain adds three seconds of grace and up to ten for the database.
    expect(podsOf(manifest)?.spec.terminationGracePeriodSeconds).toBeGreaterThan(handlers + 13);
  });

  it('kill no worker whose event loop a handler blocks for as long as it may', () => {
    const { container } = deployed.find(({ name }) => name === 'worker')!;
    const { periodSeconds, failureThreshold = 3 } = container.livenessProbe!;
    const { blockedLoopLimitMs } = backgroundJob();
    expect(periodSeconds * failureThreshold * 1_000).toBeGreaterThan(blockedLoopLimitMs);
  });

  it('are listed for kustomize, each once, but for those that are a choice', () => {
    const [kustomization] = documents<Manifest>('ops/kubernetes/kustomization.yaml');
    const listed = kustomization!.resources ?? [];
    const choices = ['kustomization.yaml', 'network.yaml', 'tick.yaml', 'worker-scaling.yaml'];
    const files = FILES.map((path) => path.slice('ops/kubernetes/'.length));
    expect([...listed, ...choices].toSorted()).toEqual(files.toSorted());
    for (const choice of choices.slice(1)) expect(read('ops/kubernetes/kustomization.yaml')).toContain(choice);
  });
});
