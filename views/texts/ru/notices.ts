import type { Texts } from '../types.ts'

export const notices: Texts['notices'] = {
  titles: {
    wrong_asset: 'Поступила другая криптовалюта',
    underpaid: 'Ваш платёж не покрывает этот заказ',
    late: 'Ваш платёж поступил с опозданием',
    second_payment: 'Поступил второй платёж',
    order_closed: 'Поступил платёж за закрытый заказ',
    too_late: 'Ваш платёж поступил слишком поздно',
    overpaid: 'Вы заплатили больше, чем нужно',
  },
  otherCoin: 'другую криптовалюту',
  received: {
    wrong_asset: (coins, wanted) => `Мы получили ${coins}, но этот платёж должен был быть в ${wanted}.`,
    underpaid: (coins, value) =>
      value === null ? `Мы получили ${coins}.` : `Мы получили ${coins} на сумму ${value}.`,
    late: (coins, value) =>
      value === null
        ? `Мы получили ${coins} после того, как время на оплату вышло.`
        : `Мы получили ${coins} на сумму ` + `${value} после того, как время на оплату вышло.`,
    second_payment: coins => `Мы получили ${coins}, но этот заказ уже был оплачен.`,
    order_closed: coins => `Мы получили ${coins}, но этот заказ был закрыт.`,
    too_late: coins => `Мы получили ${coins} намного позже, чем вышло время на оплату.`,
    overpaid: (coins, due) => `Мы получили ${coins}, а требовалось только ${due}.`,
  },
  notLost: shop => `Ваш платёж зафиксирован, уведомление для ${shop} отправлено.`,
  contact: shop => `Свяжитесь с ${shop}`,
  contactForRefund: contact => `${contact}, если нужен возврат или есть вопросы.`,
  refundAddress: network => `Адрес для возврата в сети ${network}`,
  optional: '(необязательно)',
  saveAddress: 'Сохранить адрес для возврата',
  wrongAddress: 'Если он неверный, свяжитесь с магазином.',
}
