import { Refusal } from './errors.ts'
import { type WalletFault, walletFaultText } from './wallet-fault.ts'

/** What is wrong with one line of a list. */
export interface LineFault {
  line: number
  fault: WalletFault
}

/** Enough to see what went wrong: a list of another network is wrong on every line. */
const SHOWN_MAX = 100

/** Some lines of a list cannot be used, so nothing of it was. */
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
