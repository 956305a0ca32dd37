import { isExpiring } from '../../boot/certificate-services.ts'
import { readCertificateState } from '../../boot/certificate-state.ts'
import { type Check, fault, good, warning } from './finding.ts'

const utc = (at: number): string => new Date(at).toISOString().replace(/[.]\d+Z$/, 'Z')

export const certificate: Check = ({ settings, platform, isUsed }) => {
  if (settings.domains.length === 0) return []
  const check = 'certificate'
  const { names, certificate: found, problem, isDamaged } = readCertificateState(settings)
  const all = names.join(', ')
  const remedy =
    problem ?? (isUsed ? 'The server is fetching it: see the log.' : 'Start the server, which gets it.')
  if (isDamaged) return [fault(check, 'The file of the certificate is damaged.', remedy)]
  if (found === null) return [fault(check, `There is no certificate for ${all} yet.`, remedy)]
  const until = `${found.names.join(', ')}, valid until ${utc(found.notAfter)}`
  const missing = names.filter(name => !found.names.includes(name))
  if (missing.length > 0) return [fault(check, `The certificate lacks ${missing.join(', ')}.`, remedy)]
  if (isExpiring(found, platform.now())) return [fault(check, `It was not renewed: ${until}.`, remedy)]
  return [
    problem === null ? good(check, until) : warning(check, `The last renewal failed: ${until}.`, problem),
  ]
}
