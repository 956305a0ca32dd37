import { randomBytes } from 'node:crypto'
import { DatabaseError } from '../storage/engine.ts'
import { type Contents, findContents, writeContents } from './contents.ts'
import { ownerOf } from './notes.ts'
import { dropExpired, emptyTrash } from './retention.ts'
import type { ETag, ReplicaKey, Store } from './store.ts'

const RETENTION_MS = 3600_000
/** how often others may write the contents while this process tries to */
const OVERTAKEN_MAX = 5

/** Another process writes to the store. */
export class Occupied extends DatabaseError {}

export const newId = (): string => randomBytes(6).toString('hex')

interface LedgerOptions {
  store: Store
  key: ReplicaKey
  dataDir: string
  keepMs: number
  now: () => number
}

const restorableIn = ({ generations }: Contents): Set<string> => {
  const whole = generations.filter(({ snapshots }) => snapshots.some(({ digest }) => digest !== null))
  return new Set(whole.map(({ id }) => id))
}

/** Whether another process follows this one. Each of two that begin at the same time sees it alike. */
const isAfter = (found: Contents, own: Contents): boolean =>
  found.term > own.term || (found.term === own.term && found.run > own.run)

/** The contents of a store, as this process writes them. */
export class Ledger {
  readonly run = newId()
  savedAt = 0
  /** there is news that should not wait until the contents are written anyway */
  isChanged = false
  #contents: Contents | null = null
  /** which version of the contents the store had when they were last seen */
  #version: ETag
  #expiredAt = 0
  #isSweeping = false
  /** the generations of which the stored contents name a whole snapshot */
  #restorable = new Set<string>()
  /** A process that another one followed does not come back, so that two never take turns. */
  #isFollowed = false

  /** `serial` is how often the contents were written, as far as this machine knows. */
  constructor(
    private readonly options: LedgerOptions,
    public serial: number,
  ) {}

  /** The contents; reads them and marks them as this process's when asked for the first time. */
  async open(): Promise<Contents> {
    if (this.#contents) return this.#contents
    const { store, key, dataDir, now } = this.options
    const { contents: found, version } = await findContents(store, key)
    const owner = ownerOf(dataDir)
    if (found && (found.owner !== owner || this.#isFollowed)) throw this.#occupied(found)
    this.#expectSerial(found?.serial ?? 0)
    this.#version = version
    const empty = { serial: 0, owner, run: '', term: 0, writtenAt: now(), generations: [], trash: [] }
    this.#contents = { ...(found ?? empty), run: this.run, term: (found?.term ?? 0) + 1 }
    this.#restorable = restorableIn(this.#contents)
    return this.#contents
  }

  /** Whether what the store holds of a generation can be restored. */
  canRestore = (generation: string): boolean => this.#restorable.has(generation)

  /** A store may return what it held some time ago. */
  #expectSerial(serial: number): void {
    const known = this.serial
    this.serial = serial
    if (serial >= known) return
    throw new DatabaseError(
      `${this.options.store.name} returned older contents than it had (${serial} instead of ${known}). ` +
        'Florin tries again by itself. If somebody removed objects there, it begins again.',
    )
  }

  #occupied({ writtenAt, owner }: Contents): Occupied {
    const last = `which last wrote there at ${new Date(writtenAt).toISOString()}`
    const isCopy = owner === ownerOf(this.options.dataDir)
    const which = isCopy ? 'a copy of this' : 'another'
    const remedy = isCopy
      ? ', or stop the other server and restart this one.'
      : '. If the other one is gone, run florin replica adopt.'
    return new Occupied(
      `${this.options.store.name} is used by ${which} installation, ${last}. ` +
        `Set FLORIN_REPLICA_URL to a prefix of its own${remedy}`,
    )
  }

  /** Writes the contents, after a look whether another process has written them. */
  async save(): Promise<void> {
    const { keepMs, now } = this.options
    const contents = this.#contents
    if (!contents) return
    if (this.savedAt > 0) await this.#look(contents)
    const at = now()
    if (!this.#isSweeping && at - this.#expiredAt >= RETENTION_MS) {
      dropExpired(contents, at - keepMs)
      this.#expiredAt = at
    }
    contents.writtenAt = at
    // What changes while it is written is not in it.
    this.isChanged = false
    const restorable = restorableIn(contents)
    await this.#write(contents)
    this.#restorable = restorable
    this.serial = contents.serial
    this.savedAt = at
    void this.#sweep(contents)
  }

  /** Throws if the store is another process's. */
  async #look(contents: Contents): Promise<void> {
    const { contents: found, version } = await findContents(this.options.store, this.options.key)
    this.#version = version
    if (!found) return
    if (isAfter(found, contents)) {
      this.#contents = null
      this.#isFollowed = found.owner === contents.owner
      throw this.#occupied(found)
    }
    contents.serial = Math.max(contents.serial, found.serial)
  }

  /** Writes nothing over what another process has written since this one looked, if the store can tell. */
  async #write(contents: Contents): Promise<void> {
    const { store, key } = this.options
    for (let tries = 0; tries < OVERTAKEN_MAX; tries++) {
      contents.serial++
      const before = this.#version
      const version = await writeContents(store, key, contents, before)
      if (version !== false) {
        this.#version = version
        return
      }
      await this.#look(contents)
      // It refuses the version that it has: its versions are of no use.
      if (this.#version === before) this.#version = undefined
    }
    throw new DatabaseError(
      `Another program keeps writing to ${store.name}. ` + 'Set FLORIN_REPLICA_URL to a prefix of its own.',
    )
  }

  /** Only what the stored contents name as trash is removed. */
  async #sweep(contents: Contents): Promise<void> {
    if (this.#isSweeping || contents.trash.length === 0) return
    this.#isSweeping = true
    try {
      contents.trash = await emptyTrash(this.options.store, contents.trash)
    } catch {
      // It stays trash.
    } finally {
      this.#isSweeping = false
    }
  }
}
