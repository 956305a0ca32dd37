import { Elysia } from 'elysia'
import type { Context } from '../../operations/context.ts'
import { changeWallet, getWallet } from '../../operations/merchants/wallet.ts'
import { presentWallet } from '../../present/wallet.ts'
import { callerOf, contextOf, requireKey } from '../auth.ts'
import { respond } from '../respond.ts'
import * as docs from './openapi.ts'
import { ChangeWallet } from './request.ts'

export const wallet = (context: Context) =>
  new Elysia()
    .get(
      '/v1/wallet',
      async ({ request }) => {
        const { merchantId } = await callerOf(request)
        return respond(docs.getWallet, presentWallet(await getWallet(context, merchantId)))
      },
      { ...requireKey(context, docs.getWallet) },
    )
    .put(
      '/v1/wallet',
      async ({ body, request }) => {
        const { merchantId } = await callerOf(request)
        return respond(
          docs.changeWallet,
          presentWallet(await changeWallet(await contextOf(context, request), merchantId, body)),
        )
      },
      {
        ...requireKey(context, docs.changeWallet),
        body: ChangeWallet,
      },
    )
