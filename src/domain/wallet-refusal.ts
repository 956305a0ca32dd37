import { Refusal } from './errors.ts'
import { type LineFault, type WalletFault, walletFaultText } from './wallet-fault.ts'

/** What was entered for a wallet cannot be used. The message never repeats it. */
export function walletRefusal(path: string, fault: WalletFault): Refusal {
  const rule = walletFaultText(fault)
  const reason = { kind: 'wallet', fault } as const
  return new Refusal('validation_error', `${path}: ${rule}`, { reason, details: [{ path, rule }] })
}

/** Enough to see what went wrong: a list of another network is wrong on every line. */
const DETAILS_MAX = 100

/** Some lines of a list cannot be used, so nothing of it was. */
export function refusedLines(lines: readonly LineFault[]): Refusal {
  const details = lines
    .slice(0, DETAILS_MAX)
    .map(({ line, fault }) => ({ path: `line ${line}`, rule: walletFaultText(fault) }))
  const [first] = details
  const others = lines.slice(1, DETAILS_MAX).map(({ line }) => line)
  const more = lines.length > DETAILS_MAX ? ' and others' : ''
  const also = others.length === 0 ? '' : ` (also wrong: line ${others.join(', ')}${more})`
  const reason = { kind: 'wrong_lines', lines } as const
  return new Refusal('validation_error', `${first?.path}: ${first?.rule}${also}`, { reason, details })
}
