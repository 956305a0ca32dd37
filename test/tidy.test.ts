import { describe, expect, test } from 'bun:test'
// Reads the imports and exports of a file with regular expressions, which suffice for the style of these
// files.
import { dirname, join, normalize } from 'node:path'

const FROM = /^(?:import|export)\s+(?:type\s+)?(\*(?:\s+as\s+\w+)?)?(?:\{([^}]*)\})?\s*from\s+'([^'\n]+)'/gm
const DYNAMIC = /(?:\{([^{}]*)\}\s*=\s*await\s+)?\bimport\('([^'\n]+)'\)(?:\)?\.(\w+))?/g
const EXPORT =
  /^export\s+(?:(?:abstract\s+)?(?:async\s+)?(?:function\*?|const|let|class|interface|type|enum)\s+(\w+)|(?:const|type)?\s*(\{[^}]*\})(\s*from)?|default\b)/gm
const ALL = '*'

const resolved = (file: string, name: string): string =>
  name.startsWith('.') ? normalize(join(dirname(file), name)) : name

/** The imports of a file: our own files by their paths, packages by their names. */
const importedFrom = (file: string, text: string): string[] =>
  [...text.matchAll(/(?:\bfrom|^import|\b(?:import|require)\()\s*'([^'\n]+)'/gm)].map(([, name = '']) =>
    resolved(file, name),
  )

/** The names in `{a, type b as c}` or `{ a: b }`, as the other file spells them or as this file does. */
function namesIn(braces: string, side: 'theirs' | 'ours'): string[] {
  return braces
    .replace(/[{}]/g, '')
    .split(',')
    .map(part => part.trim().replace(/^type\s+/, ''))
    .filter(part => part !== '')
    .map(part => part.split(/\s+as\s+|\s*:\s*/).at(side === 'theirs' ? 0 : -1)!)
}

/** The names that `file` imports, as "path: name"; "path: *" if it re-exports everything. */
function importedBy(file: string, text: string): string[] {
  const found: string[] = []
  for (const [, star, braces = '', from = ''] of text.matchAll(FROM)) {
    const path = resolved(file, from)
    for (const name of namesIn(braces, 'theirs')) found.push(`${path}: ${name}`)
    if (star === ALL) found.push(`${path}: ${ALL}`)
    const alias = star?.split(/\s+as\s+/)[1]
    if (!alias) continue
    for (const [, name] of text.matchAll(new RegExp(`(?<!/)\\b${alias}\\.(\\w+)`, 'g'))) {
      found.push(`${path}: ${name}`)
    }
  }
  for (const [, braces = '', from = '', member] of text.matchAll(DYNAMIC)) {
    const names = member ? [member] : namesIn(braces, 'theirs')
    for (const name of names) found.push(`${resolved(file, from)}: ${name}`)
  }
  for (const [, from = '', name] of text.matchAll(/\brequire\('([^'\n]+)'\)\.(\w+)/g)) {
    found.push(`${resolved(file, from)}: ${name}`)
  }
  return found
}

/** The names that a file exports. */
function exportedBy(text: string): string[] {
  return [...text.matchAll(EXPORT)].flatMap(([, name, braces]) => {
    if (name) return [name]
    return braces ? namesIn(braces, 'ours') : ['default']
  })
}

/** All imports by name, as "path: name", given the path and text of each file. */
function importedNames(files: Iterable<readonly [string, string]>): Set<string> {
  const imports = [...files].map(([file, text]) => ({ file, names: importedBy(file, text) }))
  const all = new Set(imports.flatMap(({ names }) => names))
  for (const { file, names } of imports) {
    for (const passed of names.filter(name => name.endsWith(`: ${ALL}`))) {
      const path = passed.slice(0, -`: ${ALL}`.length)
      for (const name of all) {
        if (name.startsWith(`${file}: `)) all.add(`${path}: ${name.slice(file.length + 2)}`)
      }
    }
  }
  return all
}

/**
 * Groups of nodes that lead to each other: the strongly connected components of more than one node, or of one
 * that leads to itself. Uses Tarjan's algorithm.
 */
