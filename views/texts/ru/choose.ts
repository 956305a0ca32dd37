import { plural } from '../plural.ts'
import type { Texts } from '../types.ts'

export const choose: Texts['choose'] = {
  title: 'Выберите способ оплаты',
  byProvider: 'Карта, банковский перевод или электронный кошелёк',
  crypto: 'Криптовалюта',
  card: 'Карта',
  bank: 'Банковский перевод',
  through: provider => `через ${provider}`,
  moreWays: 'Другие способы оплаты',
  moreCoins: 'Другие криптовалюты',
  filter: 'Найти способ оплаты',
  noMatch: 'Нет подходящего способа оплаты.',
  usual: (fee, time) => `Комиссия сети: обычно около ${fee}. Время: около ${time}`,
  networks: count =>
    plural('ru', count, {
      one: `${count} сеть`,
      few: `${count} сети`,
      many: `${count} сетей`,
    }),
  payWith: method => `Оплатить через ${method}`,
  continueTo: method => `Перейти в ${method}`,
  keepPageOpen: method =>
    `${method} откроется в новой вкладке. Затем вернитесь на эту страницу: она покажет, когда ` +
    'поступит ваш платёж.',
  back: 'Вернуться к начатому платежу',
  noMethod: 'Нет способа оплаты',
  nothing: 'Сейчас нет доступных способов оплаты',
  providerAway: 'Платёжная система не отвечает. Повторите попытку через несколько минут.',
  noneForAmount: 'Ни один из способов оплаты магазина не доступен для этой суммы.',
  openUntil: time => `Этот заказ остаётся открытым до ${time}.`,
  cardsAway: 'Оплата картой, банковским переводом и электронным кошельком сейчас недоступна.',
  tryInMinutes: 'Повторите попытку через несколько минут.',
  unavailable: method => `${method}: способ недоступен`,
  chooseOther: 'Деньги не списаны. Выберите другой способ.',
  declined: method => `${method}: платёж отклонён`,
  tryAgainOrOther: 'Деньги не списаны. Повторите попытку или выберите другой способ.',
}
