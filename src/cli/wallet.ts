import { Command } from 'commander'
import { walletNetworks } from '../domain/asset.ts'
import { readPasted } from '../domain/pasted-wallet.ts'
import { changeWallet, listConfiguredNetworks } from '../operations/addresses/wallet.ts'
import { presentWallet } from '../present/wallet.ts'
import { type Cli, command, MERCHANT_ID } from './cli.ts'
import { lightning } from './wallet/lightning.ts'
import { pool } from './wallet/pool.ts'
import { readNetwork } from './wallet/prompts.ts'
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
    .addCommand(lightning(cli))
    .addCommand(skipped(cli))

interface Options {
  merchant: string
  network: string
}

const set = (cli: Cli): Command =>
  command('set', 'set the wallet that receives the payments of a network')
    .argument('<address>', 'your own address; "" removes the wallet')
    .requiredOption('--merchant <id>', MERCHANT_ID)
    .requiredOption('--network <network>', `one of: ${walletNetworks.join(', ')}`)
    .action(
      cli.withContext(async (context, address: string, { merchant, network }: Options) => {
        const cryptoWallets = { [readNetwork(network)]: readPasted(address).text }
        const wallet = await changeWallet(context, merchant, { cryptoWallets })
        const json = presentWallet(wallet, await listConfiguredNetworks(context, wallet))
        const rows = Object.entries(json.cryptoWallets).map(([name, own]) => `${name}  ${own}`)
        return { json, text: rows.join('\n') || 'No payout wallet is configured.' }
      }),
    )
