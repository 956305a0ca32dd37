import type { Texts } from '../types.ts'

export const provider: Texts['provider'] = {
  payWith: method => `Оплатить через ${method}`,
  waiting: method => `Ожидаем ${method}`,
  otherTab:
    'Завершите оплату в другой вкладке. Эта страница обновится автоматически через несколько минут ' +
    'после оплаты. После оплаты её можно закрыть: заказ всё равно будет отмечен как оплаченный.',
  openAgain: method => `Открыть ${method} снова`,
  unconfirmed: method => `${method}: платёж ещё не подтверждён.`,
}
