import type { Texts } from '../types.ts'

export const notices: Texts['notices'] = {
  titles: {
    wrong_asset: 'Надійшла інша криптовалюта',
    underpaid: 'Ваш платіж не покриває це замовлення',
    late: 'Ваш платіж надійшов із запізненням',
    second_payment: 'Надійшов другий платіж',
    order_closed: 'Надійшов платіж за закрите замовлення',
    too_late: 'Ваш платіж надійшов надто пізно',
    overpaid: 'Ви сплатили більше, ніж потрібно',
  },
  otherCoin: 'іншу криптовалюту',
  received: {
    wrong_asset: (coins, wanted) => `Ми отримали ${coins}, але цей платіж мав бути в ${wanted}.`,
    underpaid: (coins, value) =>
      value === null ? `Ми отримали ${coins}.` : `Ми отримали ${coins} вартістю ${value}.`,
    late: (coins, value) =>
      value === null
        ? `Ми отримали ${coins} після того, як час на оплату вийшов.`
        : `Ми отримали ${coins} вартістю ` + `${value} після того, як час на оплату вийшов.`,
    second_payment: coins => `Ми отримали ${coins}, але це замовлення вже було оплачено.`,
    order_closed: coins => `Ми отримали ${coins}, але це замовлення було закрито.`,
    too_late: coins => `Ми отримали ${coins} значно пізніше, ніж вийшов час на оплату.`,
    overpaid: (coins, due) => `Ми отримали ${coins}, а потрібно було лише ${due}.`,
  },
  notLost: shop => `Ваш платіж зафіксовано, сповіщення для ${shop} надіслано.`,
  contact: shop => `Зв’яжіться з ${shop}`,
  contactForRefund: contact => `${contact}, якщо потрібне повернення коштів або маєте запитання.`,
  refundAddress: network => `Адреса для повернення в мережі ${network}`,
  optional: '(необов’язково)',
  saveAddress: 'Зберегти адресу для повернення',
  wrongAddress: 'Якщо вона неправильна, зв’яжіться з магазином.',
}
