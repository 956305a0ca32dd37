import type { Texts } from '../types.ts'

export const crypto: Texts['crypto'] = {
  coinOnNetwork: (coin, network) => `${coin} в сети ${network}`,
  pay: (amount, network) => `Оплатите ${amount} в сети ${network}`,
  payCoin: amount => `Оплатите ${amount}`,
  waiting: 'Ожидаем ваш платёж',
  timeLeft: 'Осталось времени:',
  payBefore: time => `Оплатите до ${time}`,
  fewMinutesLeft: 'На оплату осталось меньше пяти минут.',
  detected: 'Платёж обнаружен',
  detectedWith: progress => `Платёж обнаружен: ${progress}`,
  confirmations: 'Подтверждения',
  progress: (done, required) => `Подтверждений: ${done} из ${required}`,
  lastConfirmation: 'Ожидаем окончательное подтверждение',
  aboutLeft: time => `осталось около ${time}`,
  receivedPayments: 'Уже поступило',
  closePage: 'Эту страницу можно закрыть: заказ всё равно будет отмечен как оплаченный.',
  leftToPay: amount => `Осталось оплатить ${amount}`,
  sendRest: received => `Мы получили ${received}. Отправьте остаток на тот же адрес.`,
  dustTitle: 'Остаток слишком мал, чтобы его отправить',
  dust: (received, due) =>
    `Мы получили ${received} из ${due} и сообщили магазину. Больше ничего отправлять не нужно. ` +
    'Свяжитесь с магазином, если заказ не будет подтверждён в ближайшее время.',
  qrOfPayment: 'QR-код платежа',
  qrOfAddress: 'QR-код адреса',
  cannotScan: 'Кошелёк не может считать этот код?',
  onlyAddress: 'Этот код содержит только адрес.',
  showAddressOnly: 'Показать только адрес',
  includeAmount: 'Добавить сумму',
  openWallet: 'Открыть в кошельке',
  walletClosed: 'Ничего не открылось? Скопируйте сумму и адрес в кошелёк.',
  browserWallet: {
    pay: 'Оплатить через {wallet}',
    open: 'Подтвердите платёж в кошельке.',
    sent: 'Отправлено. Страница обновится, когда платёж будет обнаружен.',
    rejected: 'Вы не подтвердили платёж. Ничего не отправлено.',
    chain: 'Кошелёк не знает эту сеть. Добавьте её в кошельке и повторите попытку.',
    failed: 'Кошелёк не смог отправить платёж. Проверьте его баланс или оплатите по QR-коду либо адресу.',
  },
  sendTestCoins: 'Отправить тестовые монеты',
  sendOnly: (coin, network) => `Отправляйте только ${coin} в сети ${network}.`,
  otherCoins:
    'Другие криптовалюты или средства, отправленные в других сетях, не будут зачтены за этот заказ и могут ' +
    'быть потеряны.',
  exactAmount: 'Отправьте ровно эту сумму одной транзакцией.',
  exactAmountReason:
    'Мы распознаём ваш платёж по сумме, поэтому убедитесь, что кошелёк или биржа не вычитает из ' +
    'неё комиссию.',
  amountLeft: 'Осталось оплатить',
  amountDue: 'Отправьте ровно',
  toAddress: network => `На этот адрес в сети ${network}`,
  rate: 'Курс',
  theAmount: 'сумму',
  theAddress: 'адрес',
  nothingFound: network => `В сети ${network} платёж пока не обнаружен.`,
  nothingMore: 'Больше ничего не поступило.',
  restMissing: 'Остаток ещё не поступил.',
  unconfirmed: 'Платёж ещё не подтверждён.',
  lapsed: 'Время на оплату вышло',
  lapsedShort: received =>
    `Мы получили ${received}. Ваш платёж в безопасности. Свяжитесь с магазином, прежде чем платить снова.`,
  partOf: (received, due) => `${received} из ${due}`,
  maybePaid:
    'Только что оплатили? Ваш платёж всё равно будет обнаружен, страницу можно закрыть. Если нет, ' +
    'запросите новую цену.',
  newPrice: coin => `Запросить новую цену в ${coin}`,
  notCovered: 'Платёж, покрывающий заказ, не обнаружен.',
}
