import { describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { environment } from '../src/cli/doctor/files.ts'
import {
  blocksOf,
  commandsTable,
  errorsTable,
  keptTable,
  openApi,
  pageOf,
  paste,
  ROOT,
  rolesTable,
  routesTable,
  settingsTable,
} from './support/docs.ts'
import { brokenLinks } from './support/markdown.ts'
import { newFolder } from './support/process.ts'
import { brokenTestLinks, requirements, securityRows, stateCounts } from './support/security-page.ts'
import { supportCases } from './support/support-cases.ts'
import { words } from './support/words.ts'

/** The pasted commands start several processes one after the other, on a machine that may be busy. */
const PASTE_TIMEOUT_MS = 120_000

const readme = pageOf('README.md')
const filesOf = (pattern: string): string[] =>
  [...new Bun.Glob(pattern).scanSync({ cwd: ROOT, dot: true })]
    .filter(file => !/(^|\/)(node_modules|dist|data|\.git)\//.test(file))
    .sort()

describe('the tables', () => {
  test('configuration.md lists every setting as `florin config` prints it', async () => {
    const table = await settingsTable()
    expect(table).toContain('| `FLORIN_PORT` | `3000` |')
    expect(keptTable('.github/docs/configuration.md', 'settings', table)).toBe(table)
  })

  test('configuration.md lists every command with its description', async () => {
    const table = await commandsTable()
    expect(table).toContain(
      '| `florin key create --merchant <id> --mode <mode> [--scopes <scopes>] [--label <label>] [--expires <days>]` |',
    )
    expect(keptTable('.github/docs/configuration.md', 'commands', table)).toBe(table)
  })

  test('api.md lists exactly the routes and the error codes of the OpenAPI document', async () => {
    const document = await openApi()
    const routes = routesTable(document)
    expect(routes).toContain('| `POST /v1/orders` | `orders:create`, live |')
    expect(keptTable('.github/docs/api.md', 'routes', routes)).toBe(routes)
    const errors = errorsTable(document)
    expect(errors).toContain('| 429 | `rate_limited` |')
    expect(keptTable('.github/docs/api.md', 'errors', errors)).toBe(errors)
  })

  test('dashboard.md lists what each role may do, as in the router', async () => {
    const table = await rolesTable()
    expect(table).toContain('| Block and erase customers | no | no | yes | yes |')
    expect(keptTable('.github/docs/dashboard.md', 'roles', table)).toBe(table)
  })
})

test('the page about a buyer who claims to have paid shows the output of the commands', async () => {
  const page = '.github/docs/the-buyer-says-they-paid.md'
  for (const [name, printed] of Object.entries(await supportCases())) {
    expect([name, keptTable(page, name, printed)]).toEqual([name, printed])
  }
})

test('the operations guide lists every cookie', () => {
  const code = [...new Bun.Glob('src/http/**/*.ts').scanSync(ROOT)].map(pageOf).join('')
  // Prefixes of API keys look like names of metrics.
  const names = new Set([...code.matchAll(/\bflorin_(?!live|test)[a-z]+\b/g)].map(([name]) => name))
  const [table] = pageOf('.github/docs/operations.md').split('**Cookies**').slice(1)
  const listed = [...table!.matchAll(/^\| `(florin_\w+)` /gm)].map(([, name]) => name!)
  expect(listed.sort()).toEqual([...names].sort())
})

describe('the README', () => {
  test('is 6,000 to 8,192 bytes long', () => {
    const bytes = Buffer.byteLength(readme)
    expect(bytes).toBeGreaterThanOrEqual(6000)
    expect(bytes).toBeLessThanOrEqual(8192)
  })

  test.skipIf(Bun.which('curl') === null || Bun.which('node') === null)(
    'has commands that take a payment when they are pasted into an empty shell',
    async () => {
      const lines = blocksOf(readme, 'sh').join('\n').split('\n')
      // The test uses its own executable, so it leaves out the lines that build one with npm.
      const { exitCode, stdout, stderr } = await paste(lines.filter(line => !/^npm /.test(line)).join('\n'))
      expect({ exitCode, last: stdout.trim().split('\n').at(-1), stderr }).toMatchObject({
        exitCode: 0,
        last: 'PAID',
      })
    },
    PASTE_TIMEOUT_MS,
  )

  const secret = 'a test secret'
  const body = '{"type":"order.paid","name":"Zoë"}'
  const seconds = String(Math.floor(Date.now() / 1000))
  const sign = (timestamp: string) =>
    createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('base64url')

  const signed = (timestamp: string | null, signature: string | null, more = {}): Record<string, string> => ({
    ...(timestamp !== null && { 'x-service-timestamp': timestamp }),
    ...(signature !== null && { 'x-service-signature': signature }),
    ...more,
  })
  const previously = (signature: string) =>
    signed(seconds, sign('by the new secret'), { 'x-service-signature-previous': signature })

  const deliveries: [name: string, headers: Record<string, string>, isAccepted: boolean][] = [
    ['rejects a wrong signature', signed(seconds, sign('1')), false],
    ['rejects an empty signature', signed(seconds, ''), false],
    ['rejects a missing signature', signed(seconds, null), false],
    ['rejects a missing timestamp', signed(null, sign('null')), false],
    ['rejects a timestamp that is no number', signed('now', sign('now')), false],
    ['rejects a signature that is not ASCII', signed(seconds, 'ä'), false],
    ['rejects an old timestamp', signed('1000000000', sign('1000000000')), false],
    ['rejects a wrong signature with the previous secret', previously(sign('1')), false],
    ['accepts a valid signature', signed(seconds, sign(seconds)), true],
    ['accepts a valid signature with the previous secret', previously(sign(seconds)), true],
  ]

  test.each(deliveries)('has code for webhooks that %s', async (_, headers, isAccepted) => {
    const folder = newFolder()
    writeFileSync(join(folder, 'verify.mjs'), blocksOf(readme, 'js').join('\n'))
    const { isFromFlorin } = await import(join(folder, 'verify.mjs'))
    expect(isFromFlorin(headers, body, secret)).toBe(isAccepted)
    expect(isFromFlorin(new Headers(headers), body, secret)).toBe(isAccepted)
  })

  const guide = pageOf('.github/docs/api.md')
  /** Programs that print true or false for the delivery on their standard input. */
  const samples = [
    [
      'python3',
      ['-c'],
      `${blocksOf(guide, 'python').join('\n')}
import json, sys
given = json.load(sys.stdin)
headers = {"-".join(part.capitalize() for part in name.split("-")): value for name, value in given["headers"].items()}
print(str(is_from_florin(headers, given["body"].encode(), given["secret"])).lower())`,
    ],
    [
      'php',
      ['-r'],
      `${blocksOf(guide, 'php').join('\n')}
$given = json_decode(stream_get_contents(STDIN), true);
foreach ($given['headers'] as $name => $value) $_SERVER['HTTP_' . strtoupper(strtr($name, '-', '_'))] = $value;
echo json_encode(is_from_florin($given['body'], $given['secret']));`,
    ],
  ] as const

  const cases = samples.flatMap(([program, args, code]) =>
    deliveries.map(([name, ...rest]) => [program, name, [...args, code], ...rest] as const),
  )
  test.each(cases.filter(([program]) => Bun.which(program) !== null))(
    'has a sample for %s that %s',
    async (program, _, args, headers, isAccepted) => {
      const given = JSON.stringify({ headers, body, secret })
      const { stdout, stderr } = Bun.spawn([program, ...args], { stdin: Buffer.from(given), stderr: 'pipe' })
      expect([await new Response(stderr).text(), (await new Response(stdout).text()).trim()]).toEqual([
        '',
        String(isAccepted),
      ])
    },
  )
})

describe('the map of the source', () => {
  const map = pageOf('src/README.md')

  test('lists every room', () => {
    const rooms = readdirSync(join(ROOT, 'src'), { withFileTypes: true })
      .filter(entry => entry.isDirectory())
      .map(entry => entry.name)
    expect(rooms.filter(room => !map.includes(`| \`${room}/\` |`))).toEqual([])
  })

  test('names files and folders that exist', () => {
    const named = [...map.matchAll(/`((?:\.\.\/)?[a-z-]+\/[\w./-]*)`/g)].map(match => match[1] ?? '')
    const places = named.map(name => (/^(test|clients|\.github)\//.test(name) ? name : join('src', name)))
    expect(named.length).toBeGreaterThan(40)
    expect(places.filter(place => !existsSync(join(ROOT, place)))).toEqual([])
  })
})

test('doctor warns of each variable of the runtime that the operations guide names, and of no other', () => {
  const named = pageOf('.github/docs/operations.md').matchAll(/^\| `((?:BUN|NODE)_\w+)` \| ([^|]+)/gm)
  const guide = [...named].flatMap(([, name = '', effect = '']) => [
    name,
    ...[...effect.matchAll(/`(BUN_\w+)`/g)].map(([, other = '']) => other),
  ])
  // Lists the warnings as if every variable were set.
  const found = environment({ environment: new Proxy({}, { get: () => '0' }) })
  const warned = JSON.stringify(found).matchAll(/((?:BUN|NODE)_\w+) is set/g)
  expect([...warned].map(([, name]) => name).sort()).toEqual(guide.sort())
})

describe('the table of ASVS requirements', () => {
  test('has each requirement of levels 1 and 2 once, with its state and a reason, and counts them', () => {
    const rows = securityRows()
    expect(rows.flatMap(row => row.requirements).sort()).toEqual([...requirements].sort())
    expect(rows.filter(({ state }) => !/^(?:met|partly met|not met|n\/a)$/.test(state))).toEqual([])
    expect(rows.filter(({ how }) => how.length < 8)).toEqual([])
    expect(pageOf('.github/docs/security.md')).toContain(stateCounts())
  })

  test('names tests that exist', () => {
    expect(brokenTestLinks()).toEqual([])
    const renamed = '[a title that was changed](../../test/docs.test.ts)'
    expect(brokenTestLinks(renamed)).toEqual(['test/docs.test.ts: a title that was changed'])
  })
})

test('every relative link in a Markdown page resolves, anchors too', () => {
  const pages = filesOf('**/*.md')
  expect(pages).toContain('.github/docs/crypto.md')
  expect(pages.flatMap(page => brokenLinks(ROOT, page))).toEqual([])
})

test('every script that a page or a comment names exists', async () => {
  const { scripts } = await Bun.file(join(ROOT, 'package.json')).json()
  const files = ['*.md', '.github/**/*.md', 'src/**/*.{md,ts}', 'test/**/*.{md,ts}'].flatMap(filesOf)
  expect(files).toContain('.github/CONTRIBUTING.md')
  const named = files.flatMap(file =>
    [...pageOf(file).matchAll(/npm run ([a-z][a-z:-]*)/g)].map(([, script = '']) => `${script} in ${file}`),
  )
  expect(named.filter(name => !(name.split(' ')[0]! in scripts))).toEqual([])
})

interface Workflow {
  on: unknown
  permissions?: Record<string, string> | string
  jobs: Record<string, Job>
}

interface Job {
  uses?: string
  'timeout-minutes'?: number
  steps?: { run?: string; uses?: string }[]
}

const yamlOf = <T>(file: string): T => Bun.YAML.parse(pageOf(file)) as T
const workflows = filesOf('.github/workflows/*.yml')

describe('the files that GitHub reads', () => {
  test('are valid YAML', () => {
    const files = filesOf('.github/**/*.yml')
    expect(files.length).toBeGreaterThanOrEqual(6)
    for (const file of files) expect(yamlOf<object>(file)).toBeObject()
  })

  test('name npm scripts, files and workflows that exist', () => {
    const { scripts } = JSON.parse(pageOf('package.json'))
    const missing = workflows.flatMap(file => {
      const jobs = Object.values(yamlOf<Workflow>(file).jobs)
      const commands = jobs.flatMap(({ steps = [] }) => steps.flatMap(({ run }) => run ?? [])).join('\n')
      const named = [...commands.matchAll(/\bnpm (?:run )?(start|test|[\w:-]+)/g)]
        .map(([text, name = '']) => (/^npm (run|start|test)/.test(text) ? name : ''))
        .filter(name => name !== '' && !(name in scripts))
      const paths = [...commands.matchAll(/(?:^|\s)(\.ci\/[\w.-]+)/gm)].map(([, path = '']) => path)
      const called = jobs.flatMap(({ uses }) => (uses?.startsWith('./') ? uses.slice(2) : []))
      return [...named, ...[...paths, ...called].filter(path => !existsSync(join(ROOT, path)))]
    })
    expect(missing).toEqual([])
    const names = words('audit checks release')
    expect(workflows).toEqual(names.map(name => `.github/workflows/${name}.yml`))
  })

  test('give each workflow only what it needs: stated permissions, a time limit, pinned actions', () => {
    const loose = workflows.flatMap(file => {
      const { permissions, jobs } = yamlOf<Workflow>(file)
      const faults = Object.entries(jobs).flatMap(([name, job]) => [
        ...(job.uses || job['timeout-minutes'] ? [] : [`${file}: ${name} has no time limit`]),
        ...(job.steps ?? []).flatMap(({ uses }) =>
          uses && !/@[0-9a-f]{40}$/.test(uses) ? [`${file}: ${uses} is not pinned`] : [],
        ),
      ])
      const isStated = typeof permissions === 'object' && !Object.values(permissions).includes('write')
      return isStated ? faults : [...faults, `${file} grants write access to every job`]
    })
    expect(loose).toEqual([])
  })
})

describe('the release notes', () => {
  function notesFor(tag: string, changelog: string) {
    const folder = newFolder()
    writeFileSync(join(folder, 'package.json'), '{"version": "1.2.3"}')
    writeFileSync(join(folder, 'CHANGELOG.md'), changelog)
    const script = join(ROOT, '.ci/release-notes.mjs')
    const { exitCode, stdout, stderr } = Bun.spawnSync([process.execPath, script, tag], { cwd: folder })
    return { exitCode, stdout: stdout.toString(), stderr: stderr.toString() }
  }
  const changelog =
    '# Changelog\n\n## [Unreleased]\n\n## [1.2.3] - 2026-01-01\n\n### Added\n\n- One.\n\n## [1.2.2]\n\n- Two.\n'

  test("are the tag's section of the changelog", () => {
    expect(notesFor('v1.2.3', changelog)).toEqual({
      exitCode: 0,
      stdout: '### Added\n\n- One.\n',
      stderr: '',
    })
  })

  test.each([
    ['the tag is not the version in package.json', 'v1.2.4', changelog, 'does not match the version 1.2.3'],
    ['the changelog has no such section', 'v1.2.3', '## [Unreleased]\n\n- One.\n', 'has no section'],
    ['the section is empty', 'v1.2.3', '## [1.2.3]\n\n## [1.2.2]\n', 'is empty'],
  ])('are refused when %s', (_, tag, text, message) => {
    const { exitCode, stderr } = notesFor(tag, text)
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringContaining(message) })
  })
})
