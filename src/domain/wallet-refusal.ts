import { Refusal } from './errors.ts'
import { type LineFault, type WalletFault, walletFaultText } from './wallet-fault.ts'

/** A refusal of what was entered for a wallet. The message never repeats what was entered. */
export function walletRefusal(path: string, fault: WalletFault): Refusal {
  const rule = walletFaultText(fault)
  const reason = { kind: 'wallet', fault } as const
  return new Refusal('validation_error', `${path}: ${rule}`, { reason, details: [{ path, rule }] })
}

/**
 * Max lines that a refusal describes. They are enough to see what went wrong: a list of another network is
 * wrong on every line.
 */
const DETAILS_MAX = 100

/** A refusal of a whole list, because some of its lines cannot be used. No line of it was used. */
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
