#!/usr/bin/env bun
import { Cli } from './cli/cli.ts'
import { program } from './cli/program.ts'

const cli = new Cli({
  environment: process.env,
  print: text => process.stdout.write(`${text}\n`),
  complain: text => process.stderr.write(`${text}\n`),
})

cli.run(program(cli), process.argv.slice(2)).then(process.exit)
