import { clock, database, jobs, migrations } from './database.ts'
import { dataDirectory, disk, permissions, writeAheadLog } from './files.ts'
import { type Check, type DoctorContext, type Finding, fault } from './finding.ts'
import { merchants } from './merchants.ts'
import { assetsFile, checkoutAddress, gatewayKeys, trustedProxies } from './settings.ts'
import {
  assets,
  endpoints,
  gateway,
  loneExchange,
  rateSources,
  secondOpinions,
  waysToPay,
} from './upstreams.ts'

const CHECK_MS = 15_000

/** Everything that is checked, in the order in which it is told. */
const checks: Record<string, Check> = {
  dataDirectory,
  permissions,
  disk,
  writeAheadLog,
  database,
  migrations,
  clock,
  jobs,
  checkoutAddress,
  trustedProxies,
  assetsFile,
  gatewayKeys,
  merchants,
  waysToPay,
  gateway,
  endpoints,
  secondOpinions,
  rateSources,
  loneExchange,
  assets,
}

const late = (name: string): Finding =>
  fault(name, `It was not done within ${CHECK_MS / 1000} s.`, 'Check the network, and try again.')

/** Runs all checks at once, since most of their time is spent waiting. */
export async function runChecks(ground: DoctorContext): Promise<Finding[]> {
  const found = await Promise.all(
    Object.entries(checks).map(async ([name, check]) =>
      Promise.race([check(ground), Bun.sleep(CHECK_MS).then(() => [late(name)])]),
    ),
  )
  return found.flat()
}
