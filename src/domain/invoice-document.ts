/** A label and its value. */
export type DocumentRow = readonly [label: string, value: string]

/** An invoice or credit note in words, from top to bottom, of which a file to print is made. */
export interface InvoiceDocument {
  title: string
  /** tag of its language */
  language: string
  seller: readonly string[]
  facts: readonly DocumentRow[]
  buyerLabel: string
  buyer: readonly string[]
  /** names of the columns, and what is in them */
  columns: DocumentRow
  lines: readonly DocumentRow[]
  sums: readonly DocumentRow[]
  notes: readonly string[]
  payments: readonly DocumentRow[]
  /** where it can be paid; null if it is paid */
  payUrl: string | null
  /** milliseconds since 1970 UTC */
  issuedAt: number
}
