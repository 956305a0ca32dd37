import { randomBytes } from 'node:crypto'
import { DatabaseError } from '../storage/engine.ts'
import { deleteTrash, dropExpired, findManifest, isUsable, type Manifest, writeManifest } from './manifest.ts'
import { ownerOf } from './state.ts'
import type { EncryptedStore, ETag } from './store.ts'

const RETENTION_MS = 3600_000
/** After this number of consecutive failed conditional writes of the manifest, the process gives up. */
const CONFLICTS_MAX = 5

/** Thrown if another process holds the lease. The message says what to do. */
export class LeaseDenied extends DatabaseError {}

export const newId = (): string => randomBytes(6).toString('hex')

interface LeaseOptions extends EncryptedStore {
  dataDir: string
  keepMs: number
  now: () => number
}

const restorableIn = ({ generations }: Manifest): Set<string> =>
  new Set(
    generations
      .filter(({ snapshots }) => snapshots.some(snapshot => isUsable(snapshot, Number.POSITIVE_INFINITY)))
      .map(({ id }) => id),
  )

/**
 * True if the manifest `found` has a newer fencing token than this process. Two processes that start at the
 * same time take the same token; then the greater run ID wins.
 */
const isNewer = (found: Manifest, own: Manifest): boolean =>
  found.term > own.term || (found.term === own.term && found.run > own.run)

/**
 * The right of one process to write to a replica. It is stored in the manifest and does not expire. A later
 * process of the same installation takes it with a higher fencing token. The earlier process notices at its
 * next write of the manifest and never takes it back, so that two processes do not take turns.
 */
export class Lease {
  /** ID of this process */
  readonly run = newId()
  /** when this process last wrote the manifest; 0 if it has not */
  savedAt = 0
  /** Set to true to have the manifest written soon. */
  isChanged = false
  #manifest: Manifest | null = null
  /** version of the manifest that this process last read or wrote */
  #etag: ETag
  #expiredAt = 0
  #isSweeping = false
  /** generations with a complete snapshot in the stored manifest */
  #restorable = new Set<string>()
  #isFenced = false

  /** `serial` is the serial number of the newest manifest that this machine knows; 0 if it knows none. */
  constructor(
    private readonly options: LeaseOptions,
    public serial: number,
  ) {}

  /**
   * Returns the manifest, which the caller changes in place and `save` writes. The first call reads it and
   * takes the next fencing token, which becomes visible to others with `save`. Throws LeaseDenied if another
   * installation holds the lease, or if a later process took it.
   */
  async acquire(): Promise<Manifest> {
    if (this.#manifest) return this.#manifest
    const { dataDir, now } = this.options
    const { manifest: found, etag } = await findManifest(this.options)
    const owner = ownerOf(dataDir)
    if (found && (found.owner !== owner || this.#isFenced)) throw this.#denied(found)
    this.#expectSerial(found?.serial ?? 0)
    this.#etag = etag
    const empty = { serial: 0, owner, run: '', term: 0, writtenAt: now(), generations: [], trash: [] }
    this.#manifest = { ...(found ?? empty), run: this.run, term: (found?.term ?? 0) + 1 }
    this.#restorable = restorableIn(this.#manifest)
    return this.#manifest
  }

  /** True if the stored manifest lists a complete snapshot of a generation. */
  canRestore = (generation: string): boolean => this.#restorable.has(generation)

  /**
   * Throws if the store returned an older manifest than before, as a store with a cache may. The next call
   * accepts the older manifest, in case an operator restored it.
   */
  #expectSerial(serial: number): void {
    const known = this.serial
    this.serial = serial
    if (serial >= known) return
    throw new DatabaseError(
      `${this.options.store.name} returned older contents than it had (${serial} instead of ${known}). ` +
        'Florin tries again by itself. If somebody removed objects there, it begins again.',
    )
  }

  #denied({ writtenAt, owner }: Manifest): LeaseDenied {
    const last = `which last wrote there at ${new Date(writtenAt).toISOString()}`
    const isCopy = owner === ownerOf(this.options.dataDir)
    const which = isCopy ? 'a copy of this' : 'another'
    const remedy = isCopy
      ? ', or stop the other server and restart this one.'
      : '. If the other one is gone, run florin replica adopt.'
    return new LeaseDenied(
      `${this.options.store.name} is used by ${which} installation, ${last}. ` +
        `Set FLORIN_REPLICA_URL to a prefix of its own${remedy}`,
    )
  }

  /** Writes the manifest if this process still holds the lease, otherwise throws LeaseDenied. */
  async save(): Promise<void> {
    const { keepMs, now } = this.options
    const manifest = this.#manifest
    if (!manifest) return
    if (this.savedAt > 0) await this.#check(manifest)
    const at = now()
    if (!this.#isSweeping && at - this.#expiredAt >= RETENTION_MS) {
      dropExpired(manifest, at - keepMs)
      this.#expiredAt = at
    }
    manifest.writtenAt = at
    // Changes during the upload are not part of it, and set `isChanged` again.
    this.isChanged = false
    const restorable = restorableIn(manifest)
    await this.#write(manifest)
    this.#restorable = restorable
    this.serial = manifest.serial
    this.savedAt = at
    void this.#sweep(manifest)
  }

  /** Throws LeaseDenied if the stored manifest has a newer fencing token. */
  async #check(manifest: Manifest): Promise<void> {
    const { manifest: found, etag } = await findManifest(this.options)
    this.#etag = etag
    if (!found) return
    if (isNewer(found, manifest)) {
      this.#manifest = null
      this.#isFenced = found.owner === manifest.owner
      throw this.#denied(found)
    }
    manifest.serial = Math.max(manifest.serial, found.serial)
  }

  /**
   * Writes the manifest. If the store has conditional writes, never replaces one that this process has not
   * read.
   */
  async #write(manifest: Manifest): Promise<void> {
    for (let tries = 0; tries < CONFLICTS_MAX; tries++) {
      manifest.serial++
      const before = this.#etag
      const etag = await writeManifest(this.options, manifest, before)
      if (etag !== false) {
        this.#etag = etag
        return
      }
      await this.#check(manifest)
      // The store refuses a version that it has just reported, so its versions cannot be used.
      if (this.#etag === before) this.#etag = undefined
    }
    throw new DatabaseError(
      `Another program keeps writing to ${this.options.store.name}. ` +
        'Set FLORIN_REPLICA_URL to a prefix of its own.',
    )
  }

  /**
   * Deletes the objects that the stored manifest lists as trash. They are listed before, so that no restore
   * looks for them.
   */
  async #sweep(manifest: Manifest): Promise<void> {
    if (this.#isSweeping || manifest.trash.length === 0) return
    this.#isSweeping = true
    try {
      manifest.trash = await deleteTrash(this.options.store, manifest.trash)
    } catch {
      // The objects stay in the trash until the next sweep.
    } finally {
      this.#isSweeping = false
    }
  }
}
