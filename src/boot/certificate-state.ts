import { CertificateFiles } from '../certificates/files.ts'
import type { CertificateState } from '../certificates/port.ts'
import type { Settings } from '../settings/table.ts'

/** Reads the state of a server's certificate from its files. The server need not run. */
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
