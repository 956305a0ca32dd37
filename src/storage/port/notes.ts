import type { OrderNote } from '../../domain/note.ts'
import type { SavedView } from '../../domain/saved-view.ts'

export interface OrderNotes {
  insert(note: OrderNote): Promise<void>
  /** The notes of an order, newest first. */
  listOf(orderId: string, limit: number): Promise<OrderNote[]>
}

export interface SavedViews {
  /** The views of a person for a list of a merchant, by name. */
  list(userId: string, merchantId: string, page: string): Promise<SavedView[]>
  /** Inserts a view, or replaces the query of the one with its name. */
  put(view: SavedView): Promise<void>
  /** Returns false if the person has no such view. */
  remove(userId: string, merchantId: string, id: string): Promise<boolean>
  /** Removes all views of a person for a merchant. */
  removeAll(userId: string, merchantId: string): Promise<void>
}
