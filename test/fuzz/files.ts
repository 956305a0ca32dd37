import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { messagesIn, parsed } from '../../.ci/messages.ts'
import { registry } from '../../src/coins/registry.ts'
import { imageTypeOf, productImageSize } from '../../src/domain/image.ts'
import { imageReader } from '../../src/images/reader.ts'
import { readAssetsFile } from '../../src/networks/assets-file.ts'
import { parseEnvFile } from '../../src/settings/env-file.ts'
import { SettingsError } from '../../src/settings/read.ts'
import { DatabaseError } from '../../src/storage/engine.ts'
import { databaseOf } from '../../src/storage/index.ts'
import { openStorage } from '../../src/storage/sqlite/open.ts'
import { type Random, randomOf } from '../http/random.ts'

/** Code that reads files which people upload. */
interface Reader {
  name: string
  samples: Buffer[]
  /** the share of files that this reader gets; less than 1 if each takes long */
  share: number
  read(bytes: Buffer): Promise<unknown> | unknown
  /** true for an error that explains the refusal */
  isRefusal(error: unknown): boolean
}

export interface FileFailure {
  reader: string
  number: number
  problem: string
}

const SLOW_MS = 2000
const SPREAD = 104_729
const WIDE = { min: 1, max: 4000 }
const folderOf = (...path: string[]): string => join(import.meta.dir, '../..', ...path)
const filesIn = (...path: string[]): Buffer[] =>
  readdirSync(folderOf(...path)).map(name => readFileSync(join(folderOf(...path), name)))
const plain = (error: unknown): boolean => error instanceof Error && error.constructor === Error

const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512" width="512" height="512"><style>.a{fill:red}</style>
<g transform="rotate(5)"><path class="a" d="M0 0h5v5z"/><text x="1">&amp;&#x41;</text></g></svg>`
const assets = [
  { id: 'polygon/usdc', minimum: '1000000', confirmations: 40 },
  {
    id: 'base/eurc',
    network: 'evm',
    chainId: 8453,
    ticker: 'EURC',
    decimals: 6,
    contract: `0x${'1'.repeat(40)}`,
  },
]

/** A backup as `florin backup` makes it: a database file that no process has open. */
async function backupSample(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'florin-fuzz-'))
  const file = join(folder, 'florin.sqlite')
  await openStorage(file, Date.now()).close()
  const bytes = readFileSync(file)
  rmSync(folder, { recursive: true, force: true })
  return bytes
}

async function restore(bytes: Buffer): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'florin-fuzz-'))
  try {
    const file = join(folder, 'backup')
    writeFileSync(file, bytes)
    await databaseOf({ dataDir: join(folder, 'data'), databaseUrl: null }).restore(
      file,
      { force: false },
      Date.now(),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const readers = async (): Promise<Reader[]> => [
  {
    name: 'product image',
    samples: filesIn('test/support/images'),
    share: 1,
    read: bytes => {
      const type = imageTypeOf(bytes)
      return type && imageReader.read(type, bytes, bytes.length % 2 ? WIDE : productImageSize)
    },
    isRefusal: () => false,
  },
  {
    name: 'drawing',
    samples: [Buffer.from(svg)],
    share: 1,
    read: bytes => imageReader.readSvg(bytes, WIDE),
    isRefusal: () => false,
  },
  {
    name: 'assets file',
    samples: [Buffer.from(JSON.stringify(assets))],
    share: 1,
    read: bytes => readAssetsFile(bytes.toString(), registry),
    isRefusal: plain,
  },
  {
    name: 'env file',
    samples: [Buffer.from('# florin\nexport FLORIN_PORT=3000\nFLORIN_HOST="a b"\n')],
    share: 1,
    read: bytes => parseEnvFile('florin.env', bytes.toString()),
    isRefusal: error => error instanceof SettingsError,
  },
  {
    name: 'message',
    samples: messagesIn(JSON.parse(readFileSync(folderOf('views/texts/en.json'), 'utf8')))
      .slice(0, 80)
      .map(([, message]) => Buffer.from(message)),
    share: 1,
    read: bytes => parsed(bytes.toString()),
    isRefusal: error =>
      error instanceof Error && !(error instanceof RangeError || error instanceof TypeError),
  },
  {
    name: 'backup',
    samples: [await backupSample()],
    share: 0.02,
    read: restore,
    isRefusal: error => error instanceof DatabaseError,
  },
]

const puts = [
  ...['\0', '\u00ff\u00ff\u00ff\u00ff', '{', '"', '<', '&', '\n', '-1', '99999999999999999999', '[[[['],
]

/** Ways to damage a file. */
const damages: ((bytes: Buffer, random: Random) => Buffer)[] = [
  (bytes, random) => bytes.subarray(0, random.below(bytes.length + 1)),
  (bytes, random) => {
    const copy = Buffer.from(bytes)
    for (let times = 1 + random.below(8); times > 0 && copy.length > 0; times--)
      copy[random.below(copy.length)] = random.below(256)
    return copy
  },
  // Flips bits near the beginning, where the sizes of images, pages and chunks are.
  (bytes, random) => {
    const copy = Buffer.from(bytes)
    const at = random.below(Math.min(copy.length, 120) + 1)
    copy.fill(random.pick([0, 0xff, 0x7f]), at, Math.min(copy.length, at + 1 + random.below(4)))
    return copy
  },
  (bytes, random) => {
    const at = random.below(bytes.length + 1)
    return Buffer.concat([
      bytes.subarray(0, at),
      Buffer.from(random.pick(puts), 'latin1'),
      bytes.subarray(at),
    ])
  },
  (bytes, random) => {
    const [from, to] = [random.below(bytes.length + 1), random.below(bytes.length + 1)]
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to, to + 5000), bytes.subarray(from)])
  },
  (bytes, random) => Buffer.concat([bytes, bytes.subarray(0, random.below(bytes.length + 1))]),
  (_, random) => Buffer.from(random.pick(puts).repeat(random.below(20_000)), 'latin1'),
]

/** The file with this number for a reader. */
function fileOf({ samples }: Reader, seed: number, number: number): Buffer {
  const random = randomOf(seed * SPREAD + number)
  let bytes = random.pick(samples)
  for (let times = 1 + random.below(2); times > 0; times--) bytes = random.pick(damages)(bytes, random)
  return bytes
}

async function problemOf({ read, isRefusal }: Reader, bytes: Buffer): Promise<string | null> {
  const [since, cpu] = [performance.now(), process.cpuUsage()]
  try {
    await read(bytes)
  } catch (error) {
    if (!isRefusal(error)) return `throws ${error instanceof Error ? (error.stack ?? error.message) : error}`
  }
  const { user, system } = process.cpuUsage(cpu)
  const ms = Math.min(performance.now() - since, (user + system) / 1000)
  return ms > SLOW_MS ? `takes ${Math.round(ms)} ms` : null
}

/** Gives damaged files to every reader. */
export async function fuzzFiles(options: {
  seed: number
  from: number
  count: number
}): Promise<FileFailure[]> {
  const { seed, from, count } = options
  const failures: FileFailure[] = []
  for (const reader of await readers()) {
    const last = from + Math.max(1, Math.floor(count * reader.share))
    for (let number = from; number < last; number++) {
      const problem = await problemOf(reader, fileOf(reader, seed, number))
      if (problem) failures.push({ reader: reader.name, number, problem })
    }
  }
  return failures
}
