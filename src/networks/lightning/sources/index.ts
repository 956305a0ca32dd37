import { asserted } from '../../../domain/errors.ts'
import type { NodeSecret } from '../../../domain/lightning.ts'
import type { Account } from '../account.ts'
import { addressSource } from './address.ts'
import { clnSource } from './cln.ts'
import { greenfieldSource } from './greenfield.ts'
import { lndSource } from './lnd.ts'
import { nwcSource } from './nwc.ts'
import { phoenixdSource } from './phoenixd.ts'
import type { InvoiceSource, SourceTools } from './port.ts'

type NodeSource = (url: string, secret: string, tools: SourceTools) => InvoiceSource

const nodes: Record<Exclude<Account['kind'], 'address'>, NodeSource> = {
  phoenixd: phoenixdSource,
  greenfield: greenfieldSource,
  lnd: lndSource,
  cln: clnSource,
  nwc: nwcSource,
}

/** The source of an account's invoices. That of a node needs its secret. */
export function sourceOf(account: Account, known: NodeSecret | null, tools: SourceTools): InvoiceSource {
  if (account.kind === 'address') return addressSource(account, tools)
  const { secret } = asserted(known, 'a node has a secret')
  return nodes[account.kind](account.url, secret, tools)
}
