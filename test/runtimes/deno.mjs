import * as client from './client/index.js'
import { visit } from './shop.mjs'

const found = await visit(client, JSON.parse(Deno.args[0]))
Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(found)))
