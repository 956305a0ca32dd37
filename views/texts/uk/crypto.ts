import type { Texts } from '../types.ts'

export const crypto: Texts['crypto'] = {
  coinOnNetwork: (coin, network) => `${coin} у мережі ${network}`,
  pay: (amount, network) => `Сплатіть ${amount} у мережі ${network}`,
  payCoin: amount => `Сплатіть ${amount}`,
  waiting: 'Очікуємо на ваш платіж',
  timeLeft: 'Залишилося часу:',
  payBefore: time => `Сплатіть до ${time}`,
  fewMinutesLeft: 'На оплату залишилося менше п’яти хвилин.',
  detected: 'Платіж виявлено',
  detectedWith: progress => `Платіж виявлено: ${progress}`,
  confirmations: 'Підтвердження',
  progress: (done, required) => `Підтверджень: ${done} з ${required}`,
  lastConfirmation: 'Очікуємо на остаточне підтвердження',
  aboutLeft: time => `залишилося близько ${time}`,
  receivedPayments: 'Уже надійшло',
  closePage: 'Можете закрити цю сторінку: замовлення все одно буде позначено як оплачене.',
  leftToPay: amount => `Залишилося сплатити ${amount}`,
  sendRest: received => `Ми отримали ${received}. Надішліть решту на ту саму адресу.`,
  dustTitle: 'Решта надто мала, щоб її надіслати',
  dust: (received, due) =>
    `Ми отримали ${received} з ${due} і повідомили магазин. Більше нічого надсилати не потрібно. ` +
    'Зв’яжіться з магазином, якщо замовлення не буде підтверджено найближчим часом.',
  qrOfPayment: 'QR-код платежу',
  qrOfAddress: 'QR-код адреси',
  cannotScan: 'Гаманець не може зчитати цей код?',
  onlyAddress: 'Цей код містить лише адресу.',
  showAddressOnly: 'Показати лише адресу',
  includeAmount: 'Додати суму',
  openWallet: 'Відкрити в гаманці',
  walletClosed: 'Нічого не відкрилося? Скопіюйте суму й адресу в гаманець.',
  browserWallet: {
    pay: 'Оплатити через {wallet}',
    open: 'Підтвердьте платіж у гаманці.',
    sent: 'Надіслано. Сторінка оновиться, щойно платіж буде виявлено.',
    rejected: 'Ви не підтвердили платіж. Нічого не надіслано.',
    chain: 'Гаманець не знає цієї мережі. Додайте її в гаманці й спробуйте ще раз.',
    failed: 'Гаманець не зміг надіслати платіж. Перевірте його баланс або сплатіть за QR-кодом чи адресою.',
  },
  sendTestCoins: 'Надіслати тестові монети',
  sendOnly: (coin, network) => `Надсилайте лише ${coin} у мережі ${network}.`,
  otherCoins:
    'Інші криптовалюти або кошти, надіслані в інших мережах, не буде зараховано за це замовлення, і ' +
    'вони можуть бути втрачені.',
  exactAmount: 'Надішліть рівно цю суму однією транзакцією.',
  exactAmountReason:
    'Ми розпізнаємо ваш платіж за сумою, тому переконайтеся, що гаманець або біржа не вираховує з ' +
    'неї комісію.',
  amountLeft: 'Залишилося сплатити',
  amountDue: 'Надішліть рівно',
  toAddress: network => `На цю адресу в мережі ${network}`,
  rate: 'Курс',
  theAmount: 'суму',
  theAddress: 'адресу',
  nothingFound: network => `У мережі ${network} платежу ще не виявлено.`,
  nothingMore: 'Більше нічого не надійшло.',
  restMissing: 'Решта ще не надійшла.',
  unconfirmed: 'Платіж ще не підтверджено.',
  lapsed: 'Час на оплату вийшов',
  lapsedShort: received =>
    `Ми отримали ${received}. Ваш платіж у безпеці. Зв’яжіться з магазином, перш ніж платити знову.`,
  partOf: (received, due) => `${received} з ${due}`,
  maybePaid:
    'Щойно оплатили? Ваш платіж усе одно буде виявлено, сторінку можна закрити. Якщо ні, запитайте ' +
    'нову ціну.',
  newPrice: coin => `Запитати нову ціну в ${coin}`,
  notCovered: 'Не виявлено платежу, який покриває замовлення.',
}
