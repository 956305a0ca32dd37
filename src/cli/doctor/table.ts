import { certificate } from './certificate.ts'
import { clock, database, databaseClock, jobs, migrations, mode, replica } from './database.ts'
import { endpoints, requiredEndpoints } from './endpoints.ts'
import {
  copies,
  dataDirectory,
  disk,
  environment,
  openFiles,
  permissions,
  secretsFile,
  writeAheadLog,
} from './files.ts'
import { type Check, type DoctorContext, type Finding, fault } from './finding.ts'
import { merchants, payoutWallets } from './merchants.ts'
import { backups, notifications, receipts } from './notifications.ts'
import { assetsFile, checkoutAddress, gatewayKeys, trustedProxies } from './settings.ts'
import { addressSources, skippedAddresses } from './sources.ts'
import { ownMoney, unpaidMoney } from './unpaid-money.ts'
import { assets, gateway, paymentMethods, rateSources, singleExchange } from './upstreams.ts'

const CHECK_MS = 15_000

/** Wraps a check that applies only to a database in a file. */
const ofFile =
  (check: Check): Check =>
  context =>
    context.isFile ? check(context) : []

/** All checks, in the order of the report. */
const checks: Record<string, Check> = {
  dataDirectory: ofFile(dataDirectory),
  permissions: ofFile(permissions),
  secretsFile,
  disk: ofFile(disk),
  openFiles,
  writeAheadLog: ofFile(writeAheadLog),
  copies,
  backups,
  replica,
  database,
  migrations,
  mode,
  clock,
  databaseClock,
  jobs,
  checkoutAddress,
  certificate,
  trustedProxies,
  assetsFile,
  gatewayKeys,
  environment,
  merchants,
  notifications,
  receipts,
  payoutWallets,
  addressSources,
  skippedAddresses,
  ownMoney,
  unpaidMoney,
  paymentMethods,
  gateway,
  endpoints,
  requiredEndpoints,
  rateSources,
  singleExchange,
  assets,
}

const timedOut = (name: string): Finding =>
  fault(name, `The check did not finish within ${CHECK_MS / 1000} s.`, 'Check the network and try again.')

/** Runs all checks at once, because most of the time is spent waiting for the network. */
export async function runChecks(context: DoctorContext): Promise<Finding[]> {
  const found = await Promise.all(
    Object.entries(checks).map(async ([name, check]) =>
      Promise.race([check(context), Bun.sleep(CHECK_MS).then(() => [timedOut(name)])]),
    ),
  )
  return found.flat()
}
