import { Elysia } from 'elysia'
import { changeWallet, readWallet } from '../operations/change-wallet.ts'
import type { World } from '../operations/world.ts'
import * as docs from './docs/wallet.ts'
import { success } from './envelope.ts'
import { callerOf, keyed } from './gate.ts'
import { presentWallet } from './present/wallet.ts'
import { ChangeWallet } from './shapes/wallet.ts'

export const wallet = (world: World) =>
  new Elysia()
    .get(
      '/v1/wallet',
      async ({ request }) => {
        const { merchantId } = await callerOf(request)
        return success(presentWallet(await readWallet(world, merchantId)))
      },
      { ...keyed(world, {}), ...docs.readWallet },
    )
    .put(
      '/v1/wallet',
      async ({ body, request }) => {
        const { merchantId } = await callerOf(request)
        return success(presentWallet(await changeWallet(world, merchantId, body)))
      },
      // The specification names no scope; whoever may change where the money goes manages orders.
      { ...keyed(world, { live: true, scope: 'orders:manage' }), body: ChangeWallet, ...docs.changeWallet },
    )
