import { plural } from '../plural.ts'
import type { Texts } from '../types.ts'

export const choose: Texts['choose'] = {
  title: 'Виберіть спосіб оплати',
  byProvider: 'Картка, банківський переказ або електронний гаманець',
  crypto: 'Криптовалюта',
  card: 'Картка',
  bank: 'Банківський переказ',
  through: provider => `через ${provider}`,
  moreWays: 'Інші способи оплати',
  moreCoins: 'Інші криптовалюти',
  filter: 'Знайти спосіб оплати',
  noMatch: 'Немає відповідного способу оплати.',
  usual: (fee, time) => `Комісія мережі: зазвичай близько ${fee}. Час: близько ${time}`,
  networks: count =>
    plural('uk', count, {
      one: `${count} мережа`,
      few: `${count} мережі`,
      many: `${count} мереж`,
    }),
  payWith: method => `Оплатити через ${method}`,
  continueTo: method => `Перейти до ${method}`,
  keepPageOpen: method =>
    `${method} відкриється в новій вкладці. Потім поверніться на цю сторінку: вона покаже, коли ` +
    'надійде ваш платіж.',
  back: 'Повернутися до розпочатого платежу',
  noMethod: 'Немає способу оплати',
  nothing: 'Зараз немає доступних способів оплати',
  providerAway: 'Платіжна система не відповідає. Спробуйте ще раз за кілька хвилин.',
  noneForAmount: 'Жоден зі способів оплати магазину не доступний для цієї суми.',
  openUntil: time => `Це замовлення залишається відкритим до ${time}.`,
  cardsAway: 'Оплата карткою, банківським переказом та електронним гаманцем зараз недоступна.',
  tryInMinutes: 'Спробуйте ще раз за кілька хвилин.',
  unavailable: method => `${method}: спосіб недоступний`,
  chooseOther: 'Кошти не списано. Виберіть інший спосіб.',
  declined: method => `${method}: платіж відхилено`,
  tryAgainOrOther: 'Кошти не списано. Спробуйте ще раз або виберіть інший спосіб.',
}
