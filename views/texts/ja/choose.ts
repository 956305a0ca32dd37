import { plural } from '../plural.ts'
import type { Texts } from '../types.ts'

export const choose: Texts['choose'] = {
  title: 'お支払い方法を選択',
  byProvider: 'カード、銀行振込、デジタルウォレット',
  crypto: '暗号資産',
  card: 'カード',
  bank: '銀行振込',
  through: provider => `${provider}経由`,
  moreWays: 'その他のお支払い方法',
  moreCoins: 'その他のコイン',
  filter: 'お支払い方法を検索',
  noMatch: '一致するお支払い方法がありません。',
  usual: (fee, time) => `ネットワーク手数料：通常は約${fee}、所要時間：約${time}`,
  networks: count =>
    plural('ja', count, {
      other: `${count}種類のネットワーク`,
    }),
  payWith: method => `${method}で支払う`,
  continueTo: method => `${method}に進む`,
  keepPageOpen: method =>
    `${method}は新しいタブで開きます。お支払いが届いたかどうかは、このページに戻ってご確認ください。`,
  handledBy: company =>
    `${company}がお支払いを処理し、ショップには暗号資産で支払われます。本人確認や別途手数料が必要になることがあります。`,
  handledByNamed:
    '表示された会社がお支払いを処理し、ショップには暗号資産で支払われます。本人確認や別途手数料が必要になることがあります。',
  back: '開始したお支払いに戻る',
  noMethod: 'お支払い方法がありません',
  nothing: '現在ご利用いただけるお支払い方法がありません',
  providerAway: '決済サービスが応答していません。数分後にもう一度お試しください。',
  noneForAmount: 'この金額でご利用いただけるショップのお支払い方法がありません。',
  openUntil: time => `このご注文は${time}まで有効です。`,
  cardsAway: 'カード、銀行、デジタルウォレットでのお支払いは現在ご利用いただけません。',
  tryInMinutes: '数分後にもう一度お試しください。',
  networksAway: networks => `現在、${networks}に接続できません。`,
  otherOrLater: '別のお支払い方法を選択するか、数分後にもう一度お試しください。',
  unavailable: method => `${method}は利用できません`,
  chooseOther: '請求は行われていません。別の方法を選択してください。',
  declined: method => `${method}がお支払いを承認しませんでした`,
  tryAgainOrOther:
    'お支払いは完了しませんでした。銀行の明細に保留中の金額が表示されている場合は、自動的に取り消されます。もう一度お試しいただくか、別の方法を選択してください。',
}
