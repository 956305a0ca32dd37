import { Refusal } from './errors.ts'
import { type WalletFault, walletFaultText } from './wallet-fault.ts'

export interface LineFault {
  line: number
  fault: WalletFault
}

/** Max faults to report: a list of another network is wrong in every line. */
const SHOWN_MAX = 100

/** Refuses a whole list because of some lines. */
export class RefusedLines extends Refusal {
  constructor(readonly lines: readonly LineFault[]) {
    const details = lines
      .slice(0, SHOWN_MAX)
      .map(({ line, fault }) => ({ path: `line ${line}`, rule: walletFaultText(fault) }))
    const [first] = details
    const others = lines.slice(1, SHOWN_MAX).map(({ line }) => line)
    const more = lines.length > SHOWN_MAX ? ' and others' : ''
    const also = others.length === 0 ? '' : ` (also wrong: line ${others.join(', ')}${more})`
    super('validation_error', `${first?.path}: ${first?.rule}${also}`, details)
  }
}
