import type { AddressSource } from '../../../domain/address-source.ts'
import type { Context } from '../../context.ts'

/**
 * Max derived addresses in memory. These are more than are needed at the same time, and take little memory.
 */
const REMEMBERED_MAX = 5000

type DerivedContext = Pick<Context, 'storage' | 'networks'>

/** Thrown in a write that needs an address which is not derived yet. */
class NotDerived extends Error {
  constructor(
    readonly source: AddressSource,
    readonly index: number,
  ) {
    super('This address was not derived before the write')
  }
}

interface DerivedAddresses {
  addresses: Map<string, string>
  /** number of waiting requests, by source */
  waiting: Map<string, number>
}

const all = new WeakMap<Context['storage'], DerivedAddresses>()

function derivedIn({ storage }: DerivedContext): DerivedAddresses {
  const derived = all.get(storage) ?? { addresses: new Map(), waiting: new Map() }
  all.set(storage, derived)
  return derived
}

/**
 * The name of a derived address. It contains the script, because a source never changes its key but may
 * change its script.
 */
const nameOf = ({ id, script }: AddressSource, index: number): string => `${id} ${script} ${index}`

/**
 * A derived address of a source, for a write in `withDerived`. If it is not derived yet, this throws and the
 * write is run again.
 */
export function derivedAddress(context: DerivedContext, source: AddressSource, index: number): string {
  const address = derivedIn(context).addresses.get(nameOf(source, index))
  if (address === undefined) throw new NotDerived(source, index)
  return address
}

function derive(context: DerivedContext, source: AddressSource, index: number): void {
  const { addresses } = derivedIn(context)
  const name = nameOf(source, index)
  if (addresses.has(name)) return
  addresses.set(name, context.networks.derive(source, index))
  for (const oldest of addresses.keys()) {
    if (addresses.size <= REMEMBERED_MAX) break
    addresses.delete(oldest)
  }
}

/**
 * Runs a write that takes the next address of a source. Derivation takes longer than creating an order, and
 * there is only one writer, so addresses are derived before the write: one per waiting request. If the write
 * needs another address, that is derived and the write is run again.
 */
export async function withDerived<T>(
  context: DerivedContext,
  source: AddressSource,
  write: () => Promise<T>,
): Promise<T> {
  const { waiting } = derivedIn(context)
  const count = (waiting.get(source.id) ?? 0) + 1
  waiting.set(source.id, count)
  for (let ahead = 0; ahead < count; ahead++) derive(context, source, source.nextIndex + ahead)
  try {
    for (;;) {
      try {
        return await write()
      } catch (error) {
        if (!(error instanceof NotDerived)) throw error
        derive(context, error.source, error.index)
      }
    }
  } finally {
    waiting.set(source.id, (waiting.get(source.id) ?? 1) - 1)
  }
}
