#!/usr/bin/env bun
import { compileAsUsual } from './boot/memory.ts'
import { stderr } from './boot/stderr.ts'
import { Cli } from './cli/cli.ts'
import { program } from './cli/program.ts'

/**
 * Standard output. A pipe takes a long answer in pieces, so the process must not end before the last is
 * written.
 */
// Not Bun.write(Bun.stdout, …), which starts again from the beginning when a pipe is full.
const sink = Bun.stdout.writer()
let printed: Promise<unknown> = Promise.resolve()

function write(output: string | Uint8Array): void {
  printed = printed
    .then(() => {
      sink.write(output)
      return sink.flush()
    })
    .catch(() => {})
}

const cli = new Cli({
  environment: process.env,
  print: text => write(`${text}\n`),
  write,
  complain: text => stderr.write(`${text}\n`),
  isInteractive: process.stdout.isTTY === true,
})

async function run(args: string[]): Promise<void> {
  const exitCode = await cli.run(await program(cli, args), args)
  await printed
  await stderr.flush()
  process.exit(exitCode)
}

const args = process.argv.slice(2)
// A server does this itself with its first request, because compiling would slow down its start.
if (args[0] !== 'serve') compileAsUsual()
void run(args)
