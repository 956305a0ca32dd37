import { afterAll, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { endProcesses, newFolder, ROOT, SOURCE, startProcess } from './support/process.ts'

// Tests the files for Compose and Kubernetes. Neither of these programs runs here.

// biome-ignore lint/suspicious/noExplicitAny: documents of YAML
type Document = any

const textOf = (file: string): string => readFileSync(join(ROOT, '.github', file), 'utf8')
const dockerfile = textOf('docker/Dockerfile')
const compose: Document = Bun.YAML.parse(textOf('docker/compose.yaml'))
const manifest = Bun.YAML.parse(textOf('kubernetes/florin.yaml')) as Document[]
const ofKind = (kind: string): Document => manifest.find(one => one.kind === kind)

afterAll(endProcesses)

test('each document of the manifest has a name, and references to it resolve', () => {
  expect(manifest.map(one => [one.apiVersion, one.kind, one.metadata.name])).toEqual([
    ['v1', 'ConfigMap', 'florin'],
    ['apps/v1', 'Deployment', 'florin'],
    ['v1', 'Service', 'florin'],
    ['policy/v1', 'PodDisruptionBudget', 'florin'],
    ['networking.k8s.io/v1', 'NetworkPolicy', 'florin'],
  ])
  const { selector, template, strategy } = ofKind('Deployment').spec
  const { labels } = template.metadata
  expect(selector.matchLabels).toEqual(labels)
  expect(ofKind('Service').spec.selector).toEqual(labels)
  expect(ofKind('PodDisruptionBudget').spec.selector.matchLabels).toEqual(labels)
  // postgresql.md says that servers are replaced one by one.
  expect(strategy).toEqual({ type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } })
  const [container] = template.spec.containers
  const volumes = template.spec.volumes.map(({ name }: Document) => name)
  expect(container.volumeMounts.map(({ name }: Document) => name)).toEqual(volumes)
  const metrics = container.ports.find(({ name }: Document) => name === 'metrics').containerPort
  expect(ofKind('ConfigMap').data.FLORIN_METRICS).toBe(`0.0.0.0:${metrics}`)
  expect(template.metadata.annotations['prometheus.io/port']).toBe(`${metrics}`)
  expect(ofKind('Service').spec.ports[0].targetPort).toBe(container.ports[0].name)
})

/** Documents as constants, with the types that are generated from the API description of Kubernetes. */
const typed = (documents: Document[]): string =>
  documents
    .map(({ apiVersion, kind, ...rest }) => {
      // The types leave out the domain of a group: networking.k8s.io/v1 is networking/v1.
      const module = apiVersion === 'v1' ? 'core/v1' : apiVersion.replace('.k8s.io', '')
      const file = join(ROOT, 'node_modules/kubernetes-types', `${module}.d.ts`)
      const literal = JSON.stringify({ apiVersion, kind, ...rest })
      return `export const the${kind}: import('${file}').${kind} = ${literal}\n`
    })
    .join('')

/** The compiler's errors. An unknown field is an error, as in \`kubectl apply --validate=strict\`. */
function mistakesIn(documents: Document[]): string[] {
  const file = join(newFolder(), 'manifest.ts')
  writeFileSync(file, typed(documents))
  const options = '--noEmit --strict --skipLibCheck --ignoreConfig --lib es2022 --module preserve'.split(' ')
  const { stdout } = Bun.spawnSync([join(ROOT, 'node_modules/.bin/tsc'), ...options, '--types', '', file])
  return stdout
    .toString()
    .split('\n')
    .filter(line => line.includes('error'))
}

test('each document has only fields of the Kubernetes API, with values of their types', () => {
  expect(mistakesIn(manifest)).toEqual([])
  const broken = structuredClone(manifest)
  const ofBroken = (kind: string): Document => broken.find(one => one.kind === kind).spec
  const [container] = ofBroken('Deployment').template.spec.containers
  container.livenessProbe.periodSecond = 10
  ofBroken('Service').ports[0].port = '80'
  delete ofBroken('NetworkPolicy').podSelector
  expect(mistakesIn(broken)).toEqual([
    expect.stringContaining("'\"periodSecond\"' does not exist in type 'Probe'"),
    expect.stringContaining("'string' is not assignable to type 'number'"),
    expect.stringContaining("'podSelector' is missing"),
  ])
})

