import { SQL } from 'bun'
import type { StartedCart } from './buyer.ts'

/** The rows in Medusa's database that belong to one cart. */
export interface Entry {
  orders: number
  /** number of orders without a cart */
  strayOrders: number
  captured: string
  captures: number
  transactions: string
  refunded: string
  refunds: number
  reserved: string
  status: string
}

export type Table = 'capture' | 'order' | 'order_cart' | 'refund'

/** Medusa's database, read without its code. */
export class Books {
  readonly #sql: SQL

  constructor(url: string) {
    this.#sql = new SQL(url, { max: 2 })
  }

  close = () => this.#sql.close()

  async entryOf({ cartId, collectionId, orderUUID }: StartedCart): Promise<Entry> {
    const [row] = await this.#sql`
      WITH ordered AS (SELECT order_id FROM order_cart WHERE cart_id = ${cartId} AND deleted_at IS NULL),
      paid AS (SELECT id FROM payment WHERE payment_collection_id = ${collectionId} AND deleted_at IS NULL),
      lines AS (SELECT item_id FROM order_item WHERE order_id IN (SELECT order_id FROM ordered) AND deleted_at IS NULL)
      SELECT
        (SELECT count(*)::int FROM ordered) AS "orders",
        (SELECT count(*)::int FROM "order" WHERE metadata->>'florin_order' = ${orderUUID}
          AND deleted_at IS NULL AND id NOT IN (SELECT order_id FROM ordered)) AS "strayOrders",
        (SELECT coalesce(sum(amount), 0)::text FROM capture
          WHERE payment_id IN (SELECT id FROM paid) AND deleted_at IS NULL) AS "captured",
        (SELECT count(*)::int FROM capture
          WHERE payment_id IN (SELECT id FROM paid) AND deleted_at IS NULL) AS "captures",
        (SELECT coalesce(sum(amount), 0)::text FROM order_transaction
          WHERE order_id IN (SELECT order_id FROM ordered) AND deleted_at IS NULL) AS "transactions",
        (SELECT coalesce(sum(amount), 0)::text FROM refund
          WHERE payment_id IN (SELECT id FROM paid) AND deleted_at IS NULL) AS "refunded",
        (SELECT count(*)::int FROM refund
          WHERE payment_id IN (SELECT id FROM paid) AND deleted_at IS NULL) AS "refunds",
        (SELECT coalesce(sum(quantity), 0)::text FROM reservation_item
          WHERE line_item_id IN (SELECT item_id FROM lines) AND deleted_at IS NULL) AS "reserved",
        (SELECT status FROM payment_collection WHERE id = ${collectionId}) AS "status"`
    return row
  }

  async rowsIn(table: Table): Promise<number> {
    const [row] = await this.#sql`SELECT count(*)::int AS "count" FROM ${this.#sql(table)}`
    return row.count
  }

  async paymentIdOf({ collectionId }: StartedCart): Promise<string> {
    const [row] = await this.#sql`SELECT id FROM payment WHERE payment_collection_id = ${collectionId}`
    return row.id
  }

  /** Reservations that belong to no order. */
  async strayReservations(): Promise<number> {
    const [row] = await this.#sql`
      SELECT count(*)::int AS "count" FROM reservation_item
      WHERE deleted_at IS NULL AND line_item_id NOT IN (
        SELECT item_id FROM order_item JOIN order_cart USING (order_id)
        WHERE order_item.deleted_at IS NULL AND order_cart.deleted_at IS NULL)`
    return row.count
  }

  /** The notifications about a Florin order in the admin. */
  async notificationsOf(orderUUID: string): Promise<string[]> {
    const rows = await this.#sql`SELECT data->>'title' AS "title" FROM notification
      WHERE data->>'description' LIKE ${`%${orderUUID}%`} AND deleted_at IS NULL`
    return rows.map(({ title }: { title: string }) => title)
  }

  /** Changes a cart like a shop that is killed before it ends the payment. */
  async changeCart(cartId: string, quantity: number): Promise<void> {
    await this.#sql`UPDATE cart_line_item SET quantity = ${quantity} WHERE cart_id = ${cartId}`
  }
}
