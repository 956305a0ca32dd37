import { invalid } from '../../../domain/errors.ts'
import { type Role, roles } from '../../../domain/user.ts'

export function checkRole(role: string): Role {
  const known = roles.find(one => one === role)
  if (known === undefined) throw invalid('role', `must be one of ${roles.join(', ')}`)
  return known
}
