import { invalid } from '../../domain/errors.ts'
import type { OrderNote } from '../../domain/note.ts'
import type { Context } from '../context.ts'
import { requireOrder } from './steps/require-order.ts'

const NOTE_MAX = 2000

/** Adds a note to an order of this merchant, for the people of the shop. Buyers never see it. */
export async function addNote(
  { storage, clock, ids, origin }: Pick<Context, 'storage' | 'clock' | 'ids' | 'origin'>,
  merchantId: string,
  orderId: string,
  text: string,
): Promise<OrderNote> {
  const trimmed = text.trim()
  const length = [...trimmed].length
  if (length < 1 || length > NOTE_MAX || trimmed.includes('\0')) {
    throw invalid('/text', `must have 1 to ${NOTE_MAX} characters`)
  }
  const { actor } = origin
  return storage.write(async tables => {
    await requireOrder(tables, merchantId, orderId)
    const note = { id: ids.uuid(), merchantId, orderId, actor, text: trimmed, createdAt: clock() }
    await tables.orderNotes.insert(note)
    return note
  })
}
