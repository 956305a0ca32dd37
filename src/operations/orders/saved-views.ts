import { invalid, Refusal } from '../../domain/errors.ts'
import { checkNameOf } from '../../domain/name.ts'
import type { SavedView } from '../../domain/saved-view.ts'
import type { Context } from '../context.ts'

const NAME_MAX = 40
const QUERY_MAX = 1000
/** Max saved views of a person for one list. */
const VIEWS_MAX = 20

type Owner = Pick<SavedView, 'userId' | 'merchantId'>

export const listViews = (
  { storage }: Pick<Context, 'storage'>,
  { userId, merchantId }: Owner,
  page: string,
): Promise<SavedView[]> => storage.read(tables => tables.savedViews.list(userId, merchantId, page))

/** Saves the filters of a list under a name. Replaces an earlier view of that name. */
export async function saveView(
  { storage, clock, ids }: Pick<Context, 'storage' | 'clock' | 'ids'>,
  owner: Owner,
  { page, name, query }: Pick<SavedView, 'page' | 'name' | 'query'>,
): Promise<void> {
  const trimmed = checkNameOf(name, NAME_MAX, '/name')
  if (query.length > QUERY_MAX) throw invalid('/query', 'is too long')
  const { userId, merchantId } = owner
  await storage.write(async tables => {
    const known = await tables.savedViews.list(userId, merchantId, page)
    if (known.length >= VIEWS_MAX && !known.some(view => view.name === trimmed)) {
      throw new Refusal('conflict', `Only ${VIEWS_MAX} views can be saved. Delete one first.`)
    }
    const id = ids.uuid()
    await tables.savedViews.put({ id, userId, merchantId, page, name: trimmed, query, createdAt: clock() })
  })
}

/** Deletes a view of this person. */
export async function removeView(
  { storage }: Pick<Context, 'storage'>,
  { userId, merchantId }: Owner,
  id: string,
): Promise<void> {
  const isRemoved = await storage.write(tables => tables.savedViews.remove(userId, merchantId, id))
  if (!isRemoved) throw new Refusal('not_found')
}
