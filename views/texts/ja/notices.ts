import type { Texts } from '../types.ts'

export const notices: Texts['notices'] = {
  titles: {
    wrong_asset: '別のコインが届きました',
    underpaid: 'お支払いがこのご注文に足りません',
    late: 'お支払いが遅れて届きました',
    second_payment: '2回目のお支払いが届きました',
    order_closed: '終了したご注文へのお支払いが届きました',
    too_late: 'お支払いの到着が遅すぎました',
    overpaid: 'お支払い額が請求額を超えています',
  },
  otherCoin: '別のコイン',
  received: {
    wrong_asset: (coins, wanted) => `${coins}を受け取りましたが、このお支払いには${wanted}が必要でした。`,
    underpaid: (coins, value) =>
      value === null ? `${coins}を受け取りました。` : `${coins}（${value}相当）を受け取りました。`,
    late: (coins, value) =>
      value === null
        ? `お支払いの期限後に${coins}を受け取りました。`
        : `お支払いの期限後に${coins}（${value}相当）` + 'を受け取りました。',
    second_payment: coins => `${coins}を受け取りましたが、このご注文はすでに支払い済みでした。`,
    order_closed: coins => `${coins}を受け取りましたが、このご注文は終了していました。`,
    too_late: coins => `お支払いの期限を大幅に過ぎてから${coins}を受け取りました。`,
    overpaid: (coins, due) => `${coins}を受け取りましたが、必要な金額は${due}でした。`,
  },
  notLost: shop => `お支払いは記録され、${shop}に通知しました。`,
  contact: shop => `${shop}にお問い合わせください`,
  contactForRefund: contact => `返金やご質問については、${contact}。`,
  refundAddress: network => `${network}の返金先アドレス`,
  optional: '（任意）',
  saveAddress: '返金先アドレスを保存',
  wrongAddress: '間違っている場合は、ショップにお問い合わせください。',
}
