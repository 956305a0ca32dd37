#!/usr/bin/env bun
import { stderr } from './boot/stderr.ts'
import { Cli } from './cli/cli.ts'
import { program } from './cli/program.ts'

/** A pipe takes a long answer in pieces; the last must be through before the process ends. */
let printed: Promise<unknown> = Promise.resolve()

const cli = new Cli({
  environment: process.env,
  print: text => {
    printed = printed.then(() => Bun.write(Bun.stdout, `${text}\n`)).catch(() => {})
  },
  complain: text => stderr.write(`${text}\n`),
})

void cli.run(program(cli), process.argv.slice(2)).then(async exitCode => {
  await printed
  await stderr.flush()
  process.exit(exitCode)
})
