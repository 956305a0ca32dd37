/** A label and its value. */
export type DocumentRow = readonly [label: string, value: string]

/** The texts of an invoice or credit note, from top to bottom. The file to print is made from them. */
export interface InvoiceDocument {
  title: string
  /** language tag of the document */
  language: string
  seller: readonly string[]
  facts: readonly DocumentRow[]
  buyerLabel: string
  buyer: readonly string[]
  /** headings of the two columns of `lines` */
  columns: DocumentRow
  lines: readonly DocumentRow[]
  sums: readonly DocumentRow[]
  notes: readonly string[]
  payments: readonly DocumentRow[]
  /** URL at which the invoice can be paid; null if it is paid */
  payUrl: string | null
  /** milliseconds since 1970 UTC */
  issuedAt: number
}
