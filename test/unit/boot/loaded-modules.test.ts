import { expect, test } from 'bun:test'
import { ROOT } from '../../support/docs.ts'
import { newFolder } from '../../support/process.ts'

/**
 * What is loaded once it is needed: mail, drawing pictures, elliptic curves, stand-ins for upstreams, the OpenAPI
 * document, other engines and languages, copies in a store, certificates, the dashboard, chains, Lightning, the gateway,
 * card providers, invoices, the API of BTCPay Server, requests to merchants, images, and other commands.
 */
const rare = [
  /node_modules\/(nodemailer|pngjs|qrcode|zod|@elysiajs\/swagger|@scalar|@scure\/bip32)\//,
  /node_modules\/@noble\/curves\/(?!utils\.js)/,
  /src\/cli\/(doctor|sweep|restore)/,
  /src\/sandbox\/(?!state\.ts|faucet)/,
  /node_modules\/(@noble\/ciphers|postgres)\//,
  /src\/(replica|storage\/postgres|certificates|boot\/(https|challenge-port))[/.]/,
  /src\/http\/dashboard\/(?!(visit|cookie|same-origin|tries)\.ts)/,
  /src\/(networks\/\w+\/network|providers\/paygate\/paygate)\.ts/,
  /src\/providers\/(stripe|mollie|paypal)\/(?!facts\.ts)/,
  /src\/(outbound\/(post|fetch)\.ts|images\/)/,
  /node_modules\/(jsvat-next|pdfkit|fflate)\/|src\/(invoices\/(cii|ubl|pdf)|http\/greenfield\/routes)\.ts/,
  /views\/(dashboard\/texts\/made|texts\/made\/(?!en\.))/,
]

const rarely = (paths: string[]): string[] => paths.filter(path => rare.some(pattern => pattern.test(path)))

/** Runs a script in a process of its own, and returns its output. */
async function run(script: string): Promise<unknown> {
  const child = Bun.spawn([process.execPath, '-e', script], { cwd: ROOT, stdout: 'pipe', stderr: 'inherit' })
  return new Response(child.stdout).json()
}

test('a server starts without the modules that only rare work needs', async () => {
  const script = `
    const { Cli } = await import('./src/cli/cli.ts')
    const { program } = await import('./src/cli/program.ts')
    await program(new Cli({ environment: {}, print() {}, complain() {} }), ['serve'])
    console.log(JSON.stringify(Object.keys(require.cache)))`
  const loaded = (await run(script)) as string[]
  expect(loaded.some(path => path.endsWith('src/boot/serve.ts'))).toBe(true)
  expect(rarely(loaded)).toEqual([])
})

test('a server loads the dashboard once, with the first requests to it, and answers them', async () => {
  const folder = newFolder()
  const environment = { FLORIN_DATA_DIR: folder, FLORIN_PORT: '0', FLORIN_LOG_LEVEL: 'error' }
  const script = `
    const { Cli } = await import('./src/cli/cli.ts')
    const { start } = await import('./src/cli/serve.ts')
    const cli = new Cli({ environment: ${JSON.stringify(environment)}, print() {}, complain() {} })
    const running = await start(cli, cli.settings())
    const isLoaded = () => Object.keys(require.cache).some(path => path.endsWith('http/dashboard/routes.ts'))
    const ask = path => fetch(running.url + path, { headers: { accept: 'text/html' }, redirect: 'manual' })
    const ready = await ask('/readyz')
    await ready.text()
    const started = Object.keys(require.cache)
    const paths = ['/dashboard', '/dashboard/welcome', '/dashboard/welcome', '/dashboard/no-such-page']
    const answers = await Promise.all(paths.map(ask))
    const texts = await Promise.all(answers.map(answer => answer.text()))
    const files = [...texts[1].matchAll(/"(\\/assets\\/[^"]+)"/g)].map(([, path]) => path)
    const served = await Promise.all(files.map(ask))
    // The server waits for answers that nobody has read.
    await Promise.all(served.map(answer => answer.text()))
    await running.stop()
    const statuses = answers.map(answer => answer.status)
    const isServed = served.length > 1 && served.every(answer => answer.status === 200)
    console.log(JSON.stringify({ status: ready.status, started, statuses, isServed, after: isLoaded() }))
    // Otherwise the script would end only when its own connections have ended.
    process.exit()`
  const { started, ...answered } = (await run(script)) as { started: string[] }
  // The server has scanned its chains. No shop has an account that would make it load Lightning.
  expect(rarely(started)).toEqual([])
  expect(answered).toEqual({ status: 200, statuses: [303, 200, 200, 404], isServed: true, after: true })
})

test('a Lightning address loads neither curves nor ciphers nor other sources before its first invoice', async () => {
  const script = `
    const { lightningNetwork } = await import('./src/networks/lightning/network.ts')
    const outside = () => ({ fetch: async () => new Response('{}') })
    const network = lightningNetwork({ asset: { chain: 'lightning' }, outside, clock: () => 0 })
    network.accounts.describe('shop@wallet.example')
    console.log(JSON.stringify(Object.keys(require.cache)))`
  const loaded = (await run(script)) as string[]
  const ofLightning = loaded.map(path => /lightning\/(.*)[.]ts$/.exec(path)?.[1] ?? '').filter(Boolean)
  const needed = ['account', 'network', 'sources/address', 'sources/http', 'sources/index', 'sources/port']
  expect(ofLightning.sort()).toEqual(needed)
  expect(rarely(loaded).filter(path => !path.endsWith('/network.ts'))).toEqual([])
})
