import type { Florin } from '../../src/boot/compose.ts'
import type { Platform } from '../../src/boot/platform.ts'
import type { Log } from '../../src/domain/log.ts'
import type { JobLoop } from '../../src/jobs/loop.ts'
import { seededRandom } from '../simulation/random.ts'
import type { Build } from './build.ts'
import type { Disk } from './disks.ts'

export const PUBLIC_URL = 'https://pay.example'
const QUICK_PASSWORDS = { memoryCost: 64, timeCost: 1 }
/** Connections of a machine to a database server, enough for concurrent requests. */
const CONNECTIONS = { readers: 2, writers: 3 }
/**
 * After this time, a crashed machine is removed even if its work still waits for a database that it cannot
 * reach.
 */
const BURIED_MS = 1000

type Send = NonNullable<Platform['send']>

/** Everything that a machine uses and that survives its crash. */
export interface Outside {
  seed: number
  environment: Record<string, string>
  /** the time by the machine's clock */
  now(): number
  fetch(url: string, init: RequestInit | undefined): Promise<Response>
  send: Send
  /** writes a line of the log, while the machine runs */
  log(level: 'warn' | 'error', event: string, fields: object): void
}

/** An answer to a request; null if the machine crashed before it answered. */
export interface Answer {
  status: number
  headers: Headers
  text: string
}

const died = (): Error => new Error('the machine died')

/** Counters that all machines of a world share, so that no two rows have the same ID. */
export interface Serials {
  ids: number
  machines: number
}

/**
 * A server that can crash before or after each request that it sends, and after each commit. Its disk is kept
 * as it was at that moment.
 */
export class Machine {
  /** the version that it runs */
  readonly build: Build
  readonly disk: Disk
  isDead = false
  /** the disk as it was when the machine crashed */
  remains: Disk | null = null
  readonly #outside: Outside
  readonly #serials: Serials
  readonly #death = Promise.withResolvers<null>()
  #isStopping = false
  #isTorn = false
  #pointsLeft = Number.POSITIVE_INFINITY
  #florin: Florin | null = null
  #jobs: JobLoop | null = null

  private constructor(build: Build, disk: Disk, outside: Outside, serials: Serials) {
    this.build = build
    this.disk = disk
    this.#outside = outside
    this.#serials = serials
  }

  /** Starts a server of a version with the database on a disk. */
  static async start(build: Build, disk: Disk, outside: Outside, serials: Serials): Promise<Machine> {
    const machine = new Machine(build, disk, outside, serials)
    serials.machines += 1
    const settings = build.readSettings({
      FLORIN_DATA_DIR: disk.folder,
      ...(await disk.open()),
      FLORIN_CHECKOUT_URL: PUBLIC_URL,
      FLORIN_PUBLIC_RATE_LIMIT: '0',
      ...outside.environment,
    })
    machine.#florin = await build.openFlorin(settings, machine.#platform(), 'http://127.0.0.1:3000')
    machine.#jobs = await machine.#florin.startJobs()
    return machine
  }

  get context(): Florin['context'] {
    return this.#florin!.context
  }

  /** Runs all jobs that are due, or as many as it can before it crashes. */
  async settle(): Promise<void> {
    if (!this.isDead) await Promise.race([this.#jobs!.settle(), this.#death.promise])
  }

  /** The time when the next job is due; null if no job is scheduled. */
  nextDueAt(): Promise<number | null> {
    return this.context.storage.read(tables => tables.jobs.nextDueAt([]))
  }

  async ask(request: Request): Promise<Answer | null> {
    if (this.isDead) return null
    const answered = (async () => {
      const response = await this.#florin!.http.handle(request)
      return { status: response.status, headers: response.headers, text: await response.text() }
    })()
    const answer = await Promise.race([answered, this.#death.promise])
    if (answer === null) answered.catch(() => {})
    return answer
  }

  /** True if the machine has crashed or is about to. */
  get isDoomed(): boolean {
    return this.isDead || this.#pointsLeft < Number.POSITIVE_INFINITY
  }

  /** Lets the machine crash after this number of further points at which it can. */
  dieSoon(points: number, isTorn = false): void {
    this.#pointsLeft = points
    this.#isTorn = isTorn
  }

  /** Stops the server as an operator does. */
  async stop(): Promise<void> {
    this.#isStopping = true
    await this.#florin!.close()
  }

  /** Removes a crashed machine. Returns its disk as it was at the crash. */
  async bury(): Promise<Disk> {
    await Promise.race([this.stop().catch(() => {}), Bun.sleep(BURIED_MS)])
    this.disk.remove()
    return this.remains!
  }

  /** A point at which the machine can crash. */
  #pass(): void {
    if (this.isDead) return
    this.#pointsLeft -= 1
    if (this.#pointsLeft > 0) return
    this.isDead = true
    this.remains = this.disk.leave(this.#isTorn)
    this.#death.resolve(null)
  }

  #live(): void {
    this.#pass()
    if (this.isDead) throw died()
  }

  #platform(): Platform {
    const { seed, now, fetch, send } = this.#outside
    const random = seededRandom(seed * 1000 + this.#serials.machines)
    const ask: Platform['fetch'] = async (url, init) => {
      this.#live()
      const response = await fetch(url, init)
      this.#live()
      return response
    }
    return {
      ...{ fetch: ask, reach: ask },
      lookup: async () => [{ address: '93.184.216.34' }],
      now,
      random: bytes => Uint8Array.from({ length: bytes }, () => random.int(256)),
      log: this.#log(),
      passwordCost: QUICK_PASSWORDS,
      send: async (post, signal) => {
        this.#live()
        const result = await send(post, signal)
        this.#live()
        return result
      },
      uuid: at => this.#uuid(at),
      isForShow: true,
      connections: CONNECTIONS,
      freeBytes: async () => 2 ** 40,
      meter: { committed: () => this.#pass(), lookups: (_, fetchOf) => fetchOf },
    }
  }

  #log(): Log {
    const tell = (level: 'warn' | 'error') => (fields: object, event: string) => {
      // Work that is interrupted by a stop may find the database closed, which is no fault.
      if (!(this.isDead || this.#isStopping)) this.#outside.log(level, event, fields)
    }
    return { debug() {}, info() {}, warn: tell('warn'), error: tell('error') }
  }

  /** UUIDs of version 7 begin with the time, so the IDs sort by time. */
  #uuid(at: number): string {
    this.#serials.ids += 1
    const time = Math.floor(at).toString(16).padStart(12, '0')
    const serial = this.#serials.ids.toString(16).padStart(14, '0')
    const seed = (this.#outside.seed % 65_536).toString(16).padStart(4, '0')
    const [high, low] = [serial.slice(0, 3), serial.slice(3)]
    return `${time.slice(0, 8)}-${time.slice(8)}-7${high}-8${low.slice(0, 3)}-${seed}${low.slice(3)}`
  }
}
