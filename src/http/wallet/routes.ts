import { Elysia } from 'elysia'
import type { Wallet } from '../../domain/wallet.ts'
import { changeWallet, getWallet, listConfiguredNetworks } from '../../operations/addresses/wallet.ts'
import type { Context } from '../../operations/context.ts'
import { presentWallet } from '../../present/wallet.ts'
import { callerOf, contextOf, requireKey } from '../auth.ts'
import { respond } from '../respond.ts'
import * as docs from './openapi.ts'
import { ChangeWallet } from './request.ts'

export const wallet = (context: Context) => {
  const present = async (own: Wallet) => presentWallet(own, await listConfiguredNetworks(context, own))
  return new Elysia()
    .get(
      '/v1/wallet',
      async ({ request }) => {
        const { merchantId } = await callerOf(request)
        return respond(docs.getWallet, await present(await getWallet(context, merchantId)))
      },
      { ...requireKey(context, docs.getWallet) },
    )
    .put(
      '/v1/wallet',
      async ({ body, request }) => {
        const { merchantId } = await callerOf(request)
        const wallet = await changeWallet(await contextOf(context, request), merchantId, body)
        return respond(docs.changeWallet, await present(wallet))
      },
      {
        ...requireKey(context, docs.changeWallet),
        body: ChangeWallet,
      },
    )
}
