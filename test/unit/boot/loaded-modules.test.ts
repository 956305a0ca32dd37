import { expect, test } from 'bun:test'
import { ROOT } from '../../support/docs.ts'

/**
 * What is loaded once it is needed: mail, drawing pictures, elliptic curves, stand-ins for upstreams, the OpenAPI
 * document, other engines and languages, copies in a store, the texts of the dashboard, and other commands.
 */
const rare = [
  /node_modules\/(nodemailer|pngjs|qrcode|zod|@elysiajs\/swagger|@scalar|@scure\/bip32)\//,
  /node_modules\/@noble\/curves\/(?!utils\.js)/,
  /src\/cli\/(doctor|sweep|restore)/,
  /src\/sandbox\/(?!state\.ts|faucet)/,
  /node_modules\/(@noble\/ciphers|postgres)\//,
  /src\/(replica|storage\/postgres)\//,
  /views\/(dashboard\/texts|texts\/(?!en|catalogues\.ts|fill\.ts|plural\.ts|types\.ts))/,
]

test('a server starts without the modules that only rare work needs', async () => {
  const script = `
    const { Cli } = await import('./src/cli/cli.ts')
    const { program } = await import('./src/cli/program.ts')
    await program(new Cli({ environment: {}, print() {}, complain() {} }), ['serve'])
    console.log(JSON.stringify(Object.keys(require.cache)))`
  const child = Bun.spawn([process.execPath, '-e', script], { cwd: ROOT, stdout: 'pipe', stderr: 'inherit' })
  const loaded: string[] = await new Response(child.stdout).json()
  expect(loaded.some(path => path.endsWith('src/boot/serve.ts'))).toBe(true)
  expect(loaded.filter(path => rare.some(pattern => pattern.test(path)))).toEqual([])
})
