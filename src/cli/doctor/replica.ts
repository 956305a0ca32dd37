import { diagnoseReplica } from '../../boot/replica.ts'
import { type Check, fault, good } from './finding.ts'

/** Checks the replica. */
export const replica: Check = async ({ settings, platform, isUsed }) => {
  if (settings.replicaUrl === null) return []
  const check = 'replica'
  const remedy = 'Check the log for replica.failed, and the settings FLORIN_REPLICA_….'
  try {
    const { problem, message } = await diagnoseReplica(settings, platform, isUsed)
    return [problem === null ? good(check, message) : fault(check, problem, remedy)]
  } catch (error) {
    return [fault(check, error instanceof Error ? error.message : String(error), remedy)]
  }
}