function cyclesOf(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const found: string[][] = []
  const stack: string[] = []
  const order = new Map<string, number>()

  const visit = (node: string): number => {
    const own = order.size
    order.set(node, own)
    stack.push(node)
    let low = own
    for (const next of edges.get(node) ?? []) {
      if (!order.has(next)) low = Math.min(low, visit(next))
      else if (stack.includes(next)) low = Math.min(low, order.get(next) ?? low)
    }
    if (low === own) found.push(stack.splice(stack.indexOf(node)).sort())
    return low
  }
  for (const node of edges.keys()) if (!order.has(node)) visit(node)
  return found.filter(([node = '', ...others]) => others.length > 0 || edges.get(node)?.includes(node))
}

const root = join(import.meta.dir, '..')
const filesOf = (pattern: string): string[] =>
  [...new Bun.Glob(pattern).scanSync({ cwd: root, dot: true })].sort()

const sources = [...filesOf('src/**/*.ts'), ...filesOf('views/**/*.ts'), ...filesOf('migrations/**/*.ts')]
const tests = filesOf('test/**/*.ts')
const all = [...sources, ...tests, ...filesOf('.ci/*.ts')]
const texts = new Map(
  await Promise.all(all.map(async file => [file, await Bun.file(join(root, file)).text()] as const)),
)
const map = await Bun.file(join(root, 'src/README.md')).text()
const textOf = (file: string): string => texts.get(file) ?? ''

const importsOf = (file: string): string[] => importedFrom(file, textOf(file))

