import { Florin } from '../../../clients/typescript/client.ts'
import { Refusal } from '../../domain/errors.ts'
import { type Cli, command } from '../cli.ts'
import { readKey } from '../wallet/prompts.ts'

/** A running server, and the API key of the shop that a developer works for. */
export interface ShopServer {
  url: string
  apiKey: string
  client: Florin
}

export interface ServerOptions {
  server?: string
}

export const developerCommand = (name: string, description: string, json?: string) =>
  command(name, description, json).option(
    '--server <url>',
    'URL of the server (default: the one that the settings name). The API key is read from ' +
      'FLORIN_API_KEY, or ' +
      'from standard input',
  )

/** The server and key that a developer's command uses. Throws a sentence if one is missing or malformed. */
export async function serverOf(cli: Cli, { server }: ServerOptions): Promise<ShopServer> {
  const { checkoutUrl, host, port } = cli.settings()
  const url = (server ?? (checkoutUrl || `http://${host}:${port}`)).replace(/\/+$/, '')
  const apiKey = cli.environment.FLORIN_API_KEY ?? (await readKey(undefined, ['API key']))[0] ?? ''
  try {
    return { url, apiKey, client: new Florin({ url, apiKey }) }
  } catch (error) {
    throw new Refusal('validation_error', error instanceof Error ? error.message : String(error))
  }
}
