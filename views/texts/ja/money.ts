import type { Texts } from '../types.ts'

export const money: Texts['money'] = {
  received: (received, total, left) => `${total}のうち${received}を受領済み · 残り${left}`,
  receivedAll: (received, total) => `${total}のうち${received}を受領済み`,
  awaiting: (amount, shop) => `${amount}は${shop}の承認を待っています。今はこれ以上送らないでください。`,
  awaitingUnknown: shop => `お支払いは${shop}の承認を待っています。今はこれ以上送らないでください。`,
  tooSmall: left =>
    `残りの${left}は少なすぎて送信できません。ショップに通知しましたので、これ以上送る必要はありません。`,
  others: '開始したその他のお支払い',
  continueWith: name => `${name}で続ける`,
  part: received => `${received}を受領済み`,
  vanished: amount =>
    `${amount}のお支払いがネットワーク上で確認できなくなりました。` +
    '再度送る前に、ウォレットでご確認ください。',
  blind: (network, time) => `現在、${network}ネットワークに接続できません。最後に確認したのは${time}です。`,
  blindAdvice:
    'すでにお支払いの場合、お支払いは失われていません。再度のお支払いはお控えください。' +
    'ネットワークに接続でき次第、お支払いを検出します。',
}
