/** Filters of a list, saved under a name. */
export interface SavedView {
  id: string
  merchantId: string
  userId: string
  /** list, such as "orders" */
  page: string
  name: string
  /** query string of the list's page, without a question mark */
  query: string
  createdAt: number
}
