import { Elysia } from 'elysia'
import type { World } from '../../operations/context.ts'
import { changeWallet, readWallet } from '../../operations/merchants/wallet.ts'
import { presentWallet } from '../../present/wallet.ts'
import { callerOf, keyed } from '../auth.ts'
import { success } from '../envelope.ts'
import * as docs from './openapi.ts'
import { ChangeWallet } from './request.ts'

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
