import { plural } from '../plural.ts'
import type { Texts } from '../types.ts'

export const errors: Texts['errors'] = {
  titles: {
    notFound: '找不到页面',
    notPossible: '无法执行此操作',
    notAvailable: '不可用',
    tooMany: '请求过多',
    providerAway: '支付服务商没有响应',
    other: '出错了',
  },
  titled: title => `错误：${title}`,
  notSold: shop => `${shop} 已不再销售此商品。`,
  shopClosed: '此商店目前不接受付款。如果您已经付款，请联系商店并提供订单号。',
  checkLink: '请检查链接，或向商店索取新链接。',
  backToPayment: '返回付款',
  requestId: '请求编号',
  waitMinute: '请等待一分钟，然后重试。',
  wait: seconds =>
    plural('zh-Hans', seconds, {
      other: `请求过多。请在 ${seconds} 秒后重试。`,
    }),
  shopCannot: '商店目前无法接受此订单。请稍后重试，或联系商店。',
  byCode: {
    validation_error: '此链接或表单无效。请返回，或向商店索取新链接。',
    not_found: '此地址没有页面。',
    order_not_payable: '此订单已无法付款。请返回商店重新下单。',
    method_not_offered: '此付款方式不可用。请选择其他方式。',
    product_not_available: '此商品无法购买。请返回商店选择其他商品。',
    internal_error: '请重试。如果再次出现，请联系商店并提供下方的请求编号。',
    provider_unavailable: '请几分钟后重试。',
  },
  byReason: {
    order_unknown: '没有此订单。',
    product_unknown: '没有此商品。',
    order_paid: '此订单已付款。',
    order_cancelled: '此订单已取消。',
    order_expired: '此订单已过期。请返回商店重新下单。',
    order_failed: '此订单付款失败。请返回商店重新下单。',
    coin_not_offered: '此币种目前不适用于此订单。请选择其他方式。',
    coin_unsupported: '不再支持此币种。请联系商店。',
    nothing_to_refund: '没有可退款的金额。如果您认为有误，请联系商店。',
    address_saved: '退款地址已保存。如需更改，请联系商店。',
    private_key: '这看起来像私钥。切勿泄露给任何人。请改为输入地址。',
    payment_address: '这是您要付款到的地址。请输入您自己钱包的地址。',
    payments_open: '您已为此订单打开十笔付款。请支付其中一笔，或在 30 分钟后重试。',
    changed: '此页面不是最新的。请重新加载后重试。',
  },
  notAnAddress: network => `这不是 ${network} 上的地址。请从钱包中重新复制。`,
}
