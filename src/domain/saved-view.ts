/** Filters of a list that a person named, to use them again. */
export interface SavedView {
  id: string
  merchantId: string
  userId: string
  /** the list, such as "orders" */
  page: string
  name: string
  /** the query string of its page, without a question mark */
  query: string
  createdAt: number
}
