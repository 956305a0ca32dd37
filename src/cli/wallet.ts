import { Command } from 'commander'
import type { Cli } from './cli.ts'
import { pool } from './wallet/pool.ts'
import { set } from './wallet/set.ts'
import { skipped } from './wallet/skipped.ts'
import { sources } from './wallet/sources.ts'
import { viewkey } from './wallet/viewkey.ts'
import { xpub } from './wallet/xpub.ts'

export const wallet = (cli: Cli): Command =>
  new Command('wallet')
    .description('configure payout wallets, and where payment addresses come from')
    .addCommand(set(cli))
    .addCommand(sources(cli))
    .addCommand(xpub(cli))
    .addCommand(pool(cli))
    .addCommand(viewkey(cli))
    .addCommand(skipped(cli))
