import type { Texts } from '../types.ts'

export const crypto: Texts['crypto'] = {
  coinOnNetwork: (coin, network) => `${coin}（${network}）`,
  pay: (amount, network) => `${network}で${amount}を支払う`,
  payCoin: amount => `${amount}を支払う`,
  waiting: 'お支払いを待っています',
  timeLeft: '残り時間：',
  payBefore: time => `${time}までにお支払いください`,
  fewMinutesLeft: 'お支払いの残り時間は5分未満です。',
  detected: 'お支払いを検出しました',
  detectedWith: progress => `お支払いを検出しました：${progress}`,
  confirmations: '承認数',
  progress: (done, required) => `${required}件中${done}件の承認`,
  lastConfirmation: '最終承認を待っています',
  aboutLeft: time => `残り約${time}`,
  receivedPayments: 'これまでの受取額',
  closePage:
    'このページは閉じてもかまいません。ネットワークでお支払いが承認され次第、ご注文は支払い済みとして記録されます。',
  leftToPay: amount => `残り${amount}のお支払いが必要です`,
  sendRest: received => `${received}を受け取りました。残りを同じアドレスに送ってください。`,
  dustTitle: '残額が少なすぎて送信できません',
  qrOfPayment: 'お支払いのQRコード',
  qrOfAddress: 'アドレスのQRコード',
  cannotScan: 'ウォレットでこのコードを読み取れませんか？',
  onlyAddress: 'このコードにはアドレスのみが含まれています。',
  showAddressOnly: 'アドレスのみ表示',
  includeAmount: '金額を含める',
  openWallet: 'ウォレットで開く',
  walletClosed: 'ウォレットが開かない場合は、金額とアドレスをウォレットにコピーしてください。',
  browserWallet: {
    pay: '{wallet}で支払う',
    open: 'ウォレットでお支払いを承認してください。',
    sent: '送信しました。お支払いが検出されると、このページの表示が変わります。',
    again: '{wallet}でもう一度送信しますか？',
    twice: 'もう一度送信するのは、最初のお支払いが失敗したとウォレットに表示された場合だけにしてください。',
    rejected: 'お支払いが承認されませんでした。何も送信されていません。',
    chain: 'このネットワークはウォレットに登録されていません。ウォレットに追加して、もう一度お試しください。',
    failed:
      'ウォレットからお支払いを送信できませんでした。残高を確認するか、QRコードまたはアドレスで' +
      'お支払いください。',
  },
  sendTestCoins: 'テスト用コインを送る',
  sendOnly: (coin, network) => `${network}ネットワークで${coin}のみを送ってください。`,
  otherCoins:
    '別のコインや別のネットワークで送ったコインは、このご注文のお支払いとして扱われず、' +
    '失われることがあります。',
  exactAmount: 'この金額ちょうどを、1回の取引で送ってください。',
  exactAmountReason:
    'お支払いは金額で識別します。取引所からお支払いになる場合は、' +
    'この金額ちょうどが届くように、出金手数料を上乗せしてください。',
  exchangeFee:
    '取引所からお支払いになりますか？この金額ちょうどが届くように、出金手数料を上乗せしてください。',
  amountLeft: '残りのお支払い',
  amountDue: '正確な送金額',
  toAddress: network => `${network}のこのアドレス宛て`,
  rate: 'レート',
  theAmount: '金額',
  theAddress: 'アドレス',
  nothingFound: network => `${network}でのお支払いはまだ検出されていません。`,
  nothingMore: '追加の入金はありません。',
  restMissing: '残りはまだ届いていません。',
  unconfirmed: 'お支払いはまだ承認されていません。',
  lapsed: 'お支払いの期限が過ぎました',
  partOf: (received, due) => `${due}のうち${received}`,
  maybePaid:
    'たった今お支払いになりましたか？お支払いは引き続き検出されますので、' +
    'このページは閉じてもかまいません。まだの場合は、新しい価格を取得してください。',
  newPrice: coin => `${coin}の新しい価格を取得`,
  notCovered: 'まだ全額を受け取っていません。お支払い直後の場合は、数分後にもう一度ご確認ください。',
  elsewhere: {
    ask: '別のネットワークで送金しました',
    looking: networks => `${networks} を確認しています。`,
    found: coins => `${coins} が見つかりました。`,
    nothing: (networks, time) => `${time} に ${networks} を確認しましたが、見つかりませんでした。`,
    unreachable: networks =>
      `${networks} に接続できませんでした。引き続き確認します。送金された分が失われることはありません。`,
  },
  turnedTo: coin =>
    `別のウィンドウで新しい支払いが開始されました：${coin}。このページには現在その支払いが表示されています。すでにお支払い済みの場合も、お支払いは検出されます。`,
}
