import { CertificateFiles } from '../certificates/files.ts'
import type { CertificateState } from '../certificates/port.ts'
import type { Settings } from '../settings/table.ts'

/** Reads what a server, which may not run, has on disk. */
export function readCertificateState({
  dataDir,
  acmeUrl,
  domains: names,
}: Settings): CertificateState & { isDamaged: boolean } {
  const files = new CertificateFiles(dataDir, acmeUrl)
  const { reason: problem = null, retryAt = null } = files.readFailure() ?? {}
  try {
    return { names, certificate: files.readCertificate(), problem, retryAt, isDamaged: false }
  } catch {
    return { names, certificate: null, problem, retryAt, isDamaged: true }
  }
}
