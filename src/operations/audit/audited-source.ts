import { createHash } from 'node:crypto'
import type { AddressSource } from '../../domain/address-source.ts'
import type { AuditFields } from '../../domain/audit.ts'

const END_SHOWN = 8
const DIGEST_SHOWN = 16

/**
 * Enough of an account key to recognize it. A view key is secret, so only its digest is shown, for
 * comparison.
 */
function keyShown({ kind, key }: AddressSource): string | null {
  if (key === null) return null
  if (kind === 'xpub') return `${key.slice(0, END_SHOWN)}…${key.slice(-END_SHOWN)}`
  return `sha256:${createHash('sha256').update(key).digest('hex').slice(0, DIGEST_SHOWN)}`
}

export const auditedSource = (source: AddressSource): AuditFields => {
  const { kind, network, script, payoutAddress } = source
  return { kind, network, key: keyShown(source), script, payoutAddress }
}

export const sourceSubject = ({ network, kind }: AddressSource): string => `${network} ${kind}`
