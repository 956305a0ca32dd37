import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { invalid } from '../../domain/errors.ts'
import {
  type EnteredLightning,
  type LightningAccount,
  type NodeKind,
  nodeKinds,
} from '../../domain/lightning.ts'
import { setUpLightning, stopLightning, tryLightning } from '../../operations/addresses/lightning.ts'
import { type Answer, type Cli, command, MERCHANT_ID } from '../cli.ts'
import { readKey, refuseArguments } from './prompts.ts'

type Nodes = { [Kind in NodeKind]?: Kind extends 'nwc' ? true : string }

interface Options extends Nodes {
  merchant: string
  address?: string
  store?: string
  keyFile?: string
  certificateFile?: string
  stop?: true
}

/** The secret to enter at the prompt, by kind of node. */
const secrets: Record<NodeKind, string> = {
  phoenixd: 'limited-access password',
  greenfield: 'API key',
  lnd: 'invoice macaroon',
  cln: 'rune',
  nwc: 'connection string',
}

export const lightning = (cli: Cli): Command =>
  refuseArguments(
    command(
      'lightning',
      'let a wallet with a Lightning address, or your own node, issue an invoice for each payment',
    ),
  )
    .requiredOption('--merchant <id>', MERCHANT_ID)
    .option('--address <name@host>', 'Lightning address or LNURL of your wallet, which is tried first')
    .option('--phoenixd <url>', 'URL of phoenixd; its limited-access password by standard input')
    .option('--greenfield <url>', 'URL of a BTCPay Server; an API key by standard input')
    .option('--store <id>', 'store of the BTCPay Server')
    .option('--lnd <url>', 'URL of the REST API of LND; its invoice macaroon by standard input')
    .option('--cln <url>', 'URL of the REST API of Core Lightning; a rune for invoices by standard input')
    .option('--nwc', 'Nostr Wallet Connect; a connection that can only receive by standard input')
    .option('--key-file <file>', 'file with the secret of the node; default: standard input')
    .option('--certificate-file <file>', 'certificate of a node that has one of its own (PEM)')
    .option('--stop', 'issue no more invoices; those that buyers have are still looked up')
    .action(
      cli.withContext(async (context, { merchant, stop, ...options }: Options): Promise<Answer> => {
        if (stop) {
          await stopLightning(context, merchant)
          return { json: { merchantId: merchant, source: null, stopped: true }, text: 'Stopped.' }
        }
        const tried = await tryLightning(context, merchant, await enteredBy(options))
        await setUpLightning(context, merchant, tried)
        const { account } = tried
        return { json: { merchantId: merchant, source: account, verified: true }, text: textOf(account) }
      }),
    )

const textOf = ({ kind, account, node, host }: LightningAccount): string =>
  [
    kind === 'address'
      ? `Saved ${account}. Its wallet issued an invoice, and its server reports its state.`
      : `Saved ${account}. It issued an invoice and reports its state, and its secret cannot pay.`,
    `Payments go to the node ${node}. The server at ${host} learns the amounts.`,
  ].join('\n')

async function enteredBy({
  address,
  store = '',
  keyFile,
  certificateFile,
  ...nodes
}: Omit<Options, 'merchant'>) {
  const named = nodeKinds.filter(kind => nodes[kind] !== undefined)
  const [kind] = named
  if (named.length + (address === undefined ? 0 : 1) !== 1)
    throw invalid('address', 'is required, or exactly one kind of node, or --stop')
  if (kind === undefined) return { kind: 'address', text: address ?? '' } satisfies EnteredLightning
  const url = nodes[kind]
  const [secret = ''] = await readKey(keyFile, [secrets[kind]])
  const certificate = certificateFile === undefined ? null : readCertificate(certificateFile)
  return {
    ...{ kind, url: typeof url === 'string' ? url : '', store, secret, certificate },
  } satisfies EnteredLightning
}

function readCertificate(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw invalid(
      'certificate-file',
      `cannot be read (${(error as { code?: string }).code ?? 'unknown error'})`,
    )
  }
}
