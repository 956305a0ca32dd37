import { ciiOf } from './cii.ts'
import type { InvoiceFiles } from './port.ts'
import { ublOf } from './ubl.ts'

export const invoiceFiles: InvoiceFiles = { cii: ciiOf, ubl: ublOf }
