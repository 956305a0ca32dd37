import type { Texts } from '../types.ts'

export const crypto: Texts['crypto'] = {
  coinOnNetwork: (coin, network) => `${coin} в сети ${network}`,
  payWith: coin => `Оплатить в ${coin}`,
  waiting: 'Ожидаем ваш платёж',
  timeLeft: 'Осталось времени:',
  payBefore: time => `Оплатите до ${time}`,
  detected: 'Платёж обнаружен',
  detectedWith: progress => `Платёж обнаружен: ${progress}`,
  confirmations: 'Подтверждения',
  progress: (done, required) => `Подтверждений: ${done} из ${required}`,
  lastConfirmation: 'Ожидаем окончательное подтверждение',
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
  sendTestCoins: 'Отправить тестовые монеты',
  sendOnly: (coin, network) => `Отправляйте только ${coin} в сети ${network}.`,
  otherCoins:
    'Другие криптовалюты или средства, отправленные в других сетях, не оплатят этот заказ и могут ' +
    'быть потеряны.',
  exactAmount: 'Отправьте точно эту сумму одной транзакцией.',
  exactAmountReason:
    'Мы распознаём ваш платёж по сумме, поэтому убедитесь, что кошелёк или биржа не вычитает из ' +
    'неё комиссию.',
  amountLeft: 'Осталось оплатить',
  amountDue: 'Отправьте точно',
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
    'получите новую цену.',
  newPrice: coin => `Получить новую цену в ${coin}`,
  notCovered: 'Платёж, покрывающий заказ, не обнаружен.',
}