test('the pod runs as the image does, without privileges, and its probes use existing routes', () => {
  const { spec } = ofKind('Deployment').spec.template
  const [container] = spec.containers
  expect(container.image).toMatch(/\/florin:\d/)
  expect(dockerfile).toContain(`CMD ["${container.args.join()}"]`)
  expect(dockerfile).toContain(`--uid ${spec.securityContext.runAsUser} `)
  expect(dockerfile).toContain(`FLORIN_PORT=${container.ports[0].containerPort}`)
  expect(dockerfile).toContain(`FLORIN_DATA_DIR=${container.volumeMounts[0].mountPath} `)
  expect(spec.securityContext.runAsNonRoot).toBe(true)
  expect(container.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  })
  const { startupProbe, livenessProbe, readinessProbe } = container
  const probed = [startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet.path)
  expect(probed).toEqual(['/healthz', '/healthz', '/readyz'])
})

test('only the Ingress controller may send requests, from one trusted range of pods', () => {
  const { podSelector, policyTypes, ingress } = ofKind('NetworkPolicy').spec
  const [container] = ofKind('Deployment').spec.template.spec.containers
  expect([podSelector, policyTypes]).toEqual([{ matchLabels: { app: 'florin' } }, ['Ingress']])
  const from = (name: string) => [
    { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': name } } },
  ]
  expect(container.ports.map(({ name }: Document) => name)).toEqual(['http', 'metrics'])
  expect(ingress).toEqual([
    { from: from('ingress-nginx'), ports: [{ port: 'http' }] },
    { from: from('monitoring'), ports: [{ port: 'metrics' }] },
  ])
  // A wider range would contain every private network of a cluster.
  const [, bits] = ofKind('ConfigMap').data.FLORIN_TRUSTED_PROXIES.split('/')
  expect(Number(bits)).toBeGreaterThanOrEqual(16)
})

test('secrets come from a secret or a file, never from an argument or the manifest', () => {
  const [container] = ofKind('Deployment').spec.template.spec.containers
  expect(container.envFrom).toEqual([{ configMapRef: { name: 'florin' } }, { secretRef: { name: 'florin' } }])
  expect(container.env).toBeUndefined()
  for (const part of [manifest, compose]) {
    expect(JSON.stringify(part)).not.toMatch(/postgres:|DATABASE_URL|PASSWORD|SECRET|TOKEN/)
  }
  expect(compose.services['florin-1'].env_file).toBe('florin.env')
})

test('both servers of the compose file are the same, and Caddy waits for both', () => {
  const { 'florin-1': one, 'florin-2': two, caddy } = compose.services
  expect(one).toEqual(two)
  expect(one.image).toMatch(/^florin:/)
  expect([one.read_only, one.cap_drop, one.security_opt]).toEqual([true, ['ALL'], ['no-new-privileges:true']])
  expect(one.environment.FLORIN_TRUSTED_PROXIES).toBe(compose.networks.florin.ipam.config[0].subnet)
  const to = caddy.command.filter((word: string) => /^florin-\d:3000$/.test(word))
  expect(to).toEqual(['florin-1:3000', 'florin-2:3000'])
  expect(Object.keys(caddy.depends_on)).toEqual(['florin-1', 'florin-2'])
})

test('the health check in the compose file succeeds while Florin is ready, and fails without it', async () => {
  const server = await startProcess(SOURCE, ['serve'], { FLORIN_SANDBOX: 'true' })
  const [kind, ...command]: string[] = compose.services['florin-1'].healthcheck.test
  const here = command.map(word => word.replaceAll('/3000 ', `/${new URL(server.url).port} `))
  const statusOf = () => Bun.spawnSync(here, { stdout: 'ignore', stderr: 'ignore' }).exitCode
  expect([kind, statusOf()]).toEqual(['CMD', 0])
  await server.stop()
  expect(statusOf()).not.toBe(0)
})
