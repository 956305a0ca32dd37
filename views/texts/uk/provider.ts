import type { Texts } from '../types.ts'

export const provider: Texts['provider'] = {
  payWith: method => `Оплатити через ${method}`,
  waiting: method => `Очікуємо на ${method}`,
  otherTab:
    'Завершіть оплату в іншій вкладці. Ця сторінка оновиться автоматично за кілька хвилин після ' +
    'оплати. Після оплати її можна закрити: замовлення все одно буде позначено як оплачене.',
  openAgain: method => `Відкрити ${method} ще раз`,
  unconfirmed: method => `${method}: платіж ще не підтверджено.`,
}
