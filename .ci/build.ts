// Makes the executable: views, styles, scripts and migrations are inside. --all makes it for every system.
import { readdirSync, rmSync } from 'node:fs'

const targets = ['bun-linux-x64', 'bun-linux-arm64', 'bun-darwin-arm64', 'bun-windows-x64'] as const

// Bytecode halves the time to the first answer, and what is in a chunk of its own is loaded when it is needed.
// Names stay, so that a stack in a log can be read.
const chunks = ['--format=esm', '--splitting']
const options = [
  '--compile',
  '--bytecode',
  ...chunks,
  '--minify-whitespace',
  '--minify-syntax',
  '--sourcemap',
]

async function build(target: string | null): Promise<void> {
  const outfile = target ? `dist/florin-${target.replace('bun-', '')}` : 'dist/florin'
  const args = [...options, 'src/main.ts', '--outfile', outfile, ...(target ? [`--target=${target}`] : [])]
  const child = Bun.spawn([process.execPath, 'build', ...args], { stdout: 'ignore', stderr: 'pipe' })
  const complaint = await new Response(child.stderr).text()
  if ((await child.exited) !== 0) throw new Error(`${outfile} could not be built:\n${complaint}`)
  // The executable holds its source maps; those beside it are copies.
  for (const name of readdirSync('dist')) if (name.endsWith('.map')) rmSync(`dist/${name}`)
  process.stdout.write(`${outfile}\n`)
}

const wanted = process.argv.includes('--all') ? targets : [null]
for (const target of wanted) await build(target)
