/**
 * As much of the API of Kubernetes, KEDA and Kustomize as the manifests use, and nothing else: a misspelt member, which
 * Kubernetes would leave out or refuse, is a mistake here.
 */
type Schema = Readonly<Record<string, unknown>>;

const text: Schema = { type: 'string', minLength: 1 };
const count: Schema = { type: 'integer', minimum: 0 };
const texts: Schema = { type: 'object', additionalProperties: { type: 'string' } };
const list = (items: Schema): Schema => ({ type: 'array', items, minItems: 1 });
/** Members whose names end in `?` may be left out. */
const object = (members: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  additionalProperties: false,
  properties: Object.fromEntries(Object.entries(members).map(([name, schema]) => [name.replace('?', ''), schema])),
  required: Object.keys(members).filter((name) => !name.endsWith('?')),
});

const metadata = object({ name: text, 'labels?': texts });
const matchLabels = object({ matchLabels: texts });
const amounts = object({
  'cpu?': { type: 'string', pattern: '^\\d+m?$' },
  memory: { type: 'string', pattern: '^\\d+Mi$' },
});

const probe = object({
  httpGet: object({ path: text, port: { const: 'http' } }),
  periodSeconds: count,
  'timeoutSeconds?': count,
  'failureThreshold?': count,
});

const variable: Schema = {
  oneOf: [
    object({ name: text, value: { type: 'string' } }),
    object({ name: text, valueFrom: object({ secretKeyRef: object({ name: text, key: text }) }) }),
  ],
};

const container = object({
  name: text,
  image: text,
  command: list(text),
  'envFrom?': list(object({ configMapRef: object({ name: text }) })),
  env: list(variable),
  'ports?': list(object({ name: { const: 'http' }, containerPort: count })),
  'startupProbe?': probe,
  'livenessProbe?': probe,
  'readinessProbe?': probe,
  'lifecycle?': object({ preStop: object({ sleep: object({ seconds: count }) }) }),
  resources: object({ requests: amounts, limits: amounts }),
  securityContext: object({
    runAsNonRoot: { const: true },
    readOnlyRootFilesystem: { const: true },
    allowPrivilegeEscalation: { const: false },
    capabilities: object({ drop: { const: ['ALL'] } }),
    seccompProfile: object({ type: { const: 'RuntimeDefault' } }),
  }),
});

const spread = list(
  object({
    maxSkew: count,
    topologyKey: text,
    whenUnsatisfiable: { enum: ['DoNotSchedule', 'ScheduleAnyway'] },
    labelSelector: matchLabels,
  }),
);

const pods = (members: Readonly<Record<string, Schema>>): Schema =>
  object({
    metadata: object({ labels: texts, 'annotations?': texts }),
    spec: object({ automountServiceAccountToken: { const: false }, containers: list(container), ...members }),
  });

const task = (members: Readonly<Record<string, Schema>>): Schema =>
  object({ backoffLimit: count, template: pods({ restartPolicy: { const: 'Never' } }), ...members });

const kind = (apiVersion: string, name: string, members: Readonly<Record<string, Schema>>): Schema =>
  object({ apiVersion: { const: apiVersion }, kind: { const: name }, metadata, ...members });

export const KINDS: Readonly<Record<string, Schema>> = {
  ConfigMap: kind('v1', 'ConfigMap', { data: texts }),
  Service: kind('v1', 'Service', {
    spec: object({ selector: texts, ports: list(object({ name: text, port: count, targetPort: text })) }),
  }),
  Job: kind('batch/v1', 'Job', { spec: task({ ttlSecondsAfterFinished: count }) }),
  CronJob: kind('batch/v1', 'CronJob', {
    spec: object({
      schedule: text,
      concurrencyPolicy: { enum: ['Allow', 'Forbid', 'Replace'] },
      startingDeadlineSeconds: count,
      successfulJobsHistoryLimit: count,
      failedJobsHistoryLimit: count,
      jobTemplate: object({ spec: task({ activeDeadlineSeconds: count }) }),
    }),
  }),
  Deployment: kind('apps/v1', 'Deployment', {
    spec: object({
      replicas: count,
      selector: matchLabels,
      strategy: object({ rollingUpdate: object({ maxUnavailable: count, maxSurge: count }) }),
      template: pods({ terminationGracePeriodSeconds: count, topologySpreadConstraints: spread }),
    }),
  }),
  PodDisruptionBudget: kind('policy/v1', 'PodDisruptionBudget', {
    spec: object({ maxUnavailable: count, selector: matchLabels }),
  }),
  NetworkPolicy: kind('networking.k8s.io/v1', 'NetworkPolicy', {
    spec: object({
      podSelector: matchLabels,
      policyTypes: list({ enum: ['Ingress', 'Egress'] }),
      ingress: list(
        object({
          from: list(object({ namespaceSelector: matchLabels })),
          ports: list(object({ protocol: { enum: ['TCP', 'UDP'] }, port: { const: 'http' } })),
        }),
      ),
    }),
  }),
  ScaledObject: kind('keda.sh/v1alpha1', 'ScaledObject', {
    spec: object({
      scaleTargetRef: object({ name: text }),
      minReplicaCount: count,
      maxReplicaCount: count,
      pollingInterval: count,
      cooldownPeriod: count,
      fallback: object({ failureThreshold: count, replicas: count }),
      triggers: list(
        object({
          type: { const: 'prometheus' },
          metadata: object({ serverAddress: text, query: text, threshold: text }),
        }),
      ),
    }),
  }),
  Kustomization: object({
    apiVersion: { const: 'kustomize.config.k8s.io/v1beta1' },
    kind: { const: 'Kustomization' },
    resources: list(text),
    images: list(object({ name: text, newTag: text })),
  }),
};
