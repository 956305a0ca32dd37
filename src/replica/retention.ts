import { type Contents, type Generation, partName, segmentName, type Trash } from './contents.ts'
import { LINE_MAX } from './line.ts'
import type { Store } from './store.ts'

/** How many objects are removed at once, and in one go: changes of the database come first. */
const AT_ONCE = 8
const REMOVED_MAX = 2000
/** A process that was killed may have stored segments that the next one did not know of. */
const UNNOTED = LINE_MAX + 2
/** Segments may have been stored after the contents were last written. */
const UNNAMED = 200

const snapshotTrash = (generation: Generation): Trash[] =>
  generation.snapshots.map(({ id, parts }) => ({ kind: 'snapshot', generation: generation.id, id, parts }))

/** The segments from `first` up to `to`, by the runs that wrote them. */
function segmentTrash({ id, runs, first }: Generation, to: number): Trash[] {
  return runs.flatMap((run, index): Trash[] => {
    const from = Math.max(first, run.first)
    const end = Math.min(to, (runs[index + 1]?.first ?? Number.POSITIVE_INFINITY) + UNNOTED)
    return from <= end ? [{ kind: 'segments', generation: id, run: run.id, from, to: end }] : []
  })
}

/** Moves what is only needed for moments before `since` to the trash. Returns whether there was any. */
export function dropExpired(contents: Contents, since: number): boolean {
  const trash: Trash[] = []
  const isWhole = ({ digest }: { digest: string | null }): boolean => digest !== null
  const needed = contents.generations.findLastIndex(({ snapshots }) =>
    snapshots.some(snapshot => isWhole(snapshot) && snapshot.at <= since),
  )
  for (const generation of contents.generations.splice(0, Math.max(0, needed))) {
    trash.push(...snapshotTrash(generation), ...segmentTrash(generation, generation.last.sequence + UNNAMED))
  }
  for (const generation of contents.generations) {
    const base = generation.snapshots.findLast(snapshot => isWhole(snapshot) && snapshot.at <= since)
    if (!base) continue
    const older = generation.snapshots.filter(
      ({ sequence, id }) => sequence <= base.sequence && id !== base.id,
    )
    trash.push(
      ...snapshotTrash({ ...generation, snapshots: older }),
      ...segmentTrash(generation, base.sequence),
    )
    generation.snapshots = generation.snapshots.filter(snapshot => !older.includes(snapshot))
    generation.first = Math.max(generation.first, base.sequence + 1)
  }
  contents.trash.push(...trash)
  return trash.length > 0
}

function* namesOf(trash: Trash): Generator<string> {
  if (trash.kind === 'snapshot') {
    for (let part = trash.parts - 1; part >= 0; part--) yield partName(trash.generation, trash.id, part)
    return
  }
  for (let at = trash.from; at <= trash.to; at++) yield segmentName(trash.generation, trash.run, at)
}

/** Removes objects. Returns what is left of the trash. */
export async function emptyTrash(store: Store, trash: readonly Trash[]): Promise<Trash[]> {
  const [first, ...rest] = trash
  if (!first) return []
  const names = [...namesOf(first)].slice(0, REMOVED_MAX)
  const turns = names.values()
  const walk = async () => {
    for (const name of turns) await store.remove(name)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, walk))
  if (first.kind === 'snapshot') {
    const parts = first.parts - REMOVED_MAX
    return parts > 0 ? [{ ...first, parts }, ...rest] : rest
  }
  if (first.from + REMOVED_MAX > first.to) return rest
  return [{ ...first, from: first.from + REMOVED_MAX }, ...rest]
}
