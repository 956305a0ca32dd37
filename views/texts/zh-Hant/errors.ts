import { plural } from '../plural.ts'
import type { Texts } from '../types.ts'

export const errors: Texts['errors'] = {
  titles: {
    notFound: '找不到頁面',
    notPossible: '無法執行此操作',
    notAvailable: '無法使用',
    tooMany: '請求過多',
    providerAway: '付款服務商沒有回應',
    other: '發生錯誤',
  },
  titled: title => `錯誤：${title}`,
  notSold: shop => `${shop} 已不再販售此商品。`,
  shopClosed: '此商店目前不接受付款。如果您已經付款，請聯絡商店並提供訂單編號。',
  checkLink: '請檢查連結，或向商店索取新連結。',
  backToPayment: '返回付款',
  requestId: '請求編號',
  waitMinute: '請等待一分鐘，然後重試。',
  wait: seconds =>
    plural('zh-Hant', seconds, {
      other: `請求過多。請在 ${seconds} 秒後重試。`,
    }),
  shopCannot: '商店目前無法接受此訂單。請稍後重試，或聯絡商店。',
  byCode: {
    validation_error: '此連結或表單無效。請返回，或向商店索取新連結。',
    not_found: '此地址沒有頁面。',
    order_not_payable: '此訂單已無法付款。請返回商店重新訂購。',
    method_not_offered: '此付款方式無法使用。請選擇其他方式。',
    product_not_available: '此商品無法購買。請返回商店選擇其他商品。',
    internal_error: '請重試。如果再次發生，請聯絡商店並提供下方的請求編號。',
    provider_unavailable: '請於幾分鐘後重試。',
  },
  byReason: {
    order_unknown: '沒有此訂單。',
    product_unknown: '沒有此商品。',
    order_paid: '此訂單已付款。',
    order_cancelled: '此訂單已取消。',
    order_expired: '此訂單已過期。請返回商店重新訂購。',
    order_failed: '此訂單付款失敗。請返回商店重新訂購。',
    coin_not_offered: '此幣種目前不適用於此訂單。請選擇其他方式。',
    coin_unsupported: '不再支援此幣種。請聯絡商店。',
    nothing_to_refund: '沒有可退款的金額。如果您認為有誤，請聯絡商店。',
    address_saved: '退款地址已儲存。如需變更，請聯絡商店。',
    private_key: '這看起來像私鑰。切勿透露給任何人。請改為輸入地址。',
    payment_address: '這是您要付款到的地址。請輸入您自己錢包的地址。',
    payments_open: '您已為此訂單開啟十筆付款。請支付其中一筆，或於 30 分鐘後重試。',
    changed: '此頁面不是最新的。請重新載入後重試。',
  },
  notAnAddress: network => `這不是 ${network} 上的地址。請從錢包中重新複製。`,
}
