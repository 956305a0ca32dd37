import { describe, expect, test } from 'bun:test'
import { dirname, join, normalize } from 'node:path'

const root = join(import.meta.dir, '..')
const filesOf = (pattern: string): string[] =>
  [...new Bun.Glob(pattern).scanSync({ cwd: root, dot: true })].sort()

const sources = [...filesOf('src/**/*.ts'), ...filesOf('views/**/*.ts'), ...filesOf('migrations/*.ts')]
const tests = filesOf('test/**/*.ts')
const all = [...sources, ...tests, ...filesOf('.ci/*.ts')]
const texts = new Map(
  await Promise.all(all.map(async file => [file, await Bun.file(join(root, file)).text()] as const)),
)
const textOf = (file: string): string => texts.get(file) ?? ''

/** What a file imports: files of ours by their path, packages by their name. */
function importsOf(file: string): string[] {
  const found = [...textOf(file).matchAll(/(?:\bfrom|^import|\bimport\()\s*'([^'\n]+)'/gm)].map(
    match => match[1] ?? '',
  )
  return found.map(name => (name.startsWith('.') ? normalize(join(dirname(file), name)) : name))
}

/** Who may import what. A room may always import itself. */
const arrows: Record<string, { may: RegExp; packages: RegExp }> = {
  'src/domain/': { may: /^$/, packages: /^$/ },
  'src/coins/': { may: /^src\/domain\//, packages: /^$/ },
  'src/operations/': {
    may: /^src\/(domain\/|(storage|networks|providers|outbound|rates|images)\/port\.ts$)/,
    packages: /^node:crypto$/,
  },
  'src/storage/': {
    may: /^(src\/domain\/|migrations\/)/,
    packages: /^(drizzle-orm|bun:sqlite|node:(fs|path)$)/,
  },
  'src/networks/': { may: /^src\/(domain|coins)\//, packages: /^@(noble|scure)\// },
  'src/providers/': { may: /^src\/(domain|coins)\//, packages: /^node:crypto$/ },
  'src/rates/': { may: /^src\/(domain|coins)\//, packages: /^node:/ },
  'src/outbound/': { may: /^src\/domain\//, packages: /^(ipaddr\.js|node:)/ },
  'src/images/': { may: /^src\/domain\//, packages: /^node:(zlib|util)$/ },
  'src/sandbox/': {
    may: /^(src\/(domain|coins)\/|views\/|src\/networks\/(port\.ts$|addresses\/))/,
    packages: /^(elysia|bun:sqlite|@noble\/|@scure\/|node:)/,
  },
  'src/present/': { may: /^(src\/(operations|domain)\/|views\/)/, packages: /^qrcode$/ },
  'src/http/': {
    may: /^(src\/(operations|domain|present)\/|views\/)/,
    packages: /^(elysia|@sinclair\/typebox|ipaddr\.js|htmx\.org|swagger-ui-dist|node:|@elysiajs\/swagger)/,
  },
  'src/jobs/': { may: /^src\/(operations|domain)\//, packages: /^$/ },
  'src/settings/': { may: /^src\/(domain|coins|outbound|rates)\//, packages: /^ipaddr\.js$/ },
  'src/boot/': { may: /^(src|views)\//, packages: /^(node:|bun:sqlite|pino$)/ },
  'src/cli/': {
    may: /^src\/(boot\/|version\.ts$|settings\/|operations\/|domain\/|coins\/|present\/|storage\/(sqlite\/|port\.ts$))/,
    packages: /^(commander|node:)/,
  },
  'views/': { may: /^views\//, packages: /^$/ },
}

const roomOf = (file: string): string | undefined => Object.keys(arrows).find(room => file.startsWith(room))

describe('the arrows of the house', () => {
  for (const file of sources) {
    const room = roomOf(file)
    if (!room) continue
    test(`${file} imports what its room may`, () => {
      const { may, packages } = arrows[room]!
      const wrong = importsOf(file).filter(name => {
        if (name.startsWith(room)) return false
        return /^(src|views|migrations)\//.test(name) ? !may.test(name) : !packages.test(name)
      })
      expect(wrong).toEqual([])
    })
  }

  test('would be seen: a forbidden import is found', () => {
    expect(arrows['src/domain/']?.may.test('src/storage/port.ts')).toBe(false)
    expect(arrows['src/http/']?.packages.test('drizzle-orm')).toBe(false)
    expect(importsOf('src/boot/compose.ts')).toContain('src/http/routes.ts')
  })
})

describe('the budgets', () => {
  const lines = (file: string): string[] => textOf(file).trimEnd().split('\n')

  test.each(sources)('%s has at most 300 lines', file => {
    expect(lines(file).length).toBeLessThanOrEqual(300)
  })

  test.each(tests)('%s has at most 500 lines', file => {
    expect(lines(file).length).toBeLessThanOrEqual(500)
  })

  test('no line is longer than 110 columns', () => {
    // A literal that cannot be broken, such as bytecode or a picture, stands on a line of its own.
    const isLiteral = (line: string) => /^\s*(?:\S+:?\s)?['"`]\S+['"`],?$/.test(line)
    const long = sources.flatMap(file =>
      lines(file).flatMap((line, at) => (line.length > 110 && !isLiteral(line) ? [`${file}:${at + 1}`] : [])),
    )
    expect(long).toEqual([])
  })

  test('half of the source files have at most 60 lines', () => {
    const sizes = sources.map(file => lines(file).length).sort((a, b) => a - b)
    expect(sizes[Math.floor(sizes.length / 2)]).toBeLessThanOrEqual(70)
  })
})

test('every source file is reached from the executable', () => {
  const reached = new Set<string>()
  const visit = (file: string): void => {
    if (reached.has(file) || !texts.has(file)) return
    reached.add(file)
    importsOf(file).forEach(visit)
  }
  visit('src/main.ts')
  expect(sources.filter(file => !reached.has(file) && !file.endsWith('.d.ts'))).toEqual([])
})

test('what is exported is used elsewhere', () => {
  const unused = sources.flatMap(file =>
    [...textOf(file).matchAll(/^export (?:async )?(?:const|function|class) (\w+)/gm)]
      .map(match => match[1] ?? '')
      .filter(name => {
        const word = new RegExp(`\\b${name}\\b`)
        return !all.some(other => other !== file && word.test(textOf(other)))
      })
      .map(name => `${file}: ${name}`),
  )
  expect(unused).toEqual([])
})

test('no unfinished marks and no skipped tests', () => {
  const marks = /\b(TODO|FIXME|HACK)\b|(\/\/|\*) XXX\b|\b(test|it|describe)\.(only|skip|todo)\(/
  const found = all.filter(file => file !== 'test/tidy.test.ts' && marks.test(textOf(file)))
  expect(found).toEqual([])
})

test('the words of the house are used', () => {
  const words = /\b(manager|helper|util|utils|handler|processor|invoice|payment intent)s?\b/i
  const named = sources.filter(file => words.test(file.replace(/[-/.]/g, ' ')))
  expect(named).toEqual([])
})