/** The imports that each room is allowed. A room may always import itself. */
const arrows: Record<string, { may: RegExp; packages: RegExp }> = {
  'src/domain/': { may: /^$/, packages: /^$/ },
  'src/coins/': { may: /^src\/domain\//, packages: /^$/ },
  'src/operations/': {
    may: /^src\/(domain\/|(storage|networks|providers|outbound|rates|images|invoices|passkeys)\/port\.ts$)/,
    packages: /^(node:crypto|jsvat-next)$/,
  },
  'src/storage/': {
    may: /^(src\/domain\/|migrations\/)/,
    packages: /^(drizzle-orm|bun:sqlite|postgres$|node:(fs|path|async_hooks|crypto|net|tls)$)/,
  },
  'src/replica/': {
    may: /^src\/(domain\/|storage\/(engine|change-source)\.ts$)/,
    packages: /^(@noble\/ciphers\/|node:(crypto|fs|path)$)/,
  },
  'src/networks/': {
    may: /^src\/(domain|coins)\//,
    packages: /^@(noble\/|scure\/|sinclair\/typebox)/,
  },
  'src/providers/': { may: /^src\/(domain|coins)\//, packages: /^node:crypto$/ },
  'src/rates/': { may: /^src\/(domain|coins)\//, packages: /^node:/ },
  'src/outbound/': { may: /^src\/domain\//, packages: /^(ipaddr\.js|nodemailer$|node:)/ },
  'src/certificates/': { may: /^src\/domain\/log\.ts$/, packages: /^node:(crypto|fs|path)$/ },
  'src/updates/': { may: /^$/, packages: /^(bun:sqlite|node:(crypto|fs|path))$/ },
  'src/passkeys/': { may: /^$/, packages: /^(@simplewebauthn\/server|reflect-metadata$)/ },
  'src/invoices/': {
    may: /^src\/domain\//,
    packages: /^(bidi-js$|dejavu-fonts-ttf\/|node_modules\/pdfkit\/js\/pdfkit\.browser\.mjs$)/,
  },
  'src/images/': { may: /^src\/domain\//, packages: /^node:(zlib|util)$/ },
  'src/sandbox/': {
    may: /^(src\/(domain|coins)\/|views\/|src\/networks\/((port|payment-uri)\.ts$|addresses\/))/,
    packages: /^(elysia|bun:sqlite|@noble\/|@scure\/|node:)/,
  },
  'src/present/': {
    may: /^(src\/(operations|domain)\/|views\/)/,
    packages: /^(qrcode\/lib\/core\/qrcode|fflate)$/,
  },
  'src/http/': {
    may: /^(src\/(operations|domain|present)\/|views\/)/,
    packages: /^(elysia|@sinclair\/typebox|ipaddr\.js|htmx\.org|swagger-ui-dist|node:|@elysiajs\/swagger)/,
  },
  'src/jobs/': { may: /^src\/(operations|domain)\//, packages: /^$/ },
  'src/settings/': { may: /^src\/(domain|coins)\//, packages: /^ipaddr\.js$/ },
  'src/boot/': { may: /^(src\/(?!storage\/\w+\/)|views\/)/, packages: /^(node:|bun:(sqlite|ffi)$)/ },
  'src/cli/': {
    may: /^(clients\/|src\/(boot\/|version\.ts$|(settings|operations|domain|coins|present|updates)\/|storage\/(index|port)\.ts$))/,
    packages: /^(commander|node:|\.github\/systemd\/)/,
  },
  'views/': { may: /^views\//, packages: /^$/ },
}

const roomOf = (file: string): string | undefined => Object.keys(arrows).find(room => file.startsWith(room))

const shared = 'rpc/|keys/|addresses/|(port|assets|make-network|address-origin)[.]ts$'

/** The files in the room of networks that each family of networks may import. */
const familyArrows: Record<string, string> = {
  bitcoin: `bitcoin/|${shared}`,
  'evm-like': `evm-like/|${shared}`,
  evm: `evm/|evm-like/|${shared}`,
  tron: `tron/|evm-like/|${shared}`,
  solana: `solana/|${shared}`,
  monero: `monero/|${shared}`,
}

const familyOf = (file: string): string | undefined =>
  Object.keys(familyArrows).find(family => file.startsWith(`src/networks/${family}/`))

/** The nouns of operations in the order of their table, each with the nouns that it may import. */
const nouns = new Map(
  [...map.matchAll(/^\| `(\w+)` \| [^|]* \| ([^|]*) \|$/gm)].map(
    ([, noun = '', may = '']) => [noun, [...may.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)] as const,
  ),
)

const nounOf = (file: string): string | undefined => file.match(/^src\/operations\/(\w+)\//)?.[1]

describe('the allowed imports of the source', () => {
  test('one file imports the driver of PostgreSQL', () => {
    const users = sources.filter(file => importsOf(file).includes('postgres'))
    expect(users).toEqual(['src/storage/postgres/connection.ts'])
  })

  test('every file imports only what its room is allowed to', () => {
    const forbidden = sources.flatMap(file => {
      const room = roomOf(file)
      if (!room) return []
      const { may, packages } = arrows[room]!
      return importsOf(file)
        .filter(name => {
          if (name.startsWith(room)) return false
          return /^(src|views|migrations|clients)\//.test(name) ? !may.test(name) : !packages.test(name)
        })
        .map(name => `${file} imports ${name}`)
    })
    expect(forbidden).toEqual([])
  })

  test('a family of networks imports no other family', () => {
    const forbidden = sources.flatMap(file => {
      const family = familyOf(file)
      const may = family && new RegExp(`^(src/(domain|coins)/|src/networks/(${familyArrows[family]}))`)
      if (!may) return []
      return importsOf(file)
        .filter(name => name.startsWith('src/') && !may.test(name))
        .map(name => `${file} imports ${name}`)
    })
    expect(forbidden).toEqual([])
  })

  test('a noun of operations imports only nouns that its row in the map of the source names', () => {
    expect([...nouns.keys()].sort()).toEqual([...new Set(sources.flatMap(file => nounOf(file) ?? []))].sort())
    const forbidden = sources.flatMap(file => {
      if (!file.startsWith('src/operations/')) return []
      const own = nounOf(file)
      const may = own === undefined ? [] : [own, ...(nouns.get(own) ?? [])]
      return importsOf(file).flatMap(name => {
        const noun = nounOf(name)
        return noun === undefined || may.includes(noun) ? [] : [`${file} imports ${name}`]
      })
    })
    expect(forbidden).toEqual([])
  })

  test('the row of a noun names only nouns above it, each of which it imports', () => {
    const rows = [...nouns.keys()]
    const faults = [...nouns].flatMap(([noun, mayImport]) => {
      const imported = sources
        .filter(file => nounOf(file) === noun)
        .flatMap(importsOf)
        .map(nounOf)
      const isRight = (other: string) => rows.indexOf(other) < rows.indexOf(noun) && imported.includes(other)
      return mayImport.filter(other => !isRight(other)).map(other => `${noun}: ${other}`)
    })
    expect(faults).toEqual([])
  })

  test('the row of a room names every room that it imports, and no other', () => {
    const roomIn = (name: string) => name.match(/^(?:src\/(?=\w+\/)|(?=views|migrations))(\w+)\//)?.[1]
    const isPort = (name: string) => /^src\/\w+\/port\.ts$/.test(name)
    const rows = [...map.matchAll(/^\| `(?:\.\.\/)?(\w+)\/` \| .* \| ([^|]*) \|$/gm)]
    expect(rows.map(([, room]) => room)).toContain('migrations')
    const faults = rows.flatMap(([, room = '', may = '']) => {
      if (may.startsWith('everything')) return []
      const imported = sources
        .filter(file => roomIn(file) === room)
        .flatMap(importsOf)
        .filter(name => !(may.includes('the ports') && isPort(name)))
        .flatMap(name => roomIn(name) ?? [])
      const others = new Set(imported.filter(other => other !== room))
      const named = new Set([...may.matchAll(/`(\w+)`/g)].map(([, name = '']) => name))
      return [...others.symmetricDifference(named)].map(other => `${room}: ${other}`)
    })
    expect(faults).toEqual([])
  })

  test('the check finds a forbidden import', () => {
    expect(arrows['src/domain/']?.may.test('src/storage/port.ts')).toBe(false)
    expect(arrows['src/http/']?.packages.test('drizzle-orm')).toBe(false)
    expect(importsOf('src/boot/compose.ts')).toContain('src/http/routes.ts')
    expect(nouns.get('orders')).toContain('settlement')
    expect(nouns.get('settlement')).not.toContain('orders')
    expect(familyOf('src/networks/evm-like/tip.ts')).toBe('evm-like')
    expect(importsOf('src/networks/tron/payments.ts')).toContain('src/networks/evm-like/tip.ts')
  })
})

describe('the size budgets', () => {
  const lines = (file: string): string[] => textOf(file).trimEnd().split('\n')
  // Without the files that `npm run texts` makes, which have a line for each text.
  const written = sources.filter(file => !file.includes('/texts/made/'))

  const longerThan = (most: number, files: string[]): string[] =>
    files.flatMap(file => {
      const { length } = lines(file)
      return length > most ? [`${file}: ${length} lines`] : []
    })

  test('no source file has more than 300 lines, and no test file more than 500', () => {
    expect(longerThan(300, written)).toEqual([])
    expect(longerThan(500, tests)).toEqual([])
  })

  test('no line is longer than 110 columns', () => {
    // A literal that cannot be broken, such as bytecode or a picture, is on a line of its own.
    const isLiteral = (line: string) => /^\s*(?:\S+:?\s)?['"`]\S+['"`],?$/.test(line)
    const long = written.flatMap(file =>
      lines(file).flatMap((line, at) =>
        Bun.stringWidth(line) > 110 && !isLiteral(line) ? [`${file}:${at + 1}`] : [],
      ),
    )
    expect(long).toEqual([])
  })

  test('the source has fewer than 50 non-null assertions', () => {
    const assertion = /[\w\])]!(?![=\w])/g
    const found = sources.flatMap(file =>
      file.startsWith('src/') ? (textOf(file).match(assertion) ?? []) : [],
    )
    expect(found.length).toBeLessThan(50)
    expect("known!.a[0]! = one.get('b')!\nif (!c && d !== e)".match(assertion)).toHaveLength(3)
  })

  test('half of the source files have at most 70 lines', () => {
    const sizes = written.map(file => lines(file).length).sort((a, b) => a - b)
    expect(sizes[Math.floor(sizes.length / 2)]).toBeLessThanOrEqual(70)
  })
})

describe('imports', () => {
  test('lead to no circle of files, in values or in types', () => {
    const files = all.filter(file => !tests.includes(file))
    expect(cyclesOf(new Map(files.map(file => [file, importsOf(file)])))).toEqual([])
  })

  test('the check finds each circle once, with all its files', () => {
    const edges = { a: ['b'], b: ['c', 'd'], c: ['a'], d: ['e'], e: ['d', 'f'], f: [], g: ['g', 'a'] }
    const found = cyclesOf(new Map(Object.entries(edges))).map(group => group.join(' '))
    expect(found.sort()).toEqual(['a b c', 'd e', 'g'])
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

/** Exports that only tests use: parts of the product that a test needs, or types of what it passes in. */
const forTests = [
  ...['src/boot/stderr.ts: LineWriter', 'src/cli/doctor/files.ts: roomFinding'],
  ...['src/coins/registry.ts: makeRegistry', 'src/domain/asset.ts: listedIn'],
  ...['src/networks/bitcoin/coins.ts: coinsOf', 'src/networks/keys/monero.ts: subaddressSpendKey'],
  ...['src/networks/evm/network.ts: EvmOptions', 'src/networks/solana/seed-address.ts: addressWithSeed'],
  ...['src/networks/tron/list-address.ts: nextFrom', 'src/networks/tron/network.ts: TronOptions'],
  'src/operations/people/steps/check-password.ts: isEasyToGuess',
  ...['src/outbound/client.ts: OutboundOptions', 'src/boot/providers.ts: providerFactories'],
  ...['src/providers/paygate/paygate.ts: PayGate', 'src/providers/paygate/paygate.ts: PayGateOptions'],
  ...['src/rates/exchanges/index.ts: makeExchanges', 'src/sandbox/rates.ts: makeRateTable'],
  ...['src/providers/paygate/coins.ts: pathsOf', 'src/updates/download.ts: mayAsk'],
]

describe('every export is imported', () => {
  const textsOf = (files: string[]) => files.map(file => [file, textOf(file)] as const)
  const exported = sources.flatMap(file => exportedBy(textOf(file)).map(name => `${file}: ${name}`))

  test('by the product itself, or by a test if the list above says so', () => {
    const imported = importedNames(textsOf(all.filter(file => !tests.includes(file))))
    const unused = exported.filter(name => !imported.has(name))
    const unusedAnywhere = unused.filter(name => !forTests.includes(name))
    const toTakeOffTheList = forTests.filter(name => !unused.includes(name))
    expect({ unusedAnywhere, toTakeOffTheList }).toEqual({ unusedAnywhere: [], toTakeOffTheList: [] })
    const byTests = importedNames(textsOf(tests))
    expect(forTests.filter(name => !byTests.has(name))).toEqual([])
  })

  test('and the check reads each way to export and to import', () => {
    const text = `
      export const a = 1
      export async function b() {}
      export type { C } from './c.ts'
      export interface D {}
      export const { e, f: g } = a
      export default a`.replaceAll('\n      ', '\n')
    expect(exportedBy(text)).toEqual(['a', 'b', 'C', 'D', 'e', 'g', 'default'])
    const files: [string, string][] = [
      ['src/one.ts', `import { a, type B as X } from './two.ts'\nimport * as two from './two.ts'\ntwo.c()`],
      ['src/three.ts', `export * from './four.ts'\nconst { d } = await import('./two.ts')`],
      ['src/six.ts', `const g = () => require('./two.ts').g`],
      [
        'src/five.ts',
        `import type { passed } from './three.ts'\nlet x: import('./two.ts').E\n(await import('./two.ts')).f()`,
      ],
    ]
    expect([...importedNames(files)].sort()).toEqual(
      ['four.ts: *', 'four.ts: passed', 'three.ts: passed']
        .concat(['B', 'E', 'a', 'c', 'd', 'f', 'g'].map(name => `two.ts: ${name}`))
        .map(name => `src/${name}`),
    )
  })
})

test('the slow test files that start first exist', async () => {
  const { files } = await Bun.file(join(root, 'test/timings.json')).json()
  expect(Object.keys(files).filter(file => !tests.includes(file))).toEqual([])
})

test('no file has unfinished marks or skipped tests', () => {
  const marks = /\b(TODO|FIXME|HACK)\b|(\/\/|\*) XXX\b|\b(test|it|describe)\.(only|skip|todo)\(/
  const found = all.filter(file => file !== 'test/tidy.test.ts' && marks.test(textOf(file)))
  expect(found).toEqual([])
})

test('formats of Intl are made in one file, which remembers them', () => {
  const making = /new Intl\.\w+(?:Format|Rules)\b/
  // A page that makes one format loses more time with it than with any other part.
  expect(sources.filter(file => file !== 'views/formats.ts' && making.test(textOf(file)))).toEqual([
    // This file checks the name of a time zone that a person entered.
    'src/domain/calendar.ts',
  ])
})

test('file names of the source avoid vague words such as manager and helper', () => {
  const words = /\b(manager|helper|util|utils|handler|processor|payment intent)s?\b/i
  const named = sources.filter(file => words.test(file.replace(/[-/.]/g, ' ')))
  expect(named).toEqual([])
})
